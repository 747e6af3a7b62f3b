-- Counting within each customer first is not supported. The mean number of orders of a customer is a quotient.
select
    sum(case when o_orderkey is not null then 1 else 0 end) / count(distinct c_custkey) as orders_per_customer
from
    customer
    left outer join orders on
        c_custkey = o_custkey
        and o_comment not like '%special%requests%'
