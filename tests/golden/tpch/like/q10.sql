-- One row per customer is what must not be shown. Lost revenue by nation may.
select
    n_name,
    count(distinct c_custkey) as customers,
    sum(l_extendedprice * (1 - l_discount)) as revenue
from
    customer,
    orders,
    lineitem,
    nation
where
    c_custkey = o_custkey
    and l_orderkey = o_orderkey
    and o_orderdate >= cast('1993-10-01' as date)
    and o_orderdate < cast('1994-01-01' as date)
    and l_returnflag = 'R'
    and c_nationkey = n_nationkey
group by
    n_name
having
    revenue > 1
order by
    revenue desc
limit 20
