-- Looker, with its PostgreSQL dialect: explores with dimensions, measures, tiers, pivots and totals.
-- Not recorded: written in the form of its SQL tab.

--! protocol: simple

--! 1 row: a connection is tested
SELECT 1 AS "one"

--! 91 rows, epsilon 0.5: counts by date
SELECT
    (DATE(visits.ts )) AS "visits.ts_date",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY

--! 91 rows: the same again
SELECT
    (DATE(visits.ts )) AS "visits.ts_date",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY

--! 4 rows, epsilon 0.5: a filter of dates
SELECT
    visits.page  AS "visits.page",
    COUNT(*) AS "visits.count",
    COALESCE(SUM(visits.amount ), 0) AS "visits.total_amount",
    AVG(visits.amount ) AS "visits.average_amount"
FROM public.visits  AS visits
WHERE ((( visits.ts  ) >= ((SELECT TIMESTAMP '2024-01-01')) AND ( visits.ts  ) < ((SELECT (TIMESTAMP '2024-01-01' + INTERVAL '7 day')))))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY

--! 1 row, epsilon 0.5: the last 30 complete days
SELECT
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
WHERE ((( visits.ts  ) >= ((SELECT (DATE_TRUNC('day', CURRENT_TIMESTAMP AT TIME ZONE 'UTC') + (-30 || ' day')::INTERVAL))) AND ( visits.ts  ) < ((SELECT ((SELECT (DATE_TRUNC('day', CURRENT_TIMESTAMP AT TIME ZONE 'UTC') + (-30 || ' day')::INTERVAL)) + (30 || ' day')::INTERVAL)))))
FETCH NEXT 500 ROWS ONLY

--! 3 rows, epsilon 0.5: by month as text
SELECT
    (TO_CHAR(DATE_TRUNC('month', visits.ts ), 'YYYY-MM')) AS "visits.ts_month",
    COUNT(DISTINCT visits.visitor ) AS "visits.people"
FROM public.visits  AS visits
GROUP BY
    (DATE_TRUNC('month', visits.ts ))
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY

--! 13 rows, epsilon 0.5: by week, which begins on Monday
SELECT
    (TO_CHAR(DATE_TRUNC('week', visits.ts ), 'YYYY-MM-DD')) AS "visits.ts_week",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    (DATE_TRUNC('week', visits.ts ))
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY

--! 24 rows, epsilon 0.5: by quarter and hour of day
SELECT
    (TO_CHAR(CAST(DATE_TRUNC('quarter', visits.ts ) AS DATE), 'YYYY-MM')) AS "visits.ts_quarter",
    (CAST(EXTRACT(HOUR FROM CAST(visits.ts  AS TIMESTAMP)) AS INT)) AS "visits.ts_hour_of_day",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1,
    2
ORDER BY
    3 DESC
FETCH NEXT 500 ROWS ONLY

--! 7 rows, epsilon 0.5: by day of week
SELECT
    (MOD(EXTRACT(DOW FROM visits.ts )::integer - 1 + 7, 7)) AS "visits.ts_day_of_week_index",
    (TO_CHAR(visits.ts , 'Day')) AS "visits.ts_day_of_week",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1,
    2
ORDER BY
    1
FETCH NEXT 500 ROWS ONLY

--! 5 rows, epsilon 0.5: a tier
SELECT
    CASE
WHEN visits.age  < 18 THEN '0'
WHEN visits.age  >= 18 AND visits.age  < 35 THEN '1'
WHEN visits.age  >= 35 AND visits.age  < 65 THEN '2'
WHEN visits.age  >= 65 THEN '3'
ELSE '4'
END AS "visits.age_tier__sort_",
    CASE
WHEN visits.age  < 18 THEN 'Below 18'
WHEN visits.age  >= 18 AND visits.age  < 35 THEN '18 to 34'
WHEN visits.age  >= 35 AND visits.age  < 65 THEN '35 to 64'
WHEN visits.age  >= 65 THEN '65 or Above'
ELSE 'Undefined'
END AS "visits.age_tier",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1,
    2
ORDER BY
    1
FETCH NEXT 500 ROWS ONLY

--! 2 rows, epsilon 0.5: yes or no, and a filtered measure
SELECT
    (CASE WHEN visits.amount >= 50  THEN 'Yes' ELSE 'No' END) AS "visits.is_large",
    COUNT(CASE WHEN (visits.page = 'shop') THEN 1 ELSE NULL END) AS "visits.shop_count",
    COUNT(DISTINCT CASE WHEN (visits.page = 'shop') THEN visits.visitor ELSE NULL END) AS "visits.shop_people"
FROM public.visits  AS visits
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY

--! 2 rows, epsilon 0.5: a joined view, with a sum that counts each row once
SELECT
    pages.topic  AS "pages.topic",
    COUNT(*) AS "visits.count",
    COALESCE(SUM(visits.amount ), 0) AS "visits.total_amount"
FROM public.visits  AS visits
LEFT JOIN public.pages  AS pages ON visits.page = pages.name
WHERE (pages.topic ) IN ('main', 'text')
GROUP BY
    1
HAVING COUNT(*) > 10
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY

--! 4 rows, epsilon 0.5: percentiles
SELECT
    visits.page  AS "visits.page",
    PERCENTILE_CONT(0.5) WITHIN GROUP(ORDER BY visits.amount ) AS "visits.median_amount",
    PERCENTILE_CONT(0.9) WITHIN GROUP(ORDER BY visits.amount ) AS "visits.p90_amount"
FROM public.visits  AS visits
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY

--! 12 rows, epsilon 0.5: a pivot
SELECT * FROM (
SELECT *, DENSE_RANK() OVER (ORDER BY z___min_rank) as z___pivot_row_rank, RANK() OVER (PARTITION BY z__pivot_col_rank ORDER BY z___min_rank) as z__pivot_col_ordering, CASE WHEN z___min_rank = z___rank THEN 1 ELSE 0 END AS z__is_highest_ranked_cell FROM (
SELECT *, MIN(z___rank) OVER (PARTITION BY "visits.ts_month") as z___min_rank FROM (
SELECT *, RANK() OVER (ORDER BY CASE WHEN z__pivot_col_rank=1 THEN (CASE WHEN "visits.count" IS NOT NULL THEN 0 ELSE 1 END) ELSE 2 END, CASE WHEN z__pivot_col_rank=1 THEN "visits.count" ELSE NULL END DESC, "visits.count" DESC, z__pivot_col_rank, "visits.ts_month") AS z___rank FROM (
SELECT *, DENSE_RANK() OVER (ORDER BY CASE WHEN "visits.page" IS NULL THEN 1 ELSE 0 END, "visits.page") AS z__pivot_col_rank FROM (
SELECT
    visits.page  AS "visits.page",
        (TO_CHAR(DATE_TRUNC('month', visits.ts ), 'YYYY-MM')) AS "visits.ts_month",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1,
    (DATE_TRUNC('month', visits.ts ))) ww
) bb WHERE z__pivot_col_rank <= 16384
) aa
) xx
) zz
 WHERE (z__pivot_col_rank <= 50 OR z__is_highest_ranked_cell = 1) AND (z___pivot_row_rank <= 500 OR z__pivot_col_ordering = 1) ORDER BY z___pivot_row_rank

--! 12 rows: a pivot by truncated time
SELECT * FROM (
SELECT *, DENSE_RANK() OVER (ORDER BY z___min_rank) as z___pivot_row_rank FROM (
SELECT *, MIN(z___rank) OVER (PARTITION BY "visits.month") as z___min_rank FROM (
SELECT *, RANK() OVER (ORDER BY "visits.count" DESC, z__pivot_col_rank, "visits.month") AS z___rank FROM (
SELECT *, DENSE_RANK() OVER (ORDER BY CASE WHEN "visits.page" IS NULL THEN 1 ELSE 0 END, "visits.page") AS z__pivot_col_rank FROM (
SELECT
    visits.page  AS "visits.page",
    DATE_TRUNC('month', visits.ts ) AS "visits.month",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1,
    2) ww
) bb WHERE z__pivot_col_rank <= 16384
) aa
) xx
) zz
 WHERE z__pivot_col_rank <= 50 AND z___pivot_row_rank <= 500 ORDER BY z___pivot_row_rank

--! 3 rows, epsilon 0.5: facts of each person, a derived table
WITH visitor_facts AS (SELECT
        visitor
        , COUNT(*) AS visits
        , MIN(ts) AS first_visit
      FROM public.visits
      GROUP BY 1 )
SELECT
    CASE
WHEN visitor_facts.visits  < 2 THEN '1'
WHEN visitor_facts.visits  >= 2 AND visitor_facts.visits  < 5 THEN '2 to 4'
ELSE '5 or Above'
END AS "visitor_facts.visits_tier",
    COUNT(*) AS "visitor_facts.count"
FROM visitor_facts
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY

--! 3 rows, epsilon 0.5: cohorts by the month of the first visit
WITH visitor_facts AS (SELECT
        visitor
        , MIN(ts) AS first_visit
      FROM public.visits
      GROUP BY 1 )
SELECT
    (DATE_TRUNC('month', visitor_facts.first_visit )) AS "visitor_facts.first_month",
    COUNT(DISTINCT visits.visitor ) AS "visits.people"
FROM public.visits  AS visits
LEFT JOIN visitor_facts ON visits.visitor = visitor_facts.visitor
GROUP BY
    1
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY

--! 1 row, epsilon 0.5: a row of totals
SELECT
    COUNT(*) AS "visits.count",
    COALESCE(SUM(visits.amount ), 0) AS "visits.total_amount"
FROM public.visits  AS visits
FETCH NEXT 1 ROWS ONLY

--! 2 rows: suggestions of a filter
SELECT DISTINCT
    visits.page  AS "visits.page"
FROM public.visits  AS visits
WHERE (visits.page ) ILIKE '%ho%'
ORDER BY
    1
FETCH NEXT 1000 ROWS ONLY

--! 2 rows, epsilon 0.5: a period compared with the one before
SELECT
    CASE WHEN visits.ts >= TIMESTAMP '2024-02-01' THEN 'This Period' ELSE 'Previous Period' END AS "visits.period",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
WHERE visits.ts >= TIMESTAMP '2024-01-01' AND visits.ts < TIMESTAMP '2024-03-01'
GROUP BY
    1
ORDER BY
    1
FETCH NEXT 500 ROWS ONLY

--! refused 0A000: a persistent derived table
CREATE TABLE looker_scratch.LR_1234_facts AS SELECT page, COUNT(*) AS n FROM public.visits GROUP BY 1

--! refused 0A000: rows, by drilling into a count
SELECT
    visits.visitor  AS "visits.visitor",
    visits.page  AS "visits.page",
        (TO_CHAR(visits.ts , 'YYYY-MM-DD HH24:MI:SS')) AS "visits.ts_time"
FROM public.visits  AS visits
WHERE (visits.page = 'shop')
GROUP BY
    1,
    2,
    3
ORDER BY
    3 DESC
FETCH NEXT 500 ROWS ONLY
