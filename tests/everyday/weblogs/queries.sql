-- 35: Hits and unique visitors per day [analyst]
SELECT CAST(ts AS DATE) AS day, count(*) AS hits, count(DISTINCT visitor_id) AS visitors
FROM hits
GROUP BY CAST(ts AS DATE)
ORDER BY day;

-- 36: Hits per hour of day in New York time [analyst]
SELECT extract(hour FROM ts AT TIME ZONE 'America/New_York') AS hour_ny, count(*) AS hits
FROM hits
GROUP BY 1
ORDER BY 1;

-- 37: Share of hits by status class (2xx, 3xx, 4xx, 5xx) [analyst]
SELECT status // 100 AS status_class,
       count(*) AS n,
       round(100.0 * count(*) / (SELECT count(*) FROM hits), 2) AS pct
FROM hits
GROUP BY 1
ORDER BY 1;

-- 38: Top 10 pages by hits, query string stripped [analyst]
SELECT split_part(replace(url, 'https://www.example.com', ''), '?', 1) AS path, count(*) AS hits
FROM hits
WHERE status = 200
GROUP BY 1
ORDER BY hits DESC, path
LIMIT 10;

-- 39: Bounce rate: share of visitors with a single hit [analyst]
SELECT count(CASE WHEN n = 1 THEN 1 END) * 1.0 / count(*) AS bounce_rate
FROM (SELECT visitor_id, count(*) AS n FROM hits GROUP BY visitor_id) per_visitor;

-- 40: Response time percentiles per section of the site (public pages table) [analyst]
SELECT p.section,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY h.response_ms) AS p50,
       percentile_cont(0.95) WITHIN GROUP (ORDER BY h.response_ms) AS p95,
       count(h.response_ms) AS n
FROM hits h
JOIN pages p ON p.path = split_part(substr(h.url, 24), '?', 1)
GROUP BY p.section
ORDER BY p.section;

-- 41: Checkout funnel: visitors who saw pricing, then cart, then checkout, then thanks [analyst]
WITH pricing AS (SELECT visitor_id, min(ts) AS t FROM hits WHERE url LIKE '%/pricing%' GROUP BY visitor_id),
     cart AS (SELECT visitor_id, min(ts) AS t FROM hits WHERE url LIKE '%/cart%' GROUP BY visitor_id),
     checkout AS (SELECT visitor_id, min(ts) AS t FROM hits WHERE url LIKE '%/checkout%' GROUP BY visitor_id),
     thanks AS (SELECT visitor_id, min(ts) AS t FROM hits WHERE url LIKE '%/thanks%' GROUP BY visitor_id)
SELECT count(*) AS pricing,
       count(c.visitor_id) AS cart,
       count(k.visitor_id) AS checkout,
       count(t.visitor_id) AS thanks
FROM pricing p
LEFT JOIN cart c ON c.visitor_id = p.visitor_id AND c.t > p.t
LEFT JOIN checkout k ON k.visitor_id = c.visitor_id AND k.t > c.t
LEFT JOIN thanks t ON t.visitor_id = k.visitor_id AND t.t > k.t;

-- 42: New versus returning hits per week (returning: later than the visitor's first day) [analyst]
SELECT date_trunc('week', h.ts) AS week,
       sum(CASE WHEN CAST(h.ts AS DATE) = v.first_seen THEN 1 ELSE 0 END) AS new_hits,
       sum(CASE WHEN CAST(h.ts AS DATE) > v.first_seen THEN 1 ELSE 0 END) AS returning_hits
FROM hits h
JOIN visitors v ON v.id = h.visitor_id
GROUP BY 1
ORDER BY 1;

-- 43: Conversion rate by utm source, with missing source as direct [analyst]
SELECT coalesce(v.utm_source, '(direct)') AS source,
       count(DISTINCT v.id) AS visitors,
       count(DISTINCT c.visitor_id) AS converters,
       count(DISTINCT c.visitor_id)::DOUBLE / count(DISTINCT v.id) AS cr
FROM visitors v
LEFT JOIN conversions c ON c.visitor_id = v.id
GROUP BY 1
ORDER BY cr DESC;

-- 44: Median time between first hit and first purchase, in hours [analyst]
SELECT median(date_diff('hour', f.first_ts, c.first_conv)) AS median_hours
FROM (SELECT visitor_id, min(ts) AS first_ts FROM hits GROUP BY visitor_id) f
JOIN (SELECT visitor_id, min(converted_at) AS first_conv FROM conversions WHERE goal = 'purchase' GROUP BY visitor_id) c
  ON c.visitor_id = f.visitor_id
WHERE c.first_conv >= f.first_ts;

-- 45: Which IP addresses made the most requests? [analyst] (private rows)
SELECT v.ip, count(*) AS requests
FROM hits h JOIN visitors v ON v.id = h.visitor_id
GROUP BY v.ip
ORDER BY requests DESC, v.ip
LIMIT 10;

-- 46: Django: count of hits with a server error [orm]
SELECT COUNT(*) AS "__count" FROM "hits" WHERE "hits"."status" >= 500;

-- 47: SQLAlchemy: average response time and number of hits per method [orm]
SELECT hits.method, avg(hits.response_ms) AS avg_1, count(*) AS count_1
FROM hits
WHERE hits.response_ms IS NOT NULL GROUP BY hits.method ORDER BY hits.method;

-- 48: Django: distinct visitors by browser with annotate and filter [orm]
SELECT "visitors"."browser", COUNT("visitors"."id") AS "total", COUNT("visitors"."id") FILTER (WHERE "visitors"."is_logged_in") AS "logged_in" FROM "visitors" WHERE "visitors"."device" IN ('desktop', 'mobile') GROUP BY "visitors"."browser" ORDER BY "total" DESC;

-- 49: SQLAlchemy: visitors with no conversion, using NOT IN [orm]
SELECT count(visitors.id) AS count_1
FROM visitors
WHERE (visitors.id NOT IN (SELECT conversions.visitor_id
FROM conversions));

-- 50: Django: does any visitor from Poland exist? [orm]
SELECT COUNT(*) > 0 AS "a" FROM "visitors" WHERE "visitors"."country" = 'PL';

-- 51: SQLAlchemy: all hits of one visitor ordered by time [orm] (private rows)
SELECT hits.hit_id, hits.ts, hits.url, hits.status
FROM hits
WHERE hits.visitor_id = 100007 ORDER BY hits.ts, hits.hit_id;

-- 52: ibis: total bytes served by country [ibis-dbplyr]
SELECT "t3"."country", SUM("t3"."bytes") AS "total_bytes"
FROM (
  SELECT "t1"."bytes", "t2"."country"
  FROM "hits" AS "t1"
  INNER JOIN "visitors" AS "t2" ON "t1"."visitor_id" = "t2"."id"
) AS "t3"
GROUP BY 1
ORDER BY "total_bytes" DESC NULLS LAST;

-- 53: dbplyr: hits per visitor, distribution of counts capped at 10 [ibis-dbplyr]
SELECT n_capped, COUNT(*) AS n_visitors
FROM (
  SELECT visitor_id, LEAST(COUNT(*), 10) AS n_capped
  FROM hits
  GROUP BY visitor_id
) q01
GROUP BY n_capped
ORDER BY n_capped;

-- 54: ibis: referrer domains by number of visitors [ibis-dbplyr]
SELECT "t2"."domain", COUNT(DISTINCT "t2"."visitor_id") AS "visitors"
FROM (
  SELECT "t1"."visitor_id", REGEXP_EXTRACT("t1"."referrer", 'https?://([^/]+)', 1) AS "domain"
  FROM (SELECT * FROM "hits" AS "t0" WHERE "t0"."referrer" IS NOT NULL) AS "t1"
) AS "t2"
GROUP BY 1
ORDER BY "visitors" DESC;

-- 55: dbplyr: mean and sd of response time by device [ibis-dbplyr]
SELECT device, AVG(response_ms) AS mean_ms, STDDEV(response_ms) AS sd_ms
FROM (
  SELECT hits.*, device
  FROM hits
  LEFT JOIN visitors ON (hits.visitor_id = visitors.id)
) q01
GROUP BY device;

-- 56: Superset: hits per day split by status [bi]
SELECT DATE_TRUNC('day', ts) AS __timestamp, status AS status, COUNT(*) AS count
FROM hits
WHERE ts >= TIMESTAMPTZ '2025-03-01 00:00:00+00' AND ts < TIMESTAMPTZ '2025-04-01 00:00:00+00'
GROUP BY DATE_TRUNC('day', ts), status
ORDER BY count DESC, __timestamp, status
LIMIT 50000;

-- 57: Looker: visitors and hits by country and device [bi]
SELECT
    visitors.country AS "visitors.country",
    visitors.device AS "visitors.device",
    COUNT(DISTINCT visitors.id) AS "visitors.count",
    COUNT(hits.hit_id) AS "hits.count"
FROM visitors
LEFT JOIN hits ON visitors.id = hits.visitor_id
WHERE (visitors.country) IS NOT NULL
GROUP BY 1, 2
HAVING COUNT(DISTINCT visitors.id) > 20
ORDER BY 4 DESC, 1, 2
LIMIT 500;

-- 58: Metabase: average response time by day of week [bi]
SELECT CAST(extract(dow FROM "hits"."ts") AS INTEGER) + 1 AS "ts", AVG("hits"."response_ms") AS "avg"
FROM "hits"
GROUP BY CAST(extract(dow FROM "hits"."ts") AS INTEGER) + 1
ORDER BY CAST(extract(dow FROM "hits"."ts") AS INTEGER) + 1 ASC;

-- 59: Tableau: conversion value with subtotals by goal and device (ROLLUP) [bi]
SELECT "conversions"."goal" AS "goal", "visitors"."device" AS "device",
  SUM("conversions"."value") AS "sum:value:ok", COUNT(*) AS "cnt:ok"
FROM "conversions" INNER JOIN "visitors" ON ("conversions"."visitor_id" = "visitors"."id")
GROUP BY ROLLUP ("conversions"."goal", "visitors"."device");

-- 60: Grafana: p99 of response time per week for GET requests [bi]
SELECT time_bucket(INTERVAL '7 days', ts) AS "time", quantile_disc(response_ms, 0.99) AS "p99"
FROM hits
WHERE method = 'GET'
GROUP BY 1
ORDER BY 1;

-- 61: Sessions with 30 minutes timeout: number of sessions and average hits per session by device [notebook]
WITH marked AS (
  SELECT visitor_id, ts, hit_id,
         (date_diff('second', lag(ts) OVER w, ts) > 1800 OR lag(ts) OVER w IS NULL)::INT AS is_new
  FROM hits
  WINDOW w AS (PARTITION BY visitor_id ORDER BY ts, hit_id)
), numbered AS (
  SELECT *, sum(is_new) OVER (PARTITION BY visitor_id ORDER BY ts, hit_id) AS session_no FROM marked
), sessions AS (
  SELECT visitor_id, session_no, count(*) AS pages, min(ts) AS started, max(ts) AS ended
  FROM numbered GROUP BY ALL
)
SELECT v.device, count(*) AS sessions, avg(pages) AS pages_per_session, avg(date_diff('second', started, ended)) AS avg_seconds
FROM sessions s JOIN visitors v ON v.id = s.visitor_id
GROUP BY ALL
ORDER BY v.device;

-- 62: UTM campaigns found in URLs, FROM-first [notebook]
FROM hits
SELECT regexp_extract(url, 'utm_campaign=(\w+)', 1) AS campaign, count(*) AS hits, count(DISTINCT visitor_id) AS visitors
WHERE url LIKE '%utm_campaign=%'
GROUP BY ALL
ORDER BY hits DESC;

-- 63: Distinct visitors and distinct IP prefixes [notebook]
FROM visitors
SELECT count(DISTINCT id) AS visitors,
       count(DISTINCT split_part(ip, '.', 2)) AS prefixes;

-- 64: Landing page of each visitor, aggregated to a ranking of landing pages [notebook]
WITH landing AS (
  SELECT visitor_id, arg_min(url, (ts, hit_id)) AS first_url
  FROM hits
  GROUP BY ALL
)
SELECT regexp_replace(first_url, '\?.*$', '') AS landing_page, count(*) AS visitors
FROM landing
GROUP BY ALL
ORDER BY visitors DESC, landing_page;

-- 65: Day-over-day change in daily visitors [notebook]
WITH d AS (SELECT ts::DATE AS day, count(DISTINCT visitor_id) AS visitors FROM hits GROUP BY ALL)
SELECT day, visitors, visitors - lag(visitors) OVER (ORDER BY day) AS delta,
       avg(visitors) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS ma7
FROM d
WHERE day < DATE '2025-06-01'
ORDER BY day;

-- 66: Sample the raw log [notebook] (private rows)
FROM hits ORDER BY hit_id LIMIT 10;

-- 67: Public pages ranked from least seen by logged-in mobile visitors (zero included) [notebook]
SELECT p.path, count(v.id) AS hits_by_logged_in_mobile
FROM pages p
LEFT JOIN hits h ON split_part(substr(h.url, 24), '?', 1) = p.path
LEFT JOIN visitors v ON v.id = h.visitor_id AND v.is_logged_in AND v.device = 'mobile'
GROUP BY p.path
ORDER BY 2, 1;

-- 68: Weekly retention of the April cohort: visitors back in week 1, 2, 3 after the first hit [analyst]
SELECT date_diff('day', v.first_seen, CAST(h.ts AS DATE)) // 7 AS week_no, count(DISTINCT v.id) AS visitors
FROM visitors v
INNER JOIN hits h ON h.visitor_id = v.id
WHERE v.first_seen BETWEEN DATE '2025-04-01' AND DATE '2025-04-30'
  AND CAST(h.ts AS DATE) <= v.first_seen + 27
GROUP BY week_no
ORDER BY week_no;
