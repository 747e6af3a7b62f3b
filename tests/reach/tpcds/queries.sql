-- 1: Brands of one manager sold in November, by year
select dt.d_year, item.i_brand_id brand_id, item.i_brand brand, sum(ss_ext_sales_price) ext_price
from date_dim dt, store_sales, item
where dt.d_date_sk = store_sales.ss_sold_date_sk
  and store_sales.ss_item_sk = item.i_item_sk
  and item.i_manager_id = 4
  and dt.d_moy = 11
group by dt.d_year, item.i_brand, item.i_brand_id
order by dt.d_year, ext_price desc, brand_id
limit 100;
-- 2: Average quantity, price and coupon of items bought by single college women without email promotion
select i_item_id, avg(ss_quantity) agg1, avg(ss_list_price) agg2, avg(ss_coupon_amt) agg3, avg(ss_sales_price) agg4
from store_sales, customer_demographics, date_dim, item, promotion
where ss_sold_date_sk = d_date_sk and ss_item_sk = i_item_sk and ss_cdemo_sk = cd_demo_sk and ss_promo_sk = p_promo_sk
  and cd_gender = 'F' and cd_marital_status = 'S' and cd_education_status = 'College'
  and (p_channel_email = 'N' or p_channel_event = 'N')
  and d_year = 2000
group by i_item_id
order by i_item_id
limit 100;
-- 3: Revenue of items with their share of the class
select i_item_id, i_item_desc, i_category, i_class, i_current_price,
       sum(ws_ext_sales_price) as itemrevenue,
       sum(ws_ext_sales_price) * 100 / sum(sum(ws_ext_sales_price)) over (partition by i_class) as revenueratio
from web_sales, item, date_dim
where ws_item_sk = i_item_sk
  and i_category in ('Books', 'Home', 'Electronics')
  and ws_sold_date_sk = d_date_sk
  and d_date between cast('1999-02-22' as date) and (cast('1999-02-22' as date) + interval 30 day)
group by i_item_id, i_item_desc, i_category, i_class, i_current_price
order by i_category, i_class, i_item_id, i_item_desc, revenueratio;
-- 4: Sales of each store by day of week
select s_store_name, s_store_id,
       sum(case when (d_day_name = 'Sunday') then ss_sales_price else null end) sun_sales,
       sum(case when (d_day_name = 'Monday') then ss_sales_price else null end) mon_sales,
       sum(case when (d_day_name = 'Wednesday') then ss_sales_price else null end) wed_sales,
       sum(case when (d_day_name = 'Saturday') then ss_sales_price else null end) sat_sales
from date_dim, store_sales, store
where d_date_sk = ss_sold_date_sk and s_store_sk = ss_store_sk and s_gmt_offset = -5 and d_year = 2000
group by s_store_name, s_store_id
order by s_store_name, s_store_id, sun_sales, mon_sales, wed_sales, sat_sales
limit 100;
-- 5: Catalog and web sales by weekday, each week against the week a year later
with wscs as (
  select sold_date_sk, sales_price
  from (select ws_sold_date_sk sold_date_sk, ws_ext_sales_price sales_price from web_sales
        union all
        select cs_sold_date_sk sold_date_sk, cs_ext_sales_price sales_price from catalog_sales) x),
wswscs as (
  select d_week_seq,
         sum(case when (d_day_name = 'Sunday') then sales_price else null end) sun_sales,
         sum(case when (d_day_name = 'Friday') then sales_price else null end) fri_sales
  from wscs, date_dim
  where d_date_sk = sold_date_sk
  group by d_week_seq)
select d_week_seq1, round(sun_sales1 / sun_sales2, 2) r1, round(fri_sales1 / fri_sales2, 2) r2
from (select wswscs.d_week_seq d_week_seq1, sun_sales sun_sales1, fri_sales fri_sales1
      from wswscs, (select distinct d_week_seq from date_dim where d_year = 1999) weeks
      where weeks.d_week_seq = wswscs.d_week_seq) y,
     (select wswscs.d_week_seq d_week_seq2, sun_sales sun_sales2, fri_sales fri_sales2
      from wswscs, (select distinct d_week_seq from date_dim where d_year = 2000) weeks
      where weeks.d_week_seq = wswscs.d_week_seq) z
where d_week_seq1 = d_week_seq2 - 53
order by d_week_seq1;
-- 6: Customers who bought in all three channels in one year
select count(*) from (
  select distinct c_customer_sk, c_last_name, c_first_name
  from store_sales, date_dim, customer
  where store_sales.ss_sold_date_sk = date_dim.d_date_sk and store_sales.ss_customer_sk = customer.c_customer_sk and d_month_seq between 1200 and 1200 + 11
  intersect
  select distinct c_customer_sk, c_last_name, c_first_name
  from catalog_sales, date_dim, customer
  where catalog_sales.cs_sold_date_sk = date_dim.d_date_sk and catalog_sales.cs_bill_customer_sk = customer.c_customer_sk and d_month_seq between 1200 and 1200 + 11
  intersect
  select distinct c_customer_sk, c_last_name, c_first_name
  from web_sales, date_dim, customer
  where web_sales.ws_sold_date_sk = date_dim.d_date_sk and web_sales.ws_bill_customer_sk = customer.c_customer_sk and d_month_seq between 1200 and 1200 + 11
) hot_cust
limit 100;
-- 7: Customer days with purchases in the store and in no other channel
select count(*)
from ((select distinct c_customer_sk, d_date from store_sales, date_dim, customer
       where ss_sold_date_sk = d_date_sk and ss_customer_sk = c_customer_sk and d_year = 2001)
      except
      (select distinct c_customer_sk, d_date from catalog_sales, date_dim, customer
       where cs_sold_date_sk = d_date_sk and cs_bill_customer_sk = c_customer_sk and d_year = 2001)
      except
      (select distinct c_customer_sk, d_date from web_sales, date_dim, customer
       where ws_sold_date_sk = d_date_sk and ws_bill_customer_sk = c_customer_sk and d_year = 2001)) cool_cust;
-- 8: States with at least 10 customers who bought items dearer than their category's average
select a.ca_state state, count(*) cnt
from customer_address a, customer c, store_sales s, date_dim d, item i
where a.ca_address_sk = c.c_current_addr_sk and c.c_customer_sk = s.ss_customer_sk and s.ss_sold_date_sk = d.d_date_sk and s.ss_item_sk = i.i_item_sk
  and d.d_month_seq = (select distinct d_month_seq from date_dim where d_year = 2001 and d_moy = 1)
  and i.i_current_price > 1.2 * (select avg(j.i_current_price) from item j where j.i_category = i.i_category)
group by a.ca_state
having count(*) >= 10
order by cnt, a.ca_state
limit 100;
-- 9: Buckets of quantity: average discount where there are many sales, otherwise average paid
select case when (select count(*) from store_sales where ss_quantity between 1 and 20) > 4000
            then (select avg(ss_ext_discount_amt) from store_sales where ss_quantity between 1 and 20)
            else (select avg(ss_net_paid) from store_sales where ss_quantity between 1 and 20) end bucket1,
       case when (select count(*) from store_sales where ss_quantity between 21 and 40) > 4000
            then (select avg(ss_ext_discount_amt) from store_sales where ss_quantity between 21 and 40)
            else (select avg(ss_net_paid) from store_sales where ss_quantity between 21 and 40) end bucket2
from reason
where r_reason_sk = 1;
-- 10: Demographics of customers of some counties who bought in the store and also in another channel
select cd_gender, cd_marital_status, cd_education_status, count(*) cnt1, cd_purchase_estimate, count(*) cnt2
from customer c, customer_address ca, customer_demographics
where c.c_current_addr_sk = ca.ca_address_sk and ca_county in ('Rush County', 'Toole County', 'Walker County') and cd_demo_sk = c.c_current_cdemo_sk
  and exists (select * from store_sales, date_dim where c.c_customer_sk = ss_customer_sk and ss_sold_date_sk = d_date_sk and d_year = 2000 and d_moy between 1 and 1 + 3)
  and (exists (select * from web_sales, date_dim where c.c_customer_sk = ws_bill_customer_sk and ws_sold_date_sk = d_date_sk and d_year = 2000 and d_moy between 1 and 1 + 3)
       or exists (select * from catalog_sales, date_dim where c.c_customer_sk = cs_bill_customer_sk and cs_sold_date_sk = d_date_sk and d_year = 2000 and d_moy between 1 and 1 + 3))
group by cd_gender, cd_marital_status, cd_education_status, cd_purchase_estimate
order by cd_gender, cd_marital_status, cd_education_status, cd_purchase_estimate
limit 100;
-- 11: Customers whose spending on the web grew faster than in stores (private rows)
with year_total as (
  select c_customer_id customer_id, c_first_name first_name, c_last_name last_name, d_year dyear, sum(ss_net_paid) year_total, 's' sale_type
  from customer, store_sales, date_dim
  where c_customer_sk = ss_customer_sk and ss_sold_date_sk = d_date_sk and d_year in (2000, 2001)
  group by c_customer_id, c_first_name, c_last_name, d_year
  union all
  select c_customer_id customer_id, c_first_name first_name, c_last_name last_name, d_year dyear, sum(ws_net_paid) year_total, 'w' sale_type
  from customer, web_sales, date_dim
  where c_customer_sk = ws_bill_customer_sk and ws_sold_date_sk = d_date_sk and d_year in (2000, 2001)
  group by c_customer_id, c_first_name, c_last_name, d_year)
select s2.customer_id, s2.first_name, s2.last_name
from year_total s1, year_total s2, year_total w1, year_total w2
where s2.customer_id = s1.customer_id and s1.customer_id = w2.customer_id and s1.customer_id = w1.customer_id
  and s1.sale_type = 's' and w1.sale_type = 'w' and s2.sale_type = 's' and w2.sale_type = 'w'
  and s1.dyear = 2000 and s2.dyear = 2001 and w1.dyear = 2000 and w2.dyear = 2001
  and w2.year_total / w1.year_total > s2.year_total / s1.year_total
order by 1, 2, 3
limit 100;
-- 12: Average quantity and price under bands of demographics and addresses
select avg(ss_quantity), avg(ss_ext_sales_price), avg(ss_ext_wholesale_cost), sum(ss_ext_wholesale_cost)
from store_sales, store, customer_demographics, household_demographics, customer_address, date_dim
where s_store_sk = ss_store_sk and ss_sold_date_sk = d_date_sk and d_year = 2001
  and ((ss_hdemo_sk = hd_demo_sk and cd_demo_sk = ss_cdemo_sk and cd_marital_status = 'M' and cd_education_status = 'Advanced Degree' and ss_sales_price between 100.00 and 150.00 and hd_dep_count = 3)
    or (ss_hdemo_sk = hd_demo_sk and cd_demo_sk = ss_cdemo_sk and cd_marital_status = 'S' and cd_education_status = 'College' and ss_sales_price between 50.00 and 100.00 and hd_dep_count = 1))
  and ((ss_addr_sk = ca_address_sk and ca_country = 'United States' and ca_state in ('TX', 'OH', 'TN') and ss_net_profit between 10 and 2000)
    or (ss_addr_sk = ca_address_sk and ca_country = 'United States' and ca_state in ('WA', 'NY', 'CA') and ss_net_profit between 15 and 3000));
-- 13: Catalog sales by zip code of the buyer
select ca_zip, sum(cs_sales_price)
from catalog_sales, customer, customer_address, date_dim
where cs_bill_customer_sk = c_customer_sk and c_current_addr_sk = ca_address_sk
  and (substr(ca_zip, 1, 5) in ('24459', '26114', '30417') or ca_state in ('CA', 'WA', 'GA') or cs_sales_price > 100)
  and cs_sold_date_sk = d_date_sk and d_qoy = 2 and d_year = 2001
group by ca_zip
order by ca_zip
limit 100;
-- 14: Web orders that were shipped from several warehouses and not returned
select count(distinct ws_order_number) as "order count", sum(ws_ext_ship_cost) as "total shipping cost", sum(ws_net_profit) as "total net profit"
from web_sales ws1, date_dim, customer_address, web_site
where d_date between '1999-02-01' and (cast('1999-02-01' as date) + interval 60 day)
  and ws1.ws_ship_date_sk = d_date_sk and ws1.ws_bill_addr_sk = ca_address_sk and ca_state = 'TX' and ws1.ws_web_site_sk = web_site_sk and web_company_name = 'pri'
  and exists (select * from web_sales ws2 where ws1.ws_order_number = ws2.ws_order_number and ws1.ws_warehouse_sk <> ws2.ws_warehouse_sk)
  and not exists (select * from web_returns wr1 where ws1.ws_order_number = wr1.wr_order_number)
order by count(distinct ws_order_number)
limit 100;
-- 15: Sold in the store, returned, and bought again by catalog: means and deviations of quantities by state
select i_category, s_state,
       count(ss_quantity) as store_sales_quantitycount, avg(ss_quantity) as store_sales_quantityave, stddev_samp(ss_quantity) as store_sales_quantitystdev,
       stddev_samp(ss_quantity) / avg(ss_quantity) as store_sales_quantitycov,
       count(sr_return_quantity) as store_returns_quantitycount, avg(sr_return_quantity) as store_returns_quantityave,
       count(cs_quantity) as catalog_sales_quantitycount, avg(cs_quantity) as catalog_sales_quantityave
from store_sales, store_returns, catalog_sales, date_dim d1, date_dim d2, date_dim d3, store, item
where d1.d_quarter_name = '2000Q1' and d1.d_date_sk = ss_sold_date_sk and i_item_sk = ss_item_sk and s_store_sk = ss_store_sk
  and ss_customer_sk = sr_customer_sk and ss_item_sk = sr_item_sk and ss_ticket_number = sr_ticket_number
  and sr_returned_date_sk = d2.d_date_sk and d2.d_quarter_name in ('2000Q1', '2000Q2', '2000Q3')
  and sr_customer_sk = cs_bill_customer_sk
  and cs_sold_date_sk = d3.d_date_sk and d3.d_quarter_name in ('2000Q1', '2000Q2', '2000Q3')
group by i_category, s_state
order by i_category, s_state
limit 100;
-- 16: Averages of catalog sales rolled up over the places of customers
select ca_country, ca_state, ca_county,
       avg(cast(cs_quantity as decimal(12,2))) agg1, avg(cast(cs_list_price as decimal(12,2))) agg2, avg(cast(c_birth_year as decimal(12,2))) agg3
from catalog_sales, customer_demographics, customer, customer_address, date_dim, item
where cs_sold_date_sk = d_date_sk and cs_item_sk = i_item_sk and cs_bill_cdemo_sk = cd_demo_sk and cs_bill_customer_sk = c_customer_sk
  and cd_gender = 'F' and cd_education_status = 'Unknown' and c_current_addr_sk = ca_address_sk
  and c_birth_month in (1, 6, 8, 9, 12, 2) and d_year = 1998 and ca_state in ('TN', 'SD', 'AL', 'IN', 'TX')
group by rollup (ca_country, ca_state, ca_county)
order by ca_country, ca_state, ca_county
limit 100;
-- 17: Brands bought by customers who do not live near the store
select i_brand_id brand_id, i_brand brand, i_manufact_id, i_manufact, sum(ss_ext_sales_price) ext_price
from date_dim, store_sales, item, customer, customer_address, store
where d_date_sk = ss_sold_date_sk and ss_item_sk = i_item_sk and i_manager_id = 8 and d_moy = 11 and d_year = 1998
  and ss_customer_sk = c_customer_sk and c_current_addr_sk = ca_address_sk
  and substr(ca_zip, 1, 5) <> substr(s_zip, 1, 5) and ss_store_sk = s_store_sk
group by i_brand, i_brand_id, i_manufact_id, i_manufact
order by ext_price desc, i_brand, i_brand_id, i_manufact_id, i_manufact
limit 100;
-- 18: Inventory of each warehouse before and after a change of price (public rows)
select *
from (select w_warehouse_name, i_item_id,
             sum(case when (cast(d_date as date) < cast('2000-03-11' as date)) then inv_quantity_on_hand else 0 end) as inv_before,
             sum(case when (cast(d_date as date) >= cast('2000-03-11' as date)) then inv_quantity_on_hand else 0 end) as inv_after
      from inventory, warehouse, item, date_dim
      where i_current_price between 0.99 and 51.49 and i_item_sk = inv_item_sk and inv_warehouse_sk = w_warehouse_sk and inv_date_sk = d_date_sk
        and d_date between (cast('2000-03-11' as date) - interval 30 day) and (cast('2000-03-11' as date) + interval 30 day)
      group by w_warehouse_name, i_item_id) x
where (case when inv_before > 0 then inv_after / inv_before else null end) between 2.0 / 3.0 and 3.0 / 2.0
order by w_warehouse_name, i_item_id
limit 100;
-- 19: Sales by catalog and web of frequent items to the best customers
with frequent_ss_items as (
  select i_item_sk item_sk, d_date solddate, count(*) cnt
  from store_sales, date_dim, item
  where ss_sold_date_sk = d_date_sk and ss_item_sk = i_item_sk and d_year in (2000, 2001)
  group by i_item_sk, d_date
  having count(*) > 1),
max_store_sales as (
  select max(csales) tpcds_cmax
  from (select c_customer_sk, sum(ss_quantity * ss_sales_price) csales
        from store_sales, customer, date_dim
        where ss_customer_sk = c_customer_sk and ss_sold_date_sk = d_date_sk and d_year in (2000, 2001)
        group by c_customer_sk) x),
best_ss_customer as (
  select c_customer_sk, sum(ss_quantity * ss_sales_price) ssales
  from store_sales, customer
  where ss_customer_sk = c_customer_sk
  group by c_customer_sk
  having sum(ss_quantity * ss_sales_price) > 0.5 * (select * from max_store_sales))
select sum(sales)
from (select cs_quantity * cs_list_price sales
      from catalog_sales, date_dim
      where d_year = 2000 and cs_sold_date_sk = d_date_sk
        and cs_item_sk in (select item_sk from frequent_ss_items) and cs_bill_customer_sk in (select c_customer_sk from best_ss_customer)
      union all
      select ws_quantity * ws_list_price sales
      from web_sales, date_dim
      where d_year = 2000 and ws_sold_date_sk = d_date_sk
        and ws_item_sk in (select item_sk from frequent_ss_items) and ws_bill_customer_sk in (select c_customer_sk from best_ss_customer)) y
limit 100;
-- 20: Six buckets of quantity in one row: average, number and number of distinct prices
select *
from (select avg(ss_list_price) b1_lp, count(ss_list_price) b1_cnt, count(distinct ss_list_price) b1_cntd
      from store_sales
      where ss_quantity between 0 and 5 and (ss_list_price between 8 and 8 + 40 or ss_coupon_amt between 4 and 10 or ss_wholesale_cost between 57 and 57 + 20)) b1,
     (select avg(ss_list_price) b2_lp, count(ss_list_price) b2_cnt, count(distinct ss_list_price) b2_cntd
      from store_sales
      where ss_quantity between 6 and 10 and (ss_list_price between 90 and 90 + 40 or ss_coupon_amt between 4 and 10 or ss_wholesale_cost between 31 and 31 + 20)) b2,
     (select avg(ss_list_price) b3_lp, count(ss_list_price) b3_cnt, count(distinct ss_list_price) b3_cntd
      from store_sales
      where ss_quantity between 11 and 15 and (ss_list_price between 42 and 42 + 40 or ss_coupon_amt between 4 and 10 or ss_wholesale_cost between 9 and 9 + 20)) b3
limit 100;
-- 21: Counties where sales on the web grow faster than in stores
with ss as (
  select ca_county, d_qoy, d_year, sum(ss_ext_sales_price) as store_sales
  from store_sales, date_dim, customer_address
  where ss_sold_date_sk = d_date_sk and ss_addr_sk = ca_address_sk
  group by ca_county, d_qoy, d_year),
ws as (
  select ca_county, d_qoy, d_year, sum(ws_ext_sales_price) as web_sales
  from web_sales, date_dim, customer_address
  where ws_sold_date_sk = d_date_sk and ws_bill_addr_sk = ca_address_sk
  group by ca_county, d_qoy, d_year)
select ss1.ca_county, ss1.d_year, ws2.web_sales / ws1.web_sales web_q1_q2_increase, ss2.store_sales / ss1.store_sales store_q1_q2_increase
from ss ss1, ss ss2, ws ws1, ws ws2
where ss1.d_qoy = 1 and ss1.d_year = 2000 and ss1.ca_county = ss2.ca_county and ss2.d_qoy = 2 and ss2.d_year = 2000
  and ss1.ca_county = ws1.ca_county and ws1.d_qoy = 1 and ws1.d_year = 2000
  and ws1.ca_county = ws2.ca_county and ws2.d_qoy = 2 and ws2.d_year = 2000
  and case when ws1.web_sales > 0 then ws2.web_sales / ws1.web_sales else null end > case when ss1.store_sales > 0 then ss2.store_sales / ss1.store_sales else null end
order by ss1.ca_county;
-- 22: Discounts that are 1.3 times the average of their item
select sum(cs_ext_discount_amt) as "excess discount amount"
from catalog_sales, item, date_dim
where i_manufact_id = 107 and i_item_sk = cs_item_sk
  and d_date between '2000-01-27' and (cast('2000-01-27' as date) + interval 90 day) and d_date_sk = cs_sold_date_sk
  and cs_ext_discount_amt > (select 1.3 * avg(cs_ext_discount_amt)
                             from catalog_sales, date_dim
                             where cs_item_sk = i_item_sk and d_date between '2000-01-27' and (cast('2000-01-27' as date) + interval 90 day) and d_date_sk = cs_sold_date_sk)
limit 100;
-- 23: Sales of a category in all channels by manufacturer
with ss as (
  select i_manufact_id, sum(ss_ext_sales_price) total_sales
  from store_sales, date_dim, customer_address, item
  where i_manufact_id in (select i_manufact_id from item where i_category in ('Electronics'))
    and ss_item_sk = i_item_sk and ss_sold_date_sk = d_date_sk and d_year = 1998 and d_moy = 5 and ss_addr_sk = ca_address_sk and ca_gmt_offset = -5
  group by i_manufact_id),
cs as (
  select i_manufact_id, sum(cs_ext_sales_price) total_sales
  from catalog_sales, date_dim, customer_address, item
  where i_manufact_id in (select i_manufact_id from item where i_category in ('Electronics'))
    and cs_item_sk = i_item_sk and cs_sold_date_sk = d_date_sk and d_year = 1998 and d_moy = 5 and cs_bill_addr_sk = ca_address_sk and ca_gmt_offset = -5
  group by i_manufact_id),
ws as (
  select i_manufact_id, sum(ws_ext_sales_price) total_sales
  from web_sales, date_dim, customer_address, item
  where i_manufact_id in (select i_manufact_id from item where i_category in ('Electronics'))
    and ws_item_sk = i_item_sk and ws_sold_date_sk = d_date_sk and d_year = 1998 and d_moy = 5 and ws_bill_addr_sk = ca_address_sk and ca_gmt_offset = -5
  group by i_manufact_id)
select i_manufact_id, sum(total_sales) total_sales
from (select * from ss union all select * from cs union all select * from ws) tmp1
group by i_manufact_id
order by total_sales
limit 100;
-- 24: Customers with 3 items or more on a ticket, by name (private rows)
select c_last_name, c_first_name, c_salutation, c_preferred_cust_flag, ss_ticket_number, cnt
from (select ss_ticket_number, ss_customer_sk, count(*) cnt
      from store_sales, date_dim, store, household_demographics
      where store_sales.ss_sold_date_sk = date_dim.d_date_sk and store_sales.ss_store_sk = store.s_store_sk and store_sales.ss_hdemo_sk = household_demographics.hd_demo_sk
        and (date_dim.d_dom between 1 and 3 or date_dim.d_dom between 25 and 28)
        and (household_demographics.hd_buy_potential = '>10000' or household_demographics.hd_buy_potential = 'Unknown')
        and household_demographics.hd_vehicle_count > 0
      group by ss_ticket_number, ss_customer_sk) dn, customer
where ss_customer_sk = c_customer_sk and cnt between 3 and 20
order by c_last_name, c_first_name, c_salutation, c_preferred_cust_flag desc, ss_ticket_number;
-- 25: How many tickets of how many items there are, by county of the store
select s_county, cnt, count(*) tickets
from (select ss_ticket_number, ss_customer_sk, s_county, count(*) cnt
      from store_sales, date_dim, store, household_demographics
      where ss_sold_date_sk = d_date_sk and ss_store_sk = s_store_sk and ss_hdemo_sk = hd_demo_sk
        and d_dom between 1 and 15 and d_year in (1999, 1999 + 1, 1999 + 2)
        and (case when hd_vehicle_count > 0 then hd_dep_count / hd_vehicle_count else null end) > 1.2
      group by ss_ticket_number, ss_customer_sk, s_county) dj
where cnt between 1 and 5
group by s_county, cnt
order by cnt desc, s_county;
-- 26: Gross margin of categories and classes rolled up, ranked within their parents
select sum(ss_net_profit) / sum(ss_ext_sales_price) as gross_margin, i_category, i_class, grouping(i_category) + grouping(i_class) as lochierarchy,
       rank() over (partition by grouping(i_category) + grouping(i_class), case when grouping(i_class) = 0 then i_category end
                    order by sum(ss_net_profit) / sum(ss_ext_sales_price) asc) as rank_within_parent
from store_sales, date_dim d1, item, store
where d1.d_year = 2001 and d1.d_date_sk = ss_sold_date_sk and i_item_sk = ss_item_sk and s_store_sk = ss_store_sk and s_state in ('TN', 'SD')
group by rollup (i_category, i_class)
order by lochierarchy desc, case when lochierarchy = 0 then i_category end, rank_within_parent
limit 100;
-- 27: Web sales net of refunds before and after a date, by state of the warehouse
select w_state, i_category,
       sum(case when (cast(d_date as date) < cast('2000-03-11' as date)) then ws_sales_price - coalesce(wr_return_amt, 0) else 0 end) as sales_before,
       sum(case when (cast(d_date as date) >= cast('2000-03-11' as date)) then ws_sales_price - coalesce(wr_return_amt, 0) else 0 end) as sales_after
from web_sales left outer join web_returns on (ws_order_number = wr_order_number and ws_item_sk = wr_item_sk), warehouse, item, date_dim
where i_current_price between 10.99 and 91.49 and i_item_sk = ws_item_sk and ws_warehouse_sk = w_warehouse_sk and ws_sold_date_sk = d_date_sk
  and d_date between (cast('2000-03-11' as date) - interval 30 day) and (cast('2000-03-11' as date) + interval 30 day)
group by w_state, i_category
order by w_state, i_category
limit 100;
-- 28: Months of brands in stores that differ by a tenth from the year's average, with the months before and after
with v1 as (
  select i_category, i_brand, s_store_name, d_year, d_moy, sum(ss_sales_price) sum_sales,
         avg(sum(ss_sales_price)) over (partition by i_category, i_brand, s_store_name, d_year) avg_monthly_sales,
         rank() over (partition by i_category, i_brand, s_store_name order by d_year, d_moy) rn
  from item, store_sales, date_dim, store
  where ss_item_sk = i_item_sk and ss_sold_date_sk = d_date_sk and ss_store_sk = s_store_sk
    and (d_year = 2000 or (d_year = 2000 - 1 and d_moy = 12) or (d_year = 2000 + 1 and d_moy = 1))
  group by i_category, i_brand, s_store_name, d_year, d_moy),
v2 as (
  select v1.i_category, v1.i_brand, v1.s_store_name, v1.d_year, v1.d_moy, v1.avg_monthly_sales, v1.sum_sales, v1_lag.sum_sales psum, v1_lead.sum_sales nsum
  from v1, v1 v1_lag, v1 v1_lead
  where v1.i_category = v1_lag.i_category and v1.i_category = v1_lead.i_category and v1.i_brand = v1_lag.i_brand and v1.i_brand = v1_lead.i_brand
    and v1.s_store_name = v1_lag.s_store_name and v1.s_store_name = v1_lead.s_store_name and v1.rn = v1_lag.rn + 1 and v1.rn = v1_lead.rn - 1)
select *
from v2
where d_year = 2000 and avg_monthly_sales > 0 and case when avg_monthly_sales > 0 then abs(sum_sales - avg_monthly_sales) / avg_monthly_sales else null end > 0.1
order by sum_sales - avg_monthly_sales, 3
limit 100;
-- 29: How long after the sale things are returned, by store
select s_store_name, s_county, s_state, s_zip,
       sum(case when (sr_returned_date_sk - ss_sold_date_sk <= 30) then 1 else 0 end) as "30 days",
       sum(case when (sr_returned_date_sk - ss_sold_date_sk > 30) and (sr_returned_date_sk - ss_sold_date_sk <= 60) then 1 else 0 end) as "31-60 days",
       sum(case when (sr_returned_date_sk - ss_sold_date_sk > 60) and (sr_returned_date_sk - ss_sold_date_sk <= 90) then 1 else 0 end) as "61-90 days",
       sum(case when (sr_returned_date_sk - ss_sold_date_sk > 90) then 1 else 0 end) as ">90 days"
from store_sales, store_returns, store, date_dim d1, date_dim d2
where d2.d_year = 2001 and ss_ticket_number = sr_ticket_number and ss_item_sk = sr_item_sk and ss_sold_date_sk = d1.d_date_sk
  and sr_returned_date_sk = d2.d_date_sk and ss_customer_sk = sr_customer_sk and ss_store_sk = s_store_sk
group by s_store_name, s_county, s_state, s_zip
order by s_store_name, s_county, s_state, s_zip
limit 100;
-- 30: Days on which cumulative sales on the web exceed those of the store
with web_v1 as (
  select i_category, d_date, sum(sum(ws_sales_price)) over (partition by i_category order by d_date rows between unbounded preceding and current row) cume_sales
  from web_sales, date_dim, item
  where ws_sold_date_sk = d_date_sk and ws_item_sk = i_item_sk and d_month_seq between 1200 and 1200 + 2
  group by i_category, d_date),
store_v1 as (
  select i_category, d_date, sum(sum(ss_sales_price)) over (partition by i_category order by d_date rows between unbounded preceding and current row) cume_sales
  from store_sales, date_dim, item
  where ss_sold_date_sk = d_date_sk and ss_item_sk = i_item_sk and d_month_seq between 1200 and 1200 + 2
  group by i_category, d_date)
select *
from (select case when web.i_category is not null then web.i_category else store.i_category end i_category,
             case when web.d_date is not null then web.d_date else store.d_date end d_date,
             web.cume_sales web_sales, store.cume_sales store_sales
      from web_v1 web full outer join store_v1 store on (web.i_category = store.i_category and web.d_date = store.d_date)) x
where web_sales > store_sales
order by i_category, d_date
limit 100;
-- 31: Managers whose monthly sales are far from their average
select *
from (select i_manager_id, sum(ss_sales_price) sum_sales, avg(sum(ss_sales_price)) over (partition by i_manager_id) avg_monthly_sales
      from item, store_sales, date_dim, store
      where ss_item_sk = i_item_sk and ss_sold_date_sk = d_date_sk and ss_store_sk = s_store_sk
        and d_month_seq in (1200, 1200 + 1, 1200 + 2, 1200 + 3, 1200 + 4, 1200 + 5)
        and ((i_category in ('Books', 'Home') and i_class in ('fiction', 'accent', 'rugs')) or (i_category in ('Women', 'Music') and i_class in ('dresses', 'classical')))
      group by i_manager_id, d_moy) tmp1
where case when avg_monthly_sales > 0 then abs(sum_sales - avg_monthly_sales) / avg_monthly_sales else null end > 0.1
order by i_manager_id, avg_monthly_sales, sum_sales
limit 100;
-- 32: The part of sales that promotions had
select promotions, total, cast(promotions as decimal(15,4)) / cast(total as decimal(15,4)) * 100
from (select sum(ss_ext_sales_price) promotions
      from store_sales, store, promotion, date_dim, customer, customer_address, item
      where ss_sold_date_sk = d_date_sk and ss_store_sk = s_store_sk and ss_promo_sk = p_promo_sk and ss_customer_sk = c_customer_sk
        and ca_address_sk = c_current_addr_sk and ss_item_sk = i_item_sk and ca_gmt_offset = -5 and i_category = 'Home'
        and (p_channel_dmail = 'Y' or p_channel_email = 'Y' or p_channel_tv = 'Y') and s_gmt_offset = -5 and d_year = 1998) promotional_sales,
     (select sum(ss_ext_sales_price) total
      from store_sales, store, date_dim, customer, customer_address, item
      where ss_sold_date_sk = d_date_sk and ss_store_sk = s_store_sk and ss_customer_sk = c_customer_sk
        and ca_address_sk = c_current_addr_sk and ss_item_sk = i_item_sk and ca_gmt_offset = -5 and i_category = 'Home' and s_gmt_offset = -5 and d_year = 1998) all_sales
order by promotions, total
limit 100;
-- 33: Categories of each store that earn a third less than the store's average
select s_store_name, i_category, sc.revenue
from store,
     (select distinct i_category as category from item) kinds,
     (select ss_store_sk, avg(revenue) as ave
      from (select ss_store_sk, i_category, sum(ss_sales_price) as revenue
            from store_sales, date_dim, item
            where ss_sold_date_sk = d_date_sk and ss_item_sk = i_item_sk and d_month_seq between 1176 and 1176 + 11
            group by ss_store_sk, i_category) sa
      group by ss_store_sk) sb,
     (select ss_store_sk, i_category, sum(ss_sales_price) as revenue
      from store_sales, date_dim, item
      where ss_sold_date_sk = d_date_sk and ss_item_sk = i_item_sk and d_month_seq between 1176 and 1176 + 11
      group by ss_store_sk, i_category) sc
where sb.ss_store_sk = sc.ss_store_sk and sc.revenue <= 0.67 * sb.ave and s_store_sk = sc.ss_store_sk and category = sc.i_category
order by s_store_name, i_category
limit 100;
-- 34: Sales of each warehouse by month, web and catalog together
select w_warehouse_name, w_warehouse_sq_ft, w_city, ship_carriers, year_, sum(jan_sales) as jan_sales, sum(feb_sales) as feb_sales, sum(jan_sales / w_warehouse_sq_ft) as jan_sales_per_sq_foot
from (select w_warehouse_name, w_warehouse_sq_ft, w_city, 'DHL' || ',' || 'BARIAN' as ship_carriers, d_year as year_,
             sum(case when d_moy = 1 then ws_ext_sales_price * ws_quantity else 0 end) as jan_sales, sum(case when d_moy = 2 then ws_ext_sales_price * ws_quantity else 0 end) as feb_sales
      from web_sales, warehouse, date_dim, time_dim, ship_mode
      where ws_warehouse_sk = w_warehouse_sk and ws_sold_date_sk = d_date_sk and ws_sold_time_sk = t_time_sk and ws_ship_mode_sk = sm_ship_mode_sk
        and d_year = 2001 and t_time_sk between 500 and 500 + 480 and sm_carrier in ('DHL', 'BARIAN')
      group by w_warehouse_name, w_warehouse_sq_ft, w_city, d_year
      union all
      select w_warehouse_name, w_warehouse_sq_ft, w_city, 'DHL' || ',' || 'BARIAN' as ship_carriers, d_year as year_,
             sum(case when d_moy = 1 then cs_sales_price * cs_quantity else 0 end) as jan_sales, sum(case when d_moy = 2 then cs_sales_price * cs_quantity else 0 end) as feb_sales
      from catalog_sales, warehouse, date_dim, time_dim, ship_mode
      where cs_warehouse_sk = w_warehouse_sk and cs_sold_date_sk = d_date_sk and cs_sold_time_sk = t_time_sk and cs_ship_mode_sk = sm_ship_mode_sk
        and d_year = 2001 and t_time_sk between 500 and 500 + 480 and sm_carrier in ('DHL', 'BARIAN')
      group by w_warehouse_name, w_warehouse_sq_ft, w_city, d_year) x
group by w_warehouse_name, w_warehouse_sq_ft, w_city, ship_carriers, year_
order by w_warehouse_name
limit 100;
-- 35: Brands by hour and minute of breakfast and dinner, in all channels
select i_brand_id brand_id, i_brand brand, t_hour, t_minute, sum(ext_price) ext_price
from item,
     (select ws_ext_sales_price as ext_price, ws_sold_date_sk as sold_date_sk, ws_item_sk as sold_item_sk, ws_sold_time_sk as time_sk
      from web_sales, date_dim
      where d_date_sk = ws_sold_date_sk and d_moy = 11 and d_year = 1999
      union all
      select cs_ext_sales_price as ext_price, cs_sold_date_sk as sold_date_sk, cs_item_sk as sold_item_sk, cs_sold_time_sk as time_sk
      from catalog_sales, date_dim
      where d_date_sk = cs_sold_date_sk and d_moy = 11 and d_year = 1999
      union all
      select ss_ext_sales_price as ext_price, ss_sold_date_sk as sold_date_sk, ss_item_sk as sold_item_sk, ss_sold_time_sk as time_sk
      from store_sales, date_dim
      where d_date_sk = ss_sold_date_sk and d_moy = 11 and d_year = 1999) tmp, time_dim
where sold_item_sk = i_item_sk and i_manager_id = 1 and time_sk = t_time_sk and (t_meal_time = 'breakfast' or t_meal_time = 'dinner')
group by i_brand, i_brand_id, t_hour, t_minute
order by ext_price desc, i_brand_id
limit 100;
-- 36: Sales and returns of each channel rolled up, with losses
with ss as (
  select s_store_id, sum(ss_ext_sales_price) as sales, sum(ss_net_profit) as profit
  from store_sales, date_dim, store
  where ss_sold_date_sk = d_date_sk and d_date between cast('2000-08-23' as date) and (cast('2000-08-23' as date) + interval 30 day) and ss_store_sk = s_store_sk
  group by s_store_id),
sr as (
  select s_store_id, sum(sr_return_amt) as returns_, sum(sr_net_loss) as profit_loss
  from store_returns, date_dim, store
  where sr_returned_date_sk = d_date_sk and d_date between cast('2000-08-23' as date) and (cast('2000-08-23' as date) + interval 30 day) and sr_store_sk = s_store_sk
  group by s_store_id),
ws as (
  select web_site_id, sum(ws_ext_sales_price) as sales, sum(ws_net_profit) as profit
  from web_sales, date_dim, web_site
  where ws_sold_date_sk = d_date_sk and d_date between cast('2000-08-23' as date) and (cast('2000-08-23' as date) + interval 30 day) and ws_web_site_sk = web_site_sk
  group by web_site_id)
select channel, id, sum(sales) as sales, sum(returns_) as returns_, sum(profit) as profit
from (select 'store channel' as channel, ss.s_store_id as id, sales, coalesce(returns_, 0) as returns_, (profit - coalesce(profit_loss, 0)) as profit
      from ss left join sr on ss.s_store_id = sr.s_store_id
      union all
      select 'web channel' as channel, web_site_id as id, sales, 0 as returns_, profit
      from ws) x
group by rollup (channel, id)
order by channel, id
limit 100;
-- 37: Customers who return a fifth more than the average of their state (private rows)
with customer_total_return as (
  select sr_customer_sk as ctr_customer_sk, ca_state as ctr_state, sum(sr_return_amt) as ctr_total_return
  from store_returns, date_dim, customer, customer_address
  where sr_returned_date_sk = d_date_sk and d_year = 2000 and sr_customer_sk = c_customer_sk and c_current_addr_sk = ca_address_sk
  group by sr_customer_sk, ca_state)
select c_customer_id, c_salutation, c_first_name, c_last_name, ctr_total_return
from customer_total_return ctr1, customer
where ctr1.ctr_total_return > (select avg(ctr_total_return) * 1.2 from customer_total_return ctr2 where ctr1.ctr_state = ctr2.ctr_state)
  and ctr1.ctr_customer_sk = c_customer_sk
order by c_customer_id, c_salutation, c_first_name, c_last_name
limit 100;
-- 38: Customers by the year of their first purchase, and how many bought again within a year
select first_year, count(*) customers, sum(case when last_date > first_date and second_date <= first_date + 365 then 1 else 0 end) returned
from (select c_customer_sk, min(d_year) first_year, min(d_date) first_date, max(d_date) last_date,
             min(case when visit = 2 then d_date end) second_date
      from (select c_customer_sk, d_year, d_date, dense_rank() over (partition by c_customer_sk order by d_date) visit
            from store_sales, customer, date_dim
            where ss_customer_sk = c_customer_sk and ss_sold_date_sk = d_date_sk) visits
      group by c_customer_sk) firsts
group by first_year
order by first_year;
-- 39: Sales of half hours of a store, as one row
select *
from (select count(*) h8_30_to_9 from store_sales, household_demographics, time_dim, store
      where ss_sold_time_sk = time_dim.t_time_sk and ss_hdemo_sk = household_demographics.hd_demo_sk and ss_store_sk = s_store_sk
        and time_dim.t_hour = 8 and time_dim.t_minute >= 30
        and ((household_demographics.hd_dep_count = 4 and household_demographics.hd_vehicle_count <= 4 + 2) or (household_demographics.hd_dep_count = 2 and household_demographics.hd_vehicle_count <= 2 + 2))
        and store.s_store_name = 'ese') s1,
     (select count(*) h9_to_9_30 from store_sales, household_demographics, time_dim, store
      where ss_sold_time_sk = time_dim.t_time_sk and ss_hdemo_sk = household_demographics.hd_demo_sk and ss_store_sk = s_store_sk
        and time_dim.t_hour = 9 and time_dim.t_minute < 30
        and ((household_demographics.hd_dep_count = 4 and household_demographics.hd_vehicle_count <= 4 + 2) or (household_demographics.hd_dep_count = 2 and household_demographics.hd_vehicle_count <= 2 + 2))
        and store.s_store_name = 'ese') s2;
-- 40: Pairs of customer and item in the store only, in the catalog only, and in both
with ssci as (
  select ss_customer_sk customer_sk, ss_item_sk item_sk
  from store_sales, date_dim
  where ss_sold_date_sk = d_date_sk and d_month_seq between 1200 and 1200 + 11
  group by ss_customer_sk, ss_item_sk),
csci as (
  select cs_bill_customer_sk customer_sk, cs_item_sk item_sk
  from catalog_sales, date_dim
  where cs_sold_date_sk = d_date_sk and d_month_seq between 1200 and 1200 + 11
  group by cs_bill_customer_sk, cs_item_sk)
select sum(case when ssci.customer_sk is not null and csci.customer_sk is null then 1 else 0 end) store_only,
       sum(case when ssci.customer_sk is null and csci.customer_sk is not null then 1 else 0 end) catalog_only,
       sum(case when ssci.customer_sk is not null and csci.customer_sk is not null then 1 else 0 end) store_and_catalog
from ssci full outer join csci on (ssci.customer_sk = csci.customer_sk and ssci.item_sk = csci.item_sk)
limit 100;
