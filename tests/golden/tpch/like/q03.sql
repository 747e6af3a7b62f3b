-- An order is one person's: its number may not be a key. The same revenue by month of the order may.
select
    date_trunc('month', o_orderdate) as o_month,
    o_shippriority,
    sum(l_extendedprice * (1 - l_discount)) as revenue
from
    customer,
    orders,
    lineitem
where
    c_mktsegment = 'BUILDING'
    and c_custkey = o_custkey
    and l_orderkey = o_orderkey
    and o_orderdate >= cast('1992-01-01' as date)
    and o_orderdate < cast('1995-03-15' as date)
    and l_shipdate > cast('1995-03-15' as date)
group by
    o_month,
    o_shippriority
having
    revenue > 1
order by
    revenue desc,
    o_month
limit 10
