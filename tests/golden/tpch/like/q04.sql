-- EXISTS is a join by the people. It counts lines, so the orders are counted as distinct ones.
select
    o_orderpriority,
    count(distinct o_orderkey) as order_count
from
    orders
    join lineitem on l_orderkey = o_orderkey
where
    o_orderdate >= cast('1993-07-01' as date)
    and o_orderdate < cast('1993-10-01' as date)
    and l_commitdate < l_receiptdate
group by
    o_orderpriority
order by
    o_orderpriority
