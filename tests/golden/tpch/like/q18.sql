-- Customers and orders may not be listed. How many orders are as large, and of how much, may be asked.
select
    extract(year from o_orderdate) as o_year,
    count(*) as orders,
    avg(o_totalprice) as mean_price
from
    orders
where
    o_totalprice > 100000
group by
    o_year
order by
    o_year
