-- What was shipped of each part by each supplier is private. The amounts of one nation's suppliers may be asked.
select
    s_name,
    0.5 * sum(l_quantity) as half_shipped
from
    lineitem,
    supplier,
    part,
    nation
where
    l_suppkey = s_suppkey
    and l_partkey = p_partkey
    and p_name like '%forest%'
    and l_shipdate >= cast('1994-01-01' as date)
    and l_shipdate < cast('1995-01-01' as date)
    and s_nationkey = n_nationkey
    and n_name = 'CANADA'
group by
    s_name
having
    half_shipped > 1
order by
    s_name
