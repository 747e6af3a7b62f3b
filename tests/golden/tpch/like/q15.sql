-- The answer cannot be joined with supplier: its key is shown, and the largest one is the first row.
select
    l_suppkey as supplier_no,
    sum(l_extendedprice * (1 - l_discount)) as total_revenue
from
    lineitem
where
    l_shipdate >= cast('1996-01-01' as date)
    and l_shipdate < cast('1996-04-01' as date)
group by
    l_suppkey
order by
    total_revenue desc
limit 1
