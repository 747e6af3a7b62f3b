-- 235: Subjects per experiment and variant (sample ratio check) [analyst]
SELECT exp_id, variant, count(DISTINCT subject_id) AS subjects
FROM assignments
GROUP BY exp_id, variant
ORDER BY exp_id, variant;

-- 236: Conversion rate per variant of the button experiment [analyst]
SELECT a.variant, count(DISTINCT a.subject_id) AS n,
       count(DISTINCT m.subject_id) AS converted,
       count(DISTINCT m.subject_id) * 1.0 / count(DISTINCT a.subject_id) AS conversion
FROM assignments a
LEFT JOIN metrics m ON m.subject_id = a.subject_id AND m.event = 'purchase' AND m.ts >= a.assigned_at
WHERE a.exp_id = 'exp_button'
GROUP BY a.variant
ORDER BY a.variant;

-- 237: Difference in conversion with a 95 percent confidence interval [analyst]
WITH per_subject AS (
  SELECT a.subject_id, a.variant,
         max(CASE WHEN m.event = 'purchase' AND m.ts >= a.assigned_at THEN 1 ELSE 0 END) AS conv
  FROM assignments a LEFT JOIN metrics m ON m.subject_id = a.subject_id
  WHERE a.exp_id = 'exp_button'
  GROUP BY a.subject_id, a.variant
), arms AS (
  SELECT variant, count(*) AS n, avg(conv) AS p FROM per_subject GROUP BY variant
)
SELECT t.p - c.p AS diff,
       t.p - c.p - 1.96 * sqrt(t.p * (1 - t.p) / t.n + c.p * (1 - c.p) / c.n) AS lo,
       t.p - c.p + 1.96 * sqrt(t.p * (1 - t.p) / t.n + c.p * (1 - c.p) / c.n) AS hi
FROM arms t, arms c
WHERE t.variant = 'treatment' AND c.variant = 'control';

-- 238: Revenue per subject by variant: mean, standard deviation and standard error [analyst]
SELECT variant, count(*) AS n, avg(rev) AS mean_rev, stddev_samp(rev) AS sd, stddev_samp(rev) / sqrt(count(*)) AS se
FROM (
  SELECT a.subject_id, a.variant, coalesce(sum(m.revenue), 0) AS rev
  FROM assignments a
  LEFT JOIN metrics m ON m.subject_id = a.subject_id AND m.ts >= a.assigned_at
  WHERE a.exp_id = 'exp_price'
  GROUP BY a.subject_id, a.variant
) s
GROUP BY variant
ORDER BY variant;

-- 239: Welch t statistic of revenue per subject [analyst]
WITH s AS (
  SELECT a.subject_id, a.variant, coalesce(sum(m.revenue), 0)::DOUBLE AS rev
  FROM assignments a LEFT JOIN metrics m ON m.subject_id = a.subject_id
  WHERE a.exp_id = 'exp_price'
  GROUP BY ALL
)
SELECT (avg(rev) FILTER (WHERE variant = 'treatment') - avg(rev) FILTER (WHERE variant = 'control'))
       / sqrt(var_samp(rev) FILTER (WHERE variant = 'treatment') / count(*) FILTER (WHERE variant = 'treatment')
            + var_samp(rev) FILTER (WHERE variant = 'control') / count(*) FILTER (WHERE variant = 'control')) AS t_stat
FROM s;

-- 240: Lift of conversion by device segment [analyst]
WITH c AS (
  SELECT s.device, a.variant,
         avg(CASE WHEN EXISTS (SELECT 1 FROM metrics m WHERE m.subject_id = s.id AND m.event = 'purchase') THEN 1.0 ELSE 0.0 END) AS rate
  FROM assignments a JOIN subjects s ON s.id = a.subject_id
  WHERE a.exp_id = 'exp_button'
  GROUP BY s.device, a.variant
)
SELECT t.device, c0.rate AS control, t.rate AS treatment, t.rate / c0.rate - 1 AS lift
FROM c t JOIN c c0 ON c0.device = t.device AND c0.variant = 'control'
WHERE t.variant = 'treatment'
ORDER BY t.device;

-- 241: Funnel view, click, add to cart, purchase per variant in subjects [analyst]
SELECT a.variant,
       count(DISTINCT CASE WHEN m.event = 'view' THEN m.subject_id END) AS viewed,
       count(DISTINCT CASE WHEN m.event = 'click' THEN m.subject_id END) AS clicked,
       count(DISTINCT CASE WHEN m.event = 'add_to_cart' THEN m.subject_id END) AS added,
       count(DISTINCT CASE WHEN m.event = 'purchase' THEN m.subject_id END) AS purchased
FROM assignments a
JOIN metrics m ON m.subject_id = a.subject_id
WHERE a.exp_id = 'exp_onboard'
GROUP BY a.variant
ORDER BY a.variant;

-- 242: Guardrail: crashes per thousand events by variant and experiment [analyst]
SELECT a.exp_id, a.variant, 1000.0 * sum(CASE WHEN m.event = 'crash' THEN 1 ELSE 0 END) / count(*) AS crashes_per_1000
FROM assignments a
JOIN experiments e ON e.exp_id = a.exp_id
JOIN metrics m ON m.subject_id = a.subject_id AND CAST(m.ts AS DATE) BETWEEN e.started AND e.ended
GROUP BY a.exp_id, a.variant
ORDER BY a.exp_id, a.variant;

-- 243: Balance of pre-experiment covariates between variants [analyst]
SELECT a.variant, avg(s.pre_revenue) AS pre_revenue, avg(s.pre_sessions) AS pre_sessions, avg(CASE WHEN s.is_new THEN 1.0 ELSE 0 END) AS share_new
FROM assignments a
JOIN subjects s ON s.id = a.subject_id
WHERE a.exp_id = 'exp_price'
GROUP BY a.variant
ORDER BY a.variant;

-- 244: Subjects that are in more than one experiment [analyst]
SELECT n_exp, count(*) AS subjects
FROM (SELECT subject_id, count(DISTINCT exp_id) AS n_exp FROM assignments GROUP BY subject_id) t
GROUP BY n_exp
ORDER BY n_exp;

-- 245: Interaction: purchases by combination of the variants of two experiments [analyst]
SELECT b.variant AS button, p.variant AS price, count(DISTINCT b.subject_id) AS subjects, count(m.event) AS purchases
FROM assignments b
JOIN assignments p ON p.subject_id = b.subject_id AND p.exp_id = 'exp_price'
LEFT JOIN metrics m ON m.subject_id = b.subject_id AND m.event = 'purchase'
WHERE b.exp_id = 'exp_button'
GROUP BY b.variant, p.variant
ORDER BY 1, 2;

-- 246: Which subjects spent the most in the treatment group? [analyst] (private rows)
SELECT a.subject_id, sum(m.revenue) AS revenue
FROM assignments a JOIN metrics m ON m.subject_id = a.subject_id
WHERE a.exp_id = 'exp_button' AND a.variant = 'treatment'
GROUP BY a.subject_id
ORDER BY revenue DESC NULLS LAST, a.subject_id
LIMIT 10;

-- 247: Django: assignments per variant for one experiment [orm]
SELECT "assignments"."variant", COUNT("assignments"."subject_id") AS "n" FROM "assignments" WHERE "assignments"."exp_id" = 'exp_onboard' GROUP BY "assignments"."variant" ORDER BY "assignments"."variant" ASC;

-- 248: SQLAlchemy: total and average revenue of purchases [orm]
SELECT sum(metrics.revenue) AS sum_1, avg(metrics.revenue) AS avg_1, count(metrics.revenue) AS count_1
FROM metrics
WHERE metrics.event = 'purchase';

-- 249: Django: subjects not assigned to any experiment [orm]
SELECT COUNT(*) AS "__count" FROM "subjects" WHERE NOT EXISTS(SELECT 1 AS "a" FROM "assignments" U1 WHERE U1."subject_id" = ("subjects"."id") LIMIT 1);

-- 250: SQLAlchemy: subjects by country and device with more than 10 people [orm]
SELECT subjects.country, subjects.device, count(*) AS count_1
FROM subjects GROUP BY subjects.country, subjects.device
HAVING count(*) > 10 ORDER BY subjects.country, subjects.device;

-- 251: Django: variant of a single subject [orm] (private rows)
SELECT "assignments"."exp_id", "assignments"."variant", "assignments"."assigned_at" FROM "assignments" WHERE "assignments"."subject_id" = 900020 ORDER BY "assignments"."assigned_at" ASC;

-- 252: ibis: mean load time per variant [ibis-dbplyr]
SELECT "t4"."variant", AVG("t4"."load_ms") AS "mean_load"
FROM (
  SELECT "t2"."variant", "t3"."load_ms"
  FROM (SELECT * FROM "assignments" AS "t0" WHERE "t0"."exp_id" = 'exp_button') AS "t2"
  INNER JOIN "metrics" AS "t3" ON "t2"."subject_id" = "t3"."subject_id"
) AS "t4"
GROUP BY 1;

-- 253: dbplyr: count events by event type and age group, left join [ibis-dbplyr]
SELECT age_group, event, COUNT(*) AS n
FROM (
  SELECT metrics.*, age_group
  FROM metrics
  LEFT JOIN subjects ON (metrics.subject_id = subjects.id)
) q01
WHERE (event IN ('purchase', 'crash'))
GROUP BY age_group, event
ORDER BY age_group, event;

-- 254: ibis: purchases per subject winsorised at 3 by device [ibis-dbplyr]
SELECT "t4"."device", AVG("t4"."capped") AS "mean_purchases"
FROM (
  SELECT "t1"."device", LEAST(COALESCE("t3"."n", 0), 3) AS "capped"
  FROM "subjects" AS "t1"
  LEFT OUTER JOIN (
    SELECT "t2"."subject_id", COUNT(*) AS "n" FROM "metrics" AS "t2" WHERE "t2"."event" = 'purchase' GROUP BY 1
  ) AS "t3" ON "t1"."id" = "t3"."subject_id"
) AS "t4"
GROUP BY 1;

-- 255: dbplyr: daily purchases with cumulative sum [ibis-dbplyr]
SELECT q01.*, SUM(n) OVER (ORDER BY "day" ROWS UNBOUNDED PRECEDING) AS cum_n
FROM (
  SELECT "day", COUNT(*) AS n
  FROM (SELECT metrics.*, CAST(ts AS DATE) AS "day" FROM metrics WHERE (event = 'purchase')) q01
  GROUP BY "day"
) q01
ORDER BY "day";

-- 256: Superset: events over time by event type [bi]
SELECT DATE_TRUNC('week', ts) AS __timestamp, event AS event, COUNT(*) AS count, COUNT(DISTINCT subject_id) AS "subjects"
FROM metrics
WHERE ts >= '2025-05-01 00:00:00.000000' AND ts < '2025-07-01 00:00:00.000000'
GROUP BY DATE_TRUNC('week', ts), event
ORDER BY count DESC, __timestamp, event
LIMIT 10000;

-- 257: Looker: revenue per user by experiment title and variant [bi]
SELECT
    experiments.title AS "experiments.title",
    assignments.variant AS "assignments.variant",
    COUNT(DISTINCT assignments.subject_id) AS "assignments.subjects",
    COALESCE(SUM(metrics.revenue), 0) AS "metrics.revenue",
    1.0 * COALESCE(SUM(metrics.revenue), 0) / NULLIF(COUNT(DISTINCT assignments.subject_id), 0) AS "metrics.arpu"
FROM experiments
INNER JOIN assignments ON assignments.exp_id = experiments.exp_id
LEFT JOIN metrics ON metrics.subject_id = assignments.subject_id
GROUP BY 1, 2
ORDER BY 1, 2
LIMIT 500;

-- 258: Metabase: distribution of load time in bins of 250 ms [bi]
SELECT FLOOR(("metrics"."load_ms" / 250.0)) * 250.0 AS "load_ms", COUNT(*) AS "count"
FROM "metrics"
WHERE "metrics"."load_ms" IS NOT NULL
GROUP BY FLOOR(("metrics"."load_ms" / 250.0)) * 250.0
ORDER BY FLOOR(("metrics"."load_ms" / 250.0)) * 250.0 ASC;

-- 259: Tableau: subjects by experiment, variant, country with grouping sets [bi]
SELECT "assignments"."exp_id" AS "exp_id", "assignments"."variant" AS "variant", "subjects"."country" AS "country", COUNT(DISTINCT "subjects"."id") AS "ctd:id:ok",
  GROUPING("subjects"."country") AS "grp:country"
FROM "assignments" INNER JOIN "subjects" ON ("assignments"."subject_id" = "subjects"."id")
GROUP BY GROUPING SETS (("assignments"."exp_id", "assignments"."variant"), ("assignments"."exp_id", "assignments"."variant", "subjects"."country"));

-- 260: CUPED: theta from covariance of pre-revenue and revenue, and adjusted means [notebook]
WITH s AS (
  FROM assignments a JOIN subjects u ON u.id = a.subject_id LEFT JOIN metrics m ON m.subject_id = a.subject_id
  SELECT a.subject_id, a.variant, coalesce(any_value(u.pre_revenue), 0) AS x, coalesce(sum(m.revenue), 0)::DOUBLE AS y
  WHERE a.exp_id = 'exp_price'
  GROUP BY a.subject_id, a.variant
), th AS (FROM s SELECT covar_samp(y, x) / var_samp(x) AS theta, avg(x) AS mx)
FROM s, th
SELECT variant, avg(y) AS raw_mean, avg(y - theta * (x - mx)) AS cuped_mean, count(*) AS n
GROUP BY ALL
ORDER BY variant;

-- 261: Chi-square statistic of sample ratio mismatch [notebook]
WITH n AS (FROM assignments SELECT exp_id, count(*) FILTER (variant = 'control') AS c, count(*) FILTER (variant = 'treatment') AS t GROUP BY ALL)
FROM n SELECT exp_id, c, t, (c - (c + t) / 2) ** 2 / ((c + t) / 2) + (t - (c + t) / 2) ** 2 / ((c + t) / 2) AS chi2 ORDER BY exp_id;

-- 262: Events by network type from nested JSON [notebook]
FROM metrics
SELECT payload->'net'->>'type' AS net, payload->>'screen' AS screen, count(*) AS n, median(load_ms) AS p50
GROUP BY ALL
ORDER BY ALL;

-- 263: Pivot: conversion counts by variant in columns per country [notebook]
PIVOT (
  FROM assignments a JOIN subjects s ON s.id = a.subject_id JOIN metrics m ON m.subject_id = s.id
  SELECT s.country, a.variant, m.subject_id WHERE a.exp_id = 'exp_button' AND m.event = 'purchase'
) ON variant IN ('control', 'treatment') USING count(DISTINCT subject_id) AS buyers, count(*) AS purchases GROUP BY country ORDER BY country;

-- 264: Hours from assignment to first purchase, quartiles per variant [notebook]
WITH f AS (
  FROM assignments a JOIN metrics m ON m.subject_id = a.subject_id AND m.event = 'purchase' AND m.ts >= a.assigned_at
  SELECT a.exp_id, a.variant, a.subject_id, date_diff('hour', any_value(a.assigned_at), min(m.ts)) AS hrs
  GROUP BY ALL
)
FROM f SELECT exp_id, variant, quantile_cont(hrs, 0.25) AS q25, quantile_cont(hrs, 0.5) AS q50, quantile_cont(hrs, 0.75) AS q75
GROUP BY ALL ORDER BY exp_id, variant;

-- 265: Variants ranked by revenue inside each experiment (window over aggregate) [notebook]
SELECT a.exp_id, a.variant, sum(m.revenue) AS revenue, rank() OVER (PARTITION BY a.exp_id ORDER BY sum(m.revenue) DESC) AS rk
FROM assignments a JOIN metrics m USING (subject_id)
GROUP BY a.exp_id, a.variant
ORDER BY a.exp_id, rk;

-- 266: Control and treatment crash counts as two stacked aggregates (UNION ALL) [analyst]
SELECT 'control' AS arm, count(*) AS crashes FROM metrics WHERE event = 'crash' AND subject_id IN (SELECT subject_id FROM assignments WHERE exp_id = 'exp_onboard' AND variant = 'control')
UNION ALL
SELECT 'treatment', count(*) FROM metrics WHERE event = 'crash' AND subject_id IN (SELECT subject_id FROM assignments WHERE exp_id = 'exp_onboard' AND variant = 'treatment')
ORDER BY arm;

-- 267: Experiments that ended more than 30 days ago, number of subjects and purchases in their run [analyst]
SELECT e.exp_id, count(DISTINCT a.subject_id) AS subjects, count(m.revenue) AS purchases
FROM experiments e
JOIN assignments a ON a.exp_id = e.exp_id
LEFT JOIN metrics m ON m.subject_id = a.subject_id AND m.ts BETWEEN e.started AND e.ended + INTERVAL 1 DAY
WHERE e.ended < CURRENT_DATE - INTERVAL 30 DAY
GROUP BY e.exp_id
ORDER BY e.exp_id;
