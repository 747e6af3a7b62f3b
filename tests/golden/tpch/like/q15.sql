-- The answer cannot be joined with supplier afterwards: it is joined inside of the block that aggregates.
with revenue as (
    select
        s_suppkey,
        s_name,
        s_address,
        s_phone,
        sum(l_extendedprice * (1 - l_discount)) as total_revenue
    from
        lineitem,
        supplier
    where
        s_suppkey = l_suppkey
        and l_shipdate >= cast('1996-01-01' as date)
        and l_shipdate < cast('1996-04-01' as date)
    group by
        s_suppkey,
        s_name,
        s_address,
        s_phone
)
select
    s_suppkey,
    s_name,
    s_address,
    s_phone,
    total_revenue
from
    revenue
where
    total_revenue = (
        select
            max(total_revenue)
        from
            revenue
    )
order by
    s_suppkey
