-- The mean balance depends on other customers: a constant takes its place. The country's code is that of the nation.
select
    cntrycode,
    count(*) as numcust,
    sum(c_acctbal) as totacctbal
from
    (
        select
            c_nationkey + 10 as cntrycode,
            c_acctbal
        from
            customer
        where
            c_nationkey + 10 in (13, 31, 23, 29, 30, 18, 17)
            and c_acctbal > 4500
            and not exists (
                select
                    *
                from
                    orders
                where
                    o_custkey = c_custkey
            )
    ) as custsale
group by
    cntrycode
having
    numcust > 0
order by
    cntrycode
