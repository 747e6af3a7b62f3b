-- Customers and orders may not be listed. How many orders are as large (150 here), and of how much, may be asked.
select
    extract(year from o_orderdate) as o_year,
    count(*) as orders,
    avg(o_totalprice) as mean_price
from
    customer,
    orders
where
    (
        select
            sum(l_quantity)
        from
            lineitem
        where
            o_orderkey = l_orderkey
    ) > 150
    and c_custkey = o_custkey
group by
    o_year
having
    orders > 0
order by
    o_year
