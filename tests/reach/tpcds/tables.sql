-- The tables of a retailer in the style of TPC-DS, small; deterministic: hash(hash(..)) because the low bits of hash(a, const) are correlated between constants
CREATE TABLE date_dim (d_date_sk INTEGER PRIMARY KEY, d_date DATE, d_month_seq INTEGER, d_week_seq INTEGER, d_quarter_seq INTEGER, d_year INTEGER, d_dow INTEGER, d_moy INTEGER, d_dom INTEGER, d_qoy INTEGER, d_day_name VARCHAR, d_quarter_name VARCHAR, d_holiday VARCHAR, d_weekend VARCHAR);
INSERT INTO date_dim
SELECT 2450815 + i, d, 1176 + (year(d) - 1998) * 12 + month(d) - 1, 5113 + (i + 3) // 7, 392 + (year(d) - 1998) * 4 + quarter(d) - 1, year(d), dayofweek(d), month(d), day(d), quarter(d), dayname(d),
  year(d) || 'Q' || quarter(d), CASE WHEN (month(d) = 12 AND day(d) IN (24, 25, 31)) OR (month(d) = 1 AND day(d) = 1) OR (month(d) = 7 AND day(d) = 4) THEN 'Y' ELSE 'N' END, CASE WHEN dayofweek(d) IN (0, 6) THEN 'Y' ELSE 'N' END
FROM (SELECT i, DATE '1998-01-01' + i::INTEGER AS d FROM range(0, 1826) t(i));

CREATE TABLE time_dim (t_time_sk INTEGER PRIMARY KEY, t_hour INTEGER, t_minute INTEGER, t_am_pm VARCHAR, t_shift VARCHAR, t_meal_time VARCHAR);
INSERT INTO time_dim
SELECT i, i // 60, i % 60, CASE WHEN i < 720 THEN 'AM' ELSE 'PM' END, (['third', 'first', 'second'])[1 + i // 480],
  CASE WHEN i // 60 BETWEEN 6 AND 8 THEN 'breakfast' WHEN i // 60 BETWEEN 11 AND 12 THEN 'lunch' WHEN i // 60 BETWEEN 17 AND 19 THEN 'dinner' END
FROM range(0, 1440) t(i);

CREATE TABLE item (i_item_sk INTEGER PRIMARY KEY, i_item_id VARCHAR, i_item_desc VARCHAR, i_current_price DECIMAL(7,2), i_brand_id INTEGER, i_brand VARCHAR, i_class VARCHAR, i_category VARCHAR, i_manufact_id INTEGER, i_manufact VARCHAR, i_size VARCHAR, i_color VARCHAR, i_manager_id INTEGER, i_product_name VARCHAR);
INSERT INTO item
SELECT i, 'AAAAAAAA' || lpad(i::VARCHAR, 8, '0'), 'Some words about item ' || i, ((99 + (i * 7919) % 14900) / 100.0)::DECIMAL(7,2), 1000 + i % 24, 'brand #' || (i % 24), (['accent', 'classical', 'dresses', 'fiction', 'pants', 'monitors', 'outdoor', 'baseball', 'estate', 'infants', 'rugs', 'self-help'])[1 + i % 12],
  (['Home', 'Music', 'Women', 'Books', 'Men', 'Electronics'])[1 + i % 6], 100 + i % 30, 'manufact #' || (i % 30), (['small', 'medium', 'large', 'N/A'])[1 + i % 4], (['red', 'blue', 'navy', 'plum', 'snow'])[1 + i % 5], 1 + i % 20, 'product ' || i
FROM range(1, 241) t(i);

CREATE TABLE store (s_store_sk INTEGER PRIMARY KEY, s_store_id VARCHAR, s_store_name VARCHAR, s_number_employees INTEGER, s_market_id INTEGER, s_city VARCHAR, s_county VARCHAR, s_state VARCHAR, s_zip VARCHAR, s_gmt_offset DECIMAL(5,2));
INSERT INTO store
SELECT i, 'S' || i, (['able', 'ation', 'bar', 'eing', 'ese', 'ought'])[1 + i % 6], 200 + (i * 37) % 100, 1 + i % 10, (['Midway', 'Fairview', 'Oak Grove', 'Five Points'])[1 + i % 4], (['Williamson County', 'Ziebach County', 'Walker County', 'Daviess County'])[1 + i % 4],
  (['TN', 'SD', 'AL', 'IN'])[1 + i % 4], lpad(((31904 + i * 117) % 99999)::VARCHAR, 5, '0'), CASE WHEN i % 4 = 1 THEN -6 ELSE -5 END
FROM range(1, 13) t(i);

CREATE TABLE promotion (p_promo_sk INTEGER PRIMARY KEY, p_promo_name VARCHAR, p_channel_dmail VARCHAR, p_channel_email VARCHAR, p_channel_tv VARCHAR, p_channel_event VARCHAR);
INSERT INTO promotion
SELECT i, (['ought', 'able', 'pri', 'ese'])[1 + i % 4] || ' ' || i, CASE WHEN i % 2 = 0 THEN 'Y' ELSE 'N' END, CASE WHEN i % 3 = 0 THEN 'Y' ELSE 'N' END, CASE WHEN i % 5 = 0 THEN 'Y' ELSE 'N' END, CASE WHEN i % 7 = 0 THEN 'Y' ELSE 'N' END
FROM range(1, 31) t(i);

CREATE TABLE web_site (web_site_sk INTEGER PRIMARY KEY, web_site_id VARCHAR, web_name VARCHAR, web_company_name VARCHAR);
INSERT INTO web_site SELECT i, 'W' || i, 'site_' || (i // 2), (['pri', 'able'])[1 + i % 2] FROM range(1, 7) t(i);

CREATE TABLE warehouse (w_warehouse_sk INTEGER PRIMARY KEY, w_warehouse_name VARCHAR, w_warehouse_sq_ft INTEGER, w_city VARCHAR, w_county VARCHAR, w_state VARCHAR, w_country VARCHAR);
INSERT INTO warehouse SELECT i, 'Warehouse number ' || i, 100000 * i, 'Fairview', 'Ziebach County', (['TN', 'SD', 'AL'])[1 + i % 3], 'United States' FROM range(1, 6) t(i);

CREATE TABLE ship_mode (sm_ship_mode_sk INTEGER PRIMARY KEY, sm_type VARCHAR, sm_carrier VARCHAR);
INSERT INTO ship_mode SELECT i, (['EXPRESS', 'LIBRARY', 'NEXT DAY', 'OVERNIGHT', 'REGULAR'])[1 + i % 5], (['DHL', 'BARIAN', 'UPS', 'USPS'])[1 + i % 4] FROM range(1, 21) t(i);

CREATE TABLE reason (r_reason_sk INTEGER PRIMARY KEY, r_reason_desc VARCHAR);
INSERT INTO reason SELECT i, (['Package was damaged', 'Stopped working', 'Did not get it on time', 'Not the product that was ordered', 'Parts missing', 'Does not work with a product that I have', 'Gift exchange', 'Did not like the color'])[i] FROM range(1, 9) t(i);

CREATE TABLE income_band (ib_income_band_sk INTEGER PRIMARY KEY, ib_lower_bound INTEGER, ib_upper_bound INTEGER);
INSERT INTO income_band SELECT i, (i - 1) * 10000, i * 10000 FROM range(1, 21) t(i);

CREATE TABLE household_demographics (hd_demo_sk INTEGER PRIMARY KEY, hd_income_band_sk INTEGER, hd_buy_potential VARCHAR, hd_dep_count INTEGER, hd_vehicle_count INTEGER);
INSERT INTO household_demographics
SELECT i + 1, 1 + i % 20, (['0-500', '501-1000', '1001-5000', '5001-10000', '>10000', 'Unknown'])[1 + (i // 20) % 6], (i // 120) % 10, (i // 120) % 5
FROM range(0, 1200) t(i);

CREATE TABLE customer_demographics (cd_demo_sk INTEGER PRIMARY KEY, cd_gender VARCHAR, cd_marital_status VARCHAR, cd_education_status VARCHAR, cd_purchase_estimate INTEGER, cd_credit_rating VARCHAR, cd_dep_count INTEGER);
INSERT INTO customer_demographics
SELECT i + 1, (['M', 'F'])[1 + i % 2], (['M', 'S', 'D', 'W', 'U'])[1 + (i // 2) % 5], (['Primary', 'Secondary', 'College', '2 yr Degree', '4 yr Degree', 'Advanced Degree', 'Unknown'])[1 + (i // 10) % 7], 500 * (1 + (i // 70) % 4), (['Good', 'Low Risk', 'High Risk', 'Unknown'])[1 + (i // 280) % 4], (i // 1120) % 3
FROM range(0, 3360) t(i);

CREATE TABLE customer_address (ca_address_sk INTEGER PRIMARY KEY, ca_city VARCHAR, ca_county VARCHAR, ca_state VARCHAR, ca_zip VARCHAR, ca_country VARCHAR, ca_gmt_offset DECIMAL(5,2), ca_location_type VARCHAR);
INSERT INTO customer_address
SELECT i, (['Midway', 'Fairview', 'Oak Grove', 'Five Points', 'Pleasant Hill', 'Centerville', 'Riverside'])[1 + i % 7], (['Williamson County', 'Ziebach County', 'Walker County', 'Daviess County', 'Rush County', 'Toole County'])[1 + i % 6],
  (['TN', 'SD', 'AL', 'IN', 'TX', 'CA', 'GA', 'NY', 'OH', 'WA'])[1 + (hash(hash(i,11))%10)::INT], lpad(((24128 + i * 331) % 99999)::VARCHAR, 5, '0'), 'United States', -5 - i % 4, (['apartment', 'condo', 'single family'])[1 + i % 3]
FROM range(1, 401) t(i);

CREATE TABLE inventory (inv_date_sk INTEGER, inv_item_sk INTEGER, inv_warehouse_sk INTEGER, inv_quantity_on_hand INTEGER, PRIMARY KEY (inv_date_sk, inv_item_sk, inv_warehouse_sk));
INSERT INTO inventory
SELECT 2451179 + 28 * w, i, h, CASE WHEN hash(hash(w,i,h))%20 = 0 THEN NULL ELSE (hash(hash(w,i,h,1))%1000)::INT END
FROM range(0, 26) a(w), range(1, 241) b(i), range(1, 6) c(h);

CREATE TABLE customer (c_customer_sk INTEGER PRIMARY KEY, c_customer_id VARCHAR, c_current_cdemo_sk INTEGER, c_current_hdemo_sk INTEGER, c_current_addr_sk INTEGER, c_first_sales_date_sk INTEGER, c_salutation VARCHAR, c_first_name VARCHAR, c_last_name VARCHAR, c_preferred_cust_flag VARCHAR, c_birth_month INTEGER, c_birth_year INTEGER, c_birth_country VARCHAR, c_email_address VARCHAR);
INSERT INTO customer
SELECT i, 'C' || lpad(i::VARCHAR, 15, 'A'), CASE WHEN hash(hash(i,21))%30 > 0 THEN (1 + hash(hash(i,22))%3360)::INT END, CASE WHEN hash(hash(i,23))%30 > 0 THEN (1 + hash(hash(i,24))%1200)::INT END, (1 + hash(hash(i,25))%400)::INT, (2450815 + hash(hash(i,26))%1500)::INT,
  (['Mr.', 'Mrs.', 'Ms.', 'Dr.', 'Sir'])[1 + (hash(hash(i,27))%5)::INT], (['Ana', 'Bob', 'Chloe', 'Dev', 'Ella', 'Farid', 'Grace', 'Hugo'])[1 + (hash(hash(i,28))%8)::INT], (['Smith', 'Garcia', 'Miller', 'Khan', 'Rossi', 'Novak'])[1 + (hash(hash(i,29))%6)::INT],
  CASE hash(hash(i,30))%10 WHEN 0 THEN NULL WHEN 1 THEN 'Y' WHEN 2 THEN 'Y' WHEN 3 THEN 'Y' WHEN 4 THEN 'Y' ELSE 'N' END, (1 + hash(hash(i,31))%12)::INT, CASE WHEN hash(hash(i,32))%25 > 0 THEN (1924 + hash(hash(i,33))%69)::INT END,
  (['CANADA', 'CHILE', 'FRANCE', 'GREECE', 'JAPAN', 'TOGO'])[1 + (hash(hash(i,34))%6)::INT], 'c' || i || '@example.org'
FROM range(1, 2501) t(i);

CREATE TABLE store_sales (ss_sold_date_sk INTEGER, ss_sold_time_sk INTEGER, ss_item_sk INTEGER, ss_customer_sk INTEGER, ss_cdemo_sk INTEGER, ss_hdemo_sk INTEGER, ss_addr_sk INTEGER, ss_store_sk INTEGER, ss_promo_sk INTEGER, ss_ticket_number BIGINT, ss_quantity INTEGER, ss_wholesale_cost DECIMAL(7,2), ss_list_price DECIMAL(7,2), ss_sales_price DECIMAL(7,2), ss_ext_discount_amt DECIMAL(7,2), ss_ext_sales_price DECIMAL(7,2), ss_ext_wholesale_cost DECIMAL(7,2), ss_ext_list_price DECIMAL(7,2), ss_coupon_amt DECIMAL(7,2), ss_net_paid DECIMAL(7,2), ss_net_profit DECIMAL(7,2));
INSERT INTO store_sales
SELECT CASE WHEN hash(hash(t,1))%50 > 0 THEN 2450815 + (hash(hash(t,2))%1800)::INT END, (480 + hash(hash(t,3))%840)::INT, i_item_sk, CASE WHEN hash(hash(t,7))%60 > 0 THEN c_customer_sk END, c_current_cdemo_sk, c_current_hdemo_sk, c_current_addr_sk, CASE WHEN hash(hash(t,4))%40 > 0 THEN (1 + hash(hash(t,5))%12)::INT END, (1 + hash(hash(t,6))%30)::INT,
  t, q, (price * 0.5)::DECIMAL(7,2), (price * 1.2)::DECIMAL(7,2), price, (q * price * 0.2)::DECIMAL(7,2), (q * price)::DECIMAL(7,2), (q * price * 0.5)::DECIMAL(7,2), (q * price * 1.2)::DECIMAL(7,2), coupon, (q * price - coupon)::DECIMAL(7,2), (q * price * 0.5 - coupon)::DECIMAL(7,2)
FROM (SELECT c.*, i.i_item_sk, (1 + hash(hash(c_customer_sk,v,l,41))%40)::INT AS q, i_current_price * (0.5 + hash(hash(c_customer_sk,v,l,42))%50 / 100.0) AS price, CASE WHEN hash(hash(c_customer_sk,v,l,43))%5 = 0 THEN 5 ELSE 0 END AS coupon, c_customer_sk * 10 + v AS t
  FROM customer c, range(0, 6) a(v), range(0, 3) b(l), item i
  WHERE v < hash(hash(c_customer_sk,44))%6 AND l <= hash(hash(c_customer_sk,v,45))%3 AND i_item_sk = 1 + (hash(hash(c_customer_sk,v,l,46))%240)) x;

CREATE TABLE store_returns (sr_returned_date_sk INTEGER, sr_item_sk INTEGER, sr_customer_sk INTEGER, sr_store_sk INTEGER, sr_reason_sk INTEGER, sr_ticket_number BIGINT, sr_return_quantity INTEGER, sr_return_amt DECIMAL(7,2), sr_net_loss DECIMAL(7,2));
INSERT INTO store_returns
SELECT ss_sold_date_sk + (1 + hash(hash(ss_ticket_number,ss_item_sk,51))%110)::INT, ss_item_sk, ss_customer_sk, ss_store_sk, (1 + hash(hash(ss_ticket_number,ss_item_sk,52))%8)::INT, ss_ticket_number, 1 + (ss_quantity * 2) // 3, (ss_sales_price * (1 + (ss_quantity * 2) // 3))::DECIMAL(7,2), (ss_sales_price * 0.3)::DECIMAL(7,2)
FROM store_sales WHERE hash(hash(ss_ticket_number,ss_item_sk,53))%8 = 0;

CREATE TABLE catalog_sales (cs_sold_date_sk INTEGER, cs_sold_time_sk INTEGER, cs_ship_date_sk INTEGER, cs_bill_customer_sk INTEGER, cs_bill_cdemo_sk INTEGER, cs_bill_hdemo_sk INTEGER, cs_bill_addr_sk INTEGER, cs_ship_mode_sk INTEGER, cs_warehouse_sk INTEGER, cs_item_sk INTEGER, cs_promo_sk INTEGER, cs_order_number BIGINT, cs_quantity INTEGER, cs_list_price DECIMAL(7,2), cs_sales_price DECIMAL(7,2), cs_ext_discount_amt DECIMAL(7,2), cs_ext_sales_price DECIMAL(7,2), cs_coupon_amt DECIMAL(7,2), cs_ext_ship_cost DECIMAL(7,2), cs_net_profit DECIMAL(7,2));
INSERT INTO catalog_sales
SELECT day, (hash(hash(o,61))%1440)::INT, day + (1 + hash(hash(o,l,62))%125)::INT, c_customer_sk, c_current_cdemo_sk, c_current_hdemo_sk, c_current_addr_sk, (1 + hash(hash(o,63))%20)::INT, (1 + hash(hash(o,l,64))%5)::INT, i_item_sk, (1 + hash(hash(o,65))%30)::INT, o,
  q, (price * 1.2)::DECIMAL(7,2), price::DECIMAL(7,2), (q * price * 0.2 * (hash(hash(o,l,66))%3))::DECIMAL(7,2), (q * price)::DECIMAL(7,2), CASE WHEN hash(hash(o,67))%6 = 0 THEN 4 ELSE 0 END, (q * 1.5)::DECIMAL(7,2), (q * price * 0.4 - 10)::DECIMAL(7,2)
FROM (SELECT c.*, l, i.i_item_sk, (1 + hash(hash(c_customer_sk,v,l,68))%30)::INT AS q, i_current_price * (0.5 + hash(hash(c_customer_sk,v,l,69))%50 / 100.0) AS price, 100000 + c_customer_sk * 10 + v AS o, 2450815 + (hash(hash(c_customer_sk,v,70))%1700)::INT AS day
  FROM customer c, range(0, 4) a(v), range(0, 3) b(l), item i
  WHERE v < hash(hash(c_customer_sk,71))%8 // 2 AND l <= hash(hash(c_customer_sk,v,72))%3 AND i_item_sk = 1 + (hash(hash(c_customer_sk,v,l,73))%240)) x;

CREATE TABLE web_sales (ws_sold_date_sk INTEGER, ws_sold_time_sk INTEGER, ws_ship_date_sk INTEGER, ws_bill_customer_sk INTEGER, ws_bill_hdemo_sk INTEGER, ws_bill_addr_sk INTEGER, ws_web_site_sk INTEGER, ws_ship_mode_sk INTEGER, ws_warehouse_sk INTEGER, ws_item_sk INTEGER, ws_promo_sk INTEGER, ws_order_number BIGINT, ws_quantity INTEGER, ws_list_price DECIMAL(7,2), ws_sales_price DECIMAL(7,2), ws_ext_discount_amt DECIMAL(7,2), ws_ext_sales_price DECIMAL(7,2), ws_ext_ship_cost DECIMAL(7,2), ws_net_paid DECIMAL(7,2), ws_net_profit DECIMAL(7,2));
INSERT INTO web_sales
SELECT day, (hash(hash(o,81))%1440)::INT, day + (1 + hash(hash(o,l,82))%125)::INT, c_customer_sk, c_current_hdemo_sk, c_current_addr_sk, CASE WHEN hash(hash(o,82))%50 > 0 THEN (1 + hash(hash(o,83))%6)::INT END, (1 + hash(hash(o,84))%20)::INT, (1 + hash(hash(o,l,85))%5)::INT, i_item_sk, (1 + hash(hash(o,86))%30)::INT, o,
  q, (price * 1.2)::DECIMAL(7,2), price::DECIMAL(7,2), (q * price * 0.2 * (hash(hash(o,l,87))%3))::DECIMAL(7,2), (q * price)::DECIMAL(7,2), (q * 1.2)::DECIMAL(7,2), (q * price)::DECIMAL(7,2), (q * price * 0.45 - 8)::DECIMAL(7,2)
FROM (SELECT c.*, l, i.i_item_sk, (1 + hash(hash(c_customer_sk,v,l,88))%30)::INT AS q, i_current_price * (0.5 + hash(hash(c_customer_sk,v,l,89))%50 / 100.0) AS price, 200000 + c_customer_sk * 10 + v AS o, 2450815 + (hash(hash(c_customer_sk,v,90))%1700)::INT AS day
  FROM customer c, range(0, 4) a(v), range(0, 3) b(l), item i
  WHERE v < hash(hash(c_customer_sk,91))%7 // 2 AND l <= hash(hash(c_customer_sk,v,92))%3 AND i_item_sk = 1 + (hash(hash(c_customer_sk,v,l,93))%240)) x;

CREATE TABLE web_returns (wr_returned_date_sk INTEGER, wr_item_sk INTEGER, wr_returning_customer_sk INTEGER, wr_reason_sk INTEGER, wr_order_number BIGINT, wr_return_quantity INTEGER, wr_return_amt DECIMAL(7,2), wr_net_loss DECIMAL(7,2));
INSERT INTO web_returns
SELECT ws_ship_date_sk + (1 + hash(hash(ws_order_number,ws_item_sk,94))%60)::INT, ws_item_sk, ws_bill_customer_sk, (1 + hash(hash(ws_order_number,ws_item_sk,95))%8)::INT, ws_order_number, 1 + ws_quantity // 2, (ws_sales_price * (1 + ws_quantity // 2))::DECIMAL(7,2), (ws_sales_price * 0.3)::DECIMAL(7,2)
FROM web_sales WHERE hash(hash(ws_order_number,ws_item_sk,96))%8 = 0;
