-- 69: Total revenue, number of orders and average order value for completed orders [analyst]
SELECT sum(quantity * unit_price * (1 - discount)) AS revenue,
       count(DISTINCT o.id) AS orders,
       sum(quantity * unit_price * (1 - discount)) / count(DISTINCT o.id) AS aov
FROM orders o
JOIN order_items i ON i.order_id = o.id
WHERE o.status = 'completed';

-- 70: Monthly revenue with year-over-year comparison [analyst]
WITH m AS (
  SELECT date_trunc('month', o.ordered_at) AS month, sum(i.quantity * i.unit_price) AS revenue
  FROM orders o JOIN order_items i ON i.order_id = o.id
  WHERE o.status IN ('completed', 'pending')
  GROUP BY 1
)
SELECT cur.month, cur.revenue, prev.revenue AS revenue_last_year, cur.revenue / prev.revenue - 1 AS yoy
FROM m cur
LEFT JOIN m prev ON prev.month = cur.month - INTERVAL 1 YEAR
ORDER BY cur.month;

-- 71: Top 10 products by units sold [analyst]
SELECT p.name, sum(i.quantity) AS units
FROM order_items i
JOIN products p USING (product_id)
GROUP BY p.name
ORDER BY units DESC, p.name
LIMIT 10;

-- 72: Revenue by category with share of total and rank [analyst]
SELECT category, revenue,
       revenue / sum(revenue) OVER () AS share,
       rank() OVER (ORDER BY revenue DESC) AS rnk
FROM (
  SELECT p.category, sum(i.quantity * i.unit_price) AS revenue
  FROM order_items i JOIN products p ON p.product_id = i.product_id
  GROUP BY p.category
) c
ORDER BY rnk;

-- 73: Repeat purchase rate: share of buying customers with at least two orders [analyst]
SELECT avg(CASE WHEN n >= 2 THEN 1.0 ELSE 0 END) AS repeat_rate, count(*) AS buyers
FROM (SELECT customer_id, count(*) AS n FROM orders WHERE status <> 'cancelled' GROUP BY customer_id) t;

-- 74: Customers who never ordered, by segment [analyst]
SELECT segment, count(*) AS customers
FROM customers c
WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)
GROUP BY segment
ORDER BY segment;

-- 75: RFM-style: customers bucketed by number of orders and total spent [analyst]
WITH spend AS (
  SELECT o.customer_id, count(DISTINCT o.id) AS n_orders, sum(i.quantity * i.unit_price * (1 - i.discount)) AS total
  FROM orders o JOIN order_items i ON i.order_id = o.id
  GROUP BY o.customer_id
)
SELECT CASE WHEN n_orders = 1 THEN '1' WHEN n_orders <= 3 THEN '2-3' ELSE '4+' END AS frequency,
       CASE WHEN total < 500 THEN 'low' WHEN total < 2000 THEN 'mid' ELSE 'high' END AS monetary,
       count(*) AS customers, avg(total) AS avg_total
FROM spend
GROUP BY 1, 2
ORDER BY 1, 2;

-- 76: Average days to ship by payment method [analyst]
SELECT payment_method, avg(shipped_on - CAST(ordered_at AS DATE)) AS avg_days, count(*) AS shipped
FROM orders
WHERE shipped_on IS NOT NULL
GROUP BY payment_method
ORDER BY avg_days;

-- 77: Average number of days between consecutive orders of the same customer [analyst]
SELECT avg(gap) AS avg_gap_days, median(gap) AS median_gap_days
FROM (
  SELECT date_diff('day', lag(ordered_at) OVER (PARTITION BY customer_id ORDER BY ordered_at, id), ordered_at) AS gap
  FROM orders
) g
WHERE gap IS NOT NULL;

-- 78: Products bought together: pairs of categories in the same order [analyst]
SELECT pa.category AS cat_a, pb.category AS cat_b, count(DISTINCT a.order_id) AS orders
FROM order_items a
JOIN order_items b ON a.order_id = b.order_id
JOIN products pa ON pa.product_id = a.product_id
JOIN products pb ON pb.product_id = b.product_id
WHERE pa.category < pb.category
GROUP BY 1, 2
ORDER BY orders DESC, 1, 2
LIMIT 10;

-- 79: Who is our best customer by amount spent? [analyst] (private rows)
SELECT c.id, c.first_name, c.last_name, sum(i.quantity * i.unit_price) AS spent
FROM customers c JOIN orders o ON o.customer_id = c.id JOIN order_items i ON i.order_id = o.id
GROUP BY c.id, c.first_name, c.last_name
ORDER BY spent DESC
LIMIT 1;

-- 80: Django: orders per status [orm]
SELECT "orders"."status", COUNT("orders"."id") AS "id__count" FROM "orders" GROUP BY "orders"."status" ORDER BY "orders"."status" ASC;

-- 81: Django: number of distinct customers with a completed order in 2024 [orm]
SELECT COUNT(DISTINCT "orders"."customer_id") AS "buyers" FROM "orders" WHERE ("orders"."status" = 'completed' AND "orders"."ordered_at" BETWEEN '2024-01-01 00:00:00' AND '2024-12-31 23:59:59.999999');

-- 82: SQLAlchemy: sum of line totals by segment via joins [orm]
SELECT customers.segment, sum(order_items.quantity * order_items.unit_price) AS sum_1
FROM customers JOIN orders ON customers.id = orders.customer_id JOIN order_items ON orders.id = order_items.order_id
WHERE orders.status != 'cancelled' GROUP BY customers.segment
HAVING count(orders.id) > 10 ORDER BY sum_1 DESC;

-- 83: Django: annotate customers with number of orders, then average it [orm]
SELECT AVG("__col1") FROM (SELECT COUNT("orders"."id") AS "__col1" FROM "customers" LEFT OUTER JOIN "orders" ON ("customers"."id" = "orders"."customer_id") GROUP BY "customers"."id") subquery;

-- 84: SQLAlchemy: customers with a gmail address, case-insensitive [orm]
SELECT count(*) AS count_1
FROM customers
WHERE lower(customers.email) LIKE lower('%@gmail.com');

-- 85: Rails: orders of one customer for the account page [orm] (private rows)
SELECT "orders".* FROM "orders" WHERE "orders"."customer_id" = 123 ORDER BY "orders"."ordered_at" DESC, "orders"."id" DESC LIMIT 5 OFFSET 0;

-- 86: ibis: order count and mean shipping per month [ibis-dbplyr]
SELECT "t1"."month", COUNT(*) AS "orders", AVG("t1"."shipping") AS "mean_shipping"
FROM (
  SELECT DATE_TRUNC('MONTH', "t0"."ordered_at") AS "month", "t0"."shipping"
  FROM "orders" AS "t0"
) AS "t1"
GROUP BY 1
ORDER BY "t1"."month" ASC;

-- 87: dbplyr: coupon use rate by segment [ibis-dbplyr]
SELECT segment, AVG(CASE WHEN (NOT((coupon IS NULL))) THEN 1.0 WHEN NOT (NOT((coupon IS NULL))) THEN 0.0 END) AS coupon_rate
FROM (
  SELECT orders.*, segment
  FROM orders
  INNER JOIN customers ON (orders.customer_id = customers.id)
) q01
GROUP BY segment;

-- 88: ibis: mean basket size in distinct products per order, per city [ibis-dbplyr]
SELECT "t6"."city", AVG("t6"."basket") AS "mean_basket"
FROM (
  SELECT "t4"."city", "t5"."basket"
  FROM (
    SELECT "t0"."id" AS "order_id", "t1"."city"
    FROM "orders" AS "t0" INNER JOIN "customers" AS "t1" ON "t0"."customer_id" = "t1"."id"
  ) AS "t4"
  INNER JOIN (
    SELECT "t2"."order_id", COUNT(DISTINCT "t2"."product_id") AS "basket" FROM "order_items" AS "t2" GROUP BY 1
  ) AS "t5" ON "t4"."order_id" = "t5"."order_id"
) AS "t6"
GROUP BY 1;

-- 89: dbplyr: return rate among shipped orders [ibis-dbplyr]
SELECT SUM(CASE WHEN (status = 'returned') THEN 1.0 ELSE 0.0 END) / COUNT(*) AS return_rate
FROM (
  SELECT orders.*
  FROM orders
  WHERE (NOT((shipped_on IS NULL)))
) q01;

-- 90: Tableau: revenue by category and quarter [bi]
SELECT "products"."category" AS "category",
  DATE_TRUNC('quarter', CAST("orders"."ordered_at" AS DATE)) AS "tqr:ordered_at:ok",
  SUM(("order_items"."quantity" * "order_items"."unit_price")) AS "sum:Calculation_1:ok"
FROM "order_items"
  INNER JOIN "orders" ON ("order_items"."order_id" = "orders"."id")
  INNER JOIN "products" ON ("order_items"."product_id" = "products"."product_id")
GROUP BY 1, 2;

-- 91: Looker: average order value by registration year and newsletter flag [bi]
SELECT
    EXTRACT(YEAR FROM customers.registered_on) AS "customers.registered_year",
    CASE WHEN customers.newsletter THEN 'Yes' ELSE 'No' END AS "customers.newsletter",
    COUNT(DISTINCT orders.id) AS "orders.count",
    COALESCE(SUM(order_items.quantity * order_items.unit_price), 0) / NULLIF(COUNT(DISTINCT orders.id), 0) AS "orders.aov"
FROM customers
LEFT JOIN orders ON customers.id = orders.customer_id
LEFT JOIN order_items ON orders.id = order_items.order_id
GROUP BY 1, 2
ORDER BY 1, 2
LIMIT 500;

-- 92: Power BI: totals by city and status with grouping sets [bi]
SELECT "x"."city", "x"."status", "x"."orders"
FROM (
  SELECT "c"."city" AS "city", "o"."status" AS "status", COUNT(*) AS "orders"
  FROM "orders" AS "o" INNER JOIN "customers" AS "c" ON "o"."customer_id" = "c"."id"
  GROUP BY GROUPING SETS (("c"."city", "o"."status"), ("c"."city"), ())
) AS "x";

-- 93: Metabase: cumulative number of registered customers by month [bi]
SELECT "source"."registered_on" AS "registered_on", SUM(SUM("source"."n")) OVER (ORDER BY "source"."registered_on" ASC ROWS UNBOUNDED PRECEDING) AS "cum_count"
FROM (SELECT CAST(DATE_TRUNC('month', "customers"."registered_on") AS DATE) AS "registered_on", 1 AS "n" FROM "customers") AS "source"
GROUP BY "source"."registered_on"
ORDER BY "source"."registered_on" ASC;

-- 94: Superset: distinct buyers by country from the address struct [bi]
SELECT address.country AS country, COUNT(DISTINCT customers.id) AS "COUNT_DISTINCT(id)"
FROM customers JOIN orders ON orders.customer_id = customers.id
GROUP BY address.country
ORDER BY "COUNT_DISTINCT(id)" DESC
LIMIT 100;

-- 95: Order value distribution in a histogram of 200-wide bins [notebook]
WITH order_total AS (
  SELECT order_id, sum(quantity * unit_price * (1 - discount)) AS total FROM order_items GROUP BY ALL
)
SELECT floor(total / 200) * 200 AS bin, count(*) AS orders
FROM order_total
GROUP BY ALL
ORDER BY bin;

-- 96: Pivot of revenue by category (columns) and order year (rows) [notebook]
PIVOT (
  SELECT year(o.ordered_at) AS yr, p.category, i.quantity * i.unit_price AS revenue
  FROM order_items i JOIN orders o ON o.id = i.order_id JOIN products p USING (product_id)
) ON category USING sum(revenue) GROUP BY yr ORDER BY yr;

-- 97: First-order versus later-order average value [notebook]
WITH ranked AS (
  SELECT o.id, row_number() OVER (PARTITION BY o.customer_id ORDER BY o.ordered_at, o.id) AS nth FROM orders o
), totals AS (
  SELECT order_id, sum(quantity * unit_price) AS total FROM order_items GROUP BY ALL
)
SELECT CASE WHEN nth = 1 THEN 'first' ELSE 'repeat' END AS kind, avg(total) AS avg_value, count(*) AS orders
FROM ranked JOIN totals ON totals.order_id = ranked.id
GROUP BY ALL
ORDER BY kind;

-- 98: Cohort revenue per customer: months since registration, FROM-first [notebook]
FROM customers c
JOIN orders o ON o.customer_id = c.id
JOIN order_items i ON i.order_id = o.id
SELECT date_trunc('quarter', c.registered_on) AS cohort,
       least(date_diff('month', c.registered_on, o.ordered_at::DATE), 12) AS months,
       sum(i.quantity * i.unit_price) / count(DISTINCT c.id) AS revenue_per_buyer
WHERE o.status = 'completed'
GROUP BY ALL
ORDER BY ALL;

-- 99: Best-selling product in each city (QUALIFY over an aggregate) [notebook]
SELECT c.city, p.name, sum(i.quantity) AS units
FROM order_items i
JOIN orders o ON o.id = i.order_id
JOIN customers c ON c.id = o.customer_id
JOIN products p USING (product_id)
GROUP BY c.city, p.name
QUALIFY row_number() OVER (PARTITION BY c.city ORDER BY sum(i.quantity) DESC, p.name) = 1
ORDER BY c.city;

-- 100: Correlation of discount and quantity, and slope of quantity on unit price [notebook]
FROM order_items
SELECT corr(discount, quantity) AS r, regr_slope(quantity, unit_price) AS slope, count(*) AS n;

-- 101: Mailing list: all customer emails concatenated per city [notebook] (private rows)
SELECT city, string_agg(email, '; ' ORDER BY id) AS emails
FROM customers
WHERE newsletter
GROUP BY ALL
ORDER BY city;

-- 102: Active customers in the last three years by age group today [analyst]
SELECT CASE WHEN date_diff('year', c.birth_date, CURRENT_DATE) < 35 THEN '<35'
            WHEN date_diff('year', c.birth_date, CURRENT_DATE) < 55 THEN '35-54'
            WHEN c.birth_date IS NULL THEN 'unknown'
            ELSE '55+' END AS age_group,
       count(DISTINCT c.id) AS customers
FROM customers c
WHERE c.id IN (SELECT customer_id FROM orders WHERE ordered_at >= CURRENT_DATE - INTERVAL '3 years')
GROUP BY 1
ORDER BY 1;
