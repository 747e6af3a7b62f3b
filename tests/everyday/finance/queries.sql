-- 103: Total spending (negative amounts) per category [analyst]
SELECT category, -sum(amount) AS spent, count(*) AS n
FROM transactions
WHERE amount < 0
GROUP BY category
ORDER BY spent DESC;

-- 104: Average monthly spending per client [analyst]
SELECT month, avg(spent) AS avg_spent, median(spent) AS median_spent
FROM (
  SELECT client_id, date_trunc('month', booked) AS month, sum(-amount) AS spent
  FROM transactions
  WHERE amount < 0
  GROUP BY client_id, date_trunc('month', booked)
) t
GROUP BY month
ORDER BY month;

-- 105: Default rate of loans by risk class [analyst]
SELECT c.risk_class,
       sum(CASE WHEN l.status = 'default' THEN 1 ELSE 0 END) * 100.0 / count(*) AS default_pct
FROM loans l
INNER JOIN clients c ON c.id = l.client_id
GROUP BY c.risk_class
ORDER BY c.risk_class;

-- 106: Outstanding principal by overdue bucket [analyst]
SELECT CASE WHEN days_overdue = 0 THEN 'current'
            WHEN days_overdue <= 30 THEN '1-30'
            WHEN days_overdue <= 60 THEN '31-60'
            WHEN days_overdue <= 90 THEN '61-90'
            ELSE '90+' END AS bucket,
       count(*) AS loans, sum(principal) AS principal
FROM loans
WHERE status = 'active'
GROUP BY 1
ORDER BY 1;

-- 107: Savings rate: total inflow, outflow and their ratio per client city [analyst]
SELECT c.city,
       sum(CASE WHEN t.amount > 0 THEN t.amount ELSE 0 END) AS inflow,
       sum(CASE WHEN t.amount < 0 THEN -t.amount ELSE 0 END) AS outflow,
       1 - sum(CASE WHEN t.amount < 0 THEN -t.amount ELSE 0 END) / NULLIF(sum(CASE WHEN t.amount > 0 THEN t.amount ELSE 0 END), 0) AS savings_rate
FROM transactions t JOIN clients c ON c.id = t.client_id
GROUP BY c.city
ORDER BY c.city;

-- 108: Income quartiles and mean income by occupation [analyst]
SELECT occupation,
       quantile_cont(income, 0.25) AS q1, quantile_cont(income, 0.5) AS q2, quantile_cont(income, 0.75) AS q3,
       avg(income) AS mean_income
FROM clients
WHERE income IS NOT NULL AND occupation IS NOT NULL
GROUP BY occupation
ORDER BY mean_income DESC;

-- 109: Fraud rate by channel and weekend flag [analyst]
SELECT t.channel, cal.is_business_day,
       count(*) AS tx, sum(t.is_fraud::INT) AS fraud, avg(t.is_fraud::INT) AS fraud_rate
FROM transactions t
JOIN calendar cal ON cal.day = t.booked
GROUP BY t.channel, cal.is_business_day
ORDER BY 1, 2;

-- 110: Transactions per fiscal quarter, with the quarter's share of the year [analyst]
SELECT cal.fiscal_quarter, count(*) AS tx, count(*) * 1.0 / sum(count(*)) OVER () AS share
FROM transactions t JOIN calendar cal ON cal.day = t.booked
GROUP BY cal.fiscal_quarter
ORDER BY cal.fiscal_quarter;

-- 111: How many clients spent more than their city's average total? [analyst]
WITH per_client AS (
  SELECT c.id, c.city, sum(-t.amount) AS spent
  FROM clients c JOIN transactions t ON t.client_id = c.id
  WHERE t.amount < 0
  GROUP BY c.id, c.city
), per_city AS (
  SELECT city, avg(spent) AS avg_spent FROM per_client GROUP BY city
)
SELECT p.city, count(*) AS above_average
FROM per_client p JOIN per_city a ON a.city = p.city
WHERE p.spent > a.avg_spent
GROUP BY p.city
ORDER BY p.city;

-- 112: Clients with both a loan in default and a salary payment this year [analyst]
SELECT count(*) AS clients
FROM clients
WHERE id IN (SELECT client_id FROM loans WHERE status = 'default')
  AND id IN (SELECT client_id FROM transactions WHERE category = 'salary');

-- 113: Who earns the most? [analyst] (private rows)
SELECT full_name, income
FROM clients
WHERE income = (SELECT max(income) FROM clients);

-- 114: First and last booking date, and number of booking days [analyst]
SELECT min(booked) AS first_day, max(booked) AS last_day, count(DISTINCT booked) AS days
FROM transactions;

-- 115: Django: sum of card transactions in March 2025 [orm]
SELECT SUM("transactions"."amount") AS "total" FROM "transactions" WHERE ("transactions"."channel" = 'card' AND "transactions"."booked" >= '2025-03-01'::date AND "transactions"."booked" < '2025-04-01'::date);

-- 116: SQLAlchemy: clients per city with more than 50 clients [orm]
SELECT clients.city AS clients_city, count(clients.id) AS count_1
FROM clients GROUP BY clients.city
HAVING count(clients.id) > 50 ORDER BY count_1 DESC, clients_city;

-- 117: Django: average principal and rate of active loans by term [orm]
SELECT "loans"."term_months", AVG("loans"."principal") AS "avg_principal", AVG("loans"."rate") AS "avg_rate" FROM "loans" WHERE "loans"."status" = 'active' GROUP BY "loans"."term_months" ORDER BY "loans"."term_months" ASC;

-- 118: SQLAlchemy: number of clients without income information [orm]
SELECT count(*) AS count_1
FROM clients
WHERE clients.income IS NULL;

-- 119: SQLAlchemy: the ten largest withdrawals with the client's name [orm] (private rows)
SELECT transactions.tx_id, clients.full_name, transactions.amount, transactions.booked
FROM transactions JOIN clients ON clients.id = transactions.client_id
ORDER BY transactions.amount ASC, transactions.tx_id
 LIMIT 10;

-- 120: ibis: net flow by currency and month [ibis-dbplyr]
SELECT "t1"."currency", "t1"."month", SUM("t1"."amount") AS "net"
FROM (
  SELECT "t0"."currency", DATE_TRUNC('MONTH', "t0"."booked") AS "month", "t0"."amount"
  FROM "transactions" AS "t0"
  WHERE "t0"."currency" IN ('EUR', 'USD')
) AS "t1"
GROUP BY 1, 2
ORDER BY "t1"."currency" ASC, "t1"."month" ASC;

-- 121: dbplyr: mean number of transactions per client and risk class, zero for inactive [ibis-dbplyr]
SELECT risk_class, AVG(COALESCE(n, 0.0)) AS mean_tx
FROM (
  SELECT clients.*, n
  FROM clients
  LEFT JOIN (
    SELECT client_id, COUNT(*) AS n
    FROM transactions
    GROUP BY client_id
  ) RHS
    ON (clients.id = RHS.client_id)
) q01
GROUP BY risk_class;

-- 122: ibis: correlation of income and total spending [ibis-dbplyr]
SELECT CORR("t4"."income", "t4"."spent") AS "r"
FROM (
  SELECT "t0"."income", "t3"."spent"
  FROM "clients" AS "t0"
  INNER JOIN (
    SELECT "t2"."client_id", SUM(-"t2"."amount") AS "spent"
    FROM (SELECT * FROM "transactions" AS "t1" WHERE "t1"."amount" < 0) AS "t2"
    GROUP BY 1
  ) AS "t3" ON "t0"."id" = "t3"."client_id"
  WHERE "t0"."income" IS NOT NULL
) AS "t4";

-- 123: dbplyr: top five merchants by number of distinct clients [ibis-dbplyr]
SELECT merchant, n_clients
FROM (
  SELECT q01.*, ROW_NUMBER() OVER (ORDER BY n_clients DESC, merchant) AS col01
  FROM (
    SELECT merchant, COUNT(DISTINCT client_id) AS n_clients
    FROM transactions
    WHERE (NOT((merchant IS NULL)))
    GROUP BY merchant
  ) q01
) q02
WHERE (col01 <= 5.0);

-- 124: Tableau: spending by category with CUBE over channel [bi]
SELECT "transactions"."category" AS "category", "transactions"."channel" AS "channel",
  SUM(ABS("transactions"."amount")) AS "sum:Calculation:ok"
FROM "transactions"
WHERE ("transactions"."amount" < 0)
GROUP BY CUBE ("transactions"."category", "transactions"."channel");

-- 125: Looker: clients by age tier [bi]
SELECT
    CASE
      WHEN date_diff('year', clients.birth_date, DATE '2025-12-31') < 30 THEN 'Below 30'
      WHEN date_diff('year', clients.birth_date, DATE '2025-12-31') < 50 THEN '30 to 49'
      WHEN date_diff('year', clients.birth_date, DATE '2025-12-31') < 65 THEN '50 to 64'
      ELSE '65 or Above'
    END AS "clients.age_tier",
    COUNT(*) AS "clients.count",
    AVG(clients.income) AS "clients.average_income"
FROM clients
GROUP BY 1
ORDER BY 2 DESC
LIMIT 500;

-- 126: Metabase: loans granted by year [bi]
SELECT CAST(DATE_TRUNC('year', "loans"."granted") AS DATE) AS "granted", COUNT(*) AS "count", SUM("loans"."principal") AS "sum"
FROM "loans"
GROUP BY CAST(DATE_TRUNC('year', "loans"."granted") AS DATE)
ORDER BY CAST(DATE_TRUNC('year', "loans"."granted") AS DATE) ASC;

-- 127: Superset: big number, transactions of politically exposed clients [bi]
SELECT COUNT(*) AS "COUNT(*)", SUM(ABS(t.amount)) AS "SUM(ABS(amount))"
FROM transactions t JOIN clients c ON t.client_id = c.id
WHERE c.pep = TRUE
LIMIT 50000;

-- 128: Metabase: transactions details filtered by one client [bi] (private rows)
SELECT "transactions"."tx_id" AS "tx_id", "transactions"."booked" AS "booked", "transactions"."amount" AS "amount", "transactions"."merchant" AS "merchant"
FROM "transactions"
WHERE "transactions"."client_id" = 5010
ORDER BY "transactions"."booked" ASC, "transactions"."tx_id" ASC
LIMIT 2000;

-- 129: Seven-day moving sum of card spending [notebook]
WITH daily AS (
  FROM transactions SELECT booked, sum(-amount) AS spent WHERE channel = 'card' AND amount < 0 GROUP BY ALL
)
SELECT cal.day, coalesce(d.spent, 0) AS spent,
       sum(coalesce(d.spent, 0)) OVER (ORDER BY cal.day ROWS 6 PRECEDING) AS spent_7d
FROM calendar cal LEFT JOIN daily d ON d.booked = cal.day
ORDER BY cal.day;

-- 130: Spend by category in a wide table: one column per channel (FILTER) [notebook]
FROM transactions
SELECT category,
       -sum(amount) FILTER (channel = 'card') AS card,
       -sum(amount) FILTER (channel = 'online') AS online,
       -sum(amount) FILTER (channel = 'atm') AS atm,
       -sum(amount) FILTER (channel = 'transfer') AS transfer
WHERE amount < 0
GROUP BY ALL
ORDER BY ALL;

-- 131: Concentration: share of total spending done by the top 10 percent of clients [notebook]
WITH s AS (
  SELECT client_id, sum(-amount) AS spent FROM transactions WHERE amount < 0 GROUP BY ALL
), r AS (
  SELECT *, ntile(10) OVER (ORDER BY spent DESC, client_id) AS decile FROM s
)
SELECT sum(spent) FILTER (decile = 1) / sum(spent) AS top_decile_share FROM r;

-- 132: Linear trend of loan rate over principal, standard error parts [notebook]
FROM loans SELECT regr_slope(rate, principal) AS slope, regr_intercept(rate, principal) AS intercept, regr_r2(rate, principal) AS r2, regr_count(rate, principal) AS n;

-- 133: Variance and standard deviation of transaction amounts per currency [notebook]
FROM transactions
SELECT currency, var_samp(amount) AS v, stddev_samp(amount) AS s, count() AS n
GROUP BY currency
ORDER BY currency;

-- 134: Totals of transactions and loans side by side (UNION ALL) [notebook]
SELECT 'transactions' AS what, count(*) AS n, sum(abs(amount)) AS volume FROM transactions
UNION ALL
SELECT 'loans', count(*), sum(principal) FROM loans;

-- 135: Average client tenure in years as of today, by risk class [analyst]
SELECT risk_class, avg(date_diff('day', joined, CURRENT_DATE) / 365.25) AS tenure_years
FROM clients
WHERE joined <= CURRENT_DATE - 30
GROUP BY risk_class
ORDER BY risk_class;
