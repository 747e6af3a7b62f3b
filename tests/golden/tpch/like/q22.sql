-- The mean balance depends on other customers: a constant takes its place. NOT EXISTS is a LEFT JOIN.
select
    c_nationkey + 10 as cntrycode,
    count(distinct c_custkey) as numcust,
    sum(c_acctbal, contribution_bounds_per_group => (-1000, 10000)) as totacctbal
from
    customer
    left join orders on
        o_custkey = c_custkey
        and o_orderdate >= cast('1997-01-01' as date)
where
    c_nationkey + 10 in (13, 31, 23, 29, 30, 18, 17)
    and c_acctbal > 4500
    and o_orderkey is null
group by
    cntrycode
having
    numcust > 0
order by
    cntrycode
