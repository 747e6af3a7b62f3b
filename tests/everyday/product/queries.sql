-- 1: How many users do we have per country? [analyst]
SELECT country, count(*) AS users
FROM users
GROUP BY country
ORDER BY users DESC, country;

-- 2: Monthly active users (distinct users with at least one event) [analyst]
SELECT date_trunc('month', ts) AS month, count(DISTINCT user_id) AS mau
FROM events
GROUP BY 1
ORDER BY 1;

-- 3: DAU averaged per month [analyst]
WITH daily AS (
  SELECT CAST(ts AS DATE) AS d, count(DISTINCT user_id) AS dau
  FROM events
  GROUP BY 1
)
SELECT date_trunc('month', d) AS month, round(avg(dau), 2) AS avg_dau
FROM daily
GROUP BY 1
ORDER BY 1;

-- 4: Activation funnel: signed up, logged in, created a report, exported (any time after the previous) [analyst]
WITH firsts AS (
  SELECT user_id,
         min(CASE WHEN event_name = 'signup' THEN ts END) AS t_signup,
         min(CASE WHEN event_name = 'login' THEN ts END) AS t_login,
         min(CASE WHEN event_name = 'create_report' THEN ts END) AS t_report,
         min(CASE WHEN event_name = 'export' THEN ts END) AS t_export
  FROM events
  GROUP BY user_id
)
SELECT count(t_signup) AS signed_up,
       count(CASE WHEN t_login >= t_signup THEN 1 END) AS logged_in,
       count(CASE WHEN t_report > t_login AND t_login >= t_signup THEN 1 END) AS reported,
       count(CASE WHEN t_export > t_report AND t_report > t_login THEN 1 END) AS exported
FROM firsts;

-- 5: Share of users who ever invited someone, by plan, with EXISTS [analyst]
SELECT u.plan,
       count(*) AS users,
       avg(CASE WHEN EXISTS (SELECT 1 FROM events e WHERE e.user_id = u.id AND e.event_name = 'invite') THEN 1.0 ELSE 0.0 END) AS invite_rate
FROM users u
GROUP BY u.plan
ORDER BY u.plan;

-- 6: Monthly cohort retention (cohort month x months since signup) [analyst]
SELECT date_trunc('month', u.signup_date) AS cohort,
       date_diff('month', date_trunc('month', u.signup_date), date_trunc('month', e.ts)) AS month_n,
       count(DISTINCT u.id) AS active_users
FROM users u
JOIN events e ON e.user_id = u.id
GROUP BY 1, 2
ORDER BY 1, 2;

-- 7: Average sessions per user, with a session break after 30 minutes of inactivity [analyst]
WITH x AS (
  SELECT user_id, ts,
         CASE WHEN lag(ts) OVER (PARTITION BY user_id ORDER BY ts) IS NULL
                OR ts - lag(ts) OVER (PARTITION BY user_id ORDER BY ts) > INTERVAL 30 MINUTE
              THEN 1 ELSE 0 END AS new_session
  FROM events
), s AS (
  SELECT user_id, sum(new_session) AS sessions FROM x GROUP BY user_id
)
SELECT avg(sessions) AS avg_sessions, max(sessions) AS max_sessions, count(*) AS users
FROM s;

-- 8: Median and 90th percentile of event duration by event type [analyst]
SELECT event_name,
       median(duration_s) AS p50,
       quantile_cont(duration_s, 0.9) AS p90
FROM events
WHERE duration_s IS NOT NULL
GROUP BY event_name
ORDER BY p90 DESC;

-- 9: Users that signed up but never paid, by plan (anti join) [analyst]
SELECT u.plan, count(*) AS never_paid
FROM users u
LEFT JOIN payments p ON p.user_id = u.id
WHERE p.payment_id IS NULL
GROUP BY u.plan;

-- 10: Net revenue per month excluding refunds, with running total [analyst]
SELECT month, revenue, sum(revenue) OVER (ORDER BY month) AS cumulative_revenue
FROM (
  SELECT date_trunc('month', paid_at) AS month, sum(amount) AS revenue
  FROM payments
  WHERE NOT refunded
  GROUP BY 1
) m
ORDER BY month;

-- 11: Django: number of active users per plan [orm]
SELECT "users"."plan", COUNT("users"."id") AS "n" FROM "users" WHERE "users"."is_active" GROUP BY "users"."plan" ORDER BY "n" DESC;

-- 12: Django aggregate: average, min and max payment amount [orm]
SELECT AVG("payments"."amount") AS "amount__avg", MIN("payments"."amount") AS "amount__min", MAX("payments"."amount") AS "amount__max" FROM "payments";

-- 13: SQLAlchemy: count of users having at least five events [orm]
SELECT count(*) AS count_1
FROM (SELECT events.user_id AS user_id, count(events.event_id) AS n_events
FROM events GROUP BY events.user_id
HAVING count(events.event_id) >= 5) AS anon_1;

-- 14: Django: users in European countries through the country join [orm]
SELECT COUNT(*) AS "__count" FROM "users" INNER JOIN "countries" ON ("users"."country" = "countries"."code") WHERE "countries"."region" = 'EMEA';

-- 15: SQLAlchemy: exists-filtered count of users with an error event in November 2025 [orm]
SELECT count(users.id) AS count_1
FROM users
WHERE EXISTS (SELECT 1
FROM events
WHERE events.user_id = users.id AND events.event_name = 'error' AND events.ts >= '2025-11-01 00:00:00' AND events.ts < '2025-12-01 00:00:00');

-- 16: Django: fetch one user by primary key [orm] (private rows)
SELECT "users"."id", "users"."name", "users"."email", "users"."country", "users"."plan", "users"."signup_date" FROM "users" WHERE "users"."id" = 42 LIMIT 21;

-- 17: ibis: events per platform and event name [ibis-dbplyr]
SELECT "t1"."platform", "t1"."event_name", COUNT(*) AS "n"
FROM (SELECT "t0"."platform", "t0"."event_name", "t0"."user_id" FROM "events" AS "t0" WHERE "t0"."platform" <> 'web') AS "t1"
GROUP BY 1, 2
ORDER BY "n" DESC, "t1"."platform" ASC, "t1"."event_name" ASC;

-- 18: dbplyr: mean events per user by plan [ibis-dbplyr]
SELECT plan, AVG(n) AS mean_events
FROM (
  SELECT LHS.*, n
  FROM users LHS
  INNER JOIN (
    SELECT user_id, COUNT(*) AS n
    FROM events
    GROUP BY user_id
  ) RHS
    ON (LHS.id = RHS.user_id)
) q01
GROUP BY plan;

-- 19: ibis: share of each plan in total users [ibis-dbplyr]
SELECT "t2"."plan", "t2"."n", "t2"."n" / SUM("t2"."n") OVER () AS "share"
FROM (
  SELECT "t0"."plan", COUNT(*) AS "n" FROM "users" AS "t0" GROUP BY 1
) AS "t2";

-- 20: dbplyr: number of users per age band [ibis-dbplyr]
SELECT band, COUNT(*) AS n
FROM (
  SELECT users.*,
    CASE
      WHEN (2025.0 - birth_year < 25.0) THEN 'under 25'
      WHEN (2025.0 - birth_year < 40.0) THEN '25-39'
      WHEN (2025.0 - birth_year < 60.0) THEN '40-59'
      WHEN birth_year IS NOT NULL THEN '60+'
      ELSE 'unknown'
    END AS band
  FROM users
) q01
GROUP BY band
ORDER BY n DESC;

-- 21: Tableau: distinct users and events by region [bi]
SELECT "countries"."region" AS "region",
  COUNT(DISTINCT "events"."user_id") AS "ctd:user_id:ok",
  COUNT(1) AS "cnt:events:ok"
FROM "events"
  INNER JOIN "users" ON ("events"."user_id" = "users"."id")
  LEFT JOIN "countries" ON ("users"."country" = "countries"."code")
GROUP BY 1;

-- 22: Looker: revenue by signup month and plan [bi]
SELECT
    (DATE_TRUNC('month', users.signup_date)) AS "users.signup_month",
    users.plan AS "users.plan",
    COALESCE(SUM(payments.amount), 0) AS "payments.total_amount",
    COUNT(DISTINCT users.id) AS "users.count"
FROM users
LEFT JOIN payments ON users.id = payments.user_id
GROUP BY 1, 2
ORDER BY 1 DESC, 3 DESC, 2
LIMIT 500;

-- 23: Metabase: signups by week [bi]
SELECT CAST(DATE_TRUNC('week', "source"."signup_date") AS DATE) AS "signup_date", COUNT(*) AS "count"
FROM (SELECT "users"."id" AS "id", "users"."signup_date" AS "signup_date" FROM "users" WHERE "users"."channel" IS NOT NULL) AS "source"
GROUP BY CAST(DATE_TRUNC('week', "source"."signup_date") AS DATE)
ORDER BY CAST(DATE_TRUNC('week', "source"."signup_date") AS DATE) ASC;

-- 24: Superset: hourly traffic by platform on weekdays [bi]
SELECT extract(hour FROM ts) AS hour, platform AS platform, COUNT(*) AS "COUNT(*)"
FROM events
WHERE extract(dow FROM ts) BETWEEN 1 AND 5
GROUP BY extract(hour FROM ts), platform
ORDER BY "COUNT(*)" DESC, hour, platform
LIMIT 10000;

-- 25: Metabase table preview of the events [bi] (private rows)
SELECT "events"."event_id" AS "event_id", "events"."user_id" AS "user_id", "events"."event_name" AS "event_name", "events"."ts" AS "ts"
FROM "events"
ORDER BY "events"."ts" ASC, "events"."event_id" ASC
LIMIT 10;

-- 26: Number of users per tag (unnest the tag list) [notebook]
FROM (SELECT id, unnest(tags) AS tag FROM users)
SELECT tag, count(*) AS n
GROUP BY ALL
ORDER BY n DESC, tag;

-- 27: Average latency from the JSON payload by app version [notebook]
SELECT props->>'version' AS version,
       avg((props->>'$.latency_ms')::INT) AS avg_latency,
       count(*) AS n
FROM events
GROUP BY ALL
ORDER BY version;

-- 28: Error rate per platform with FILTER [notebook]
FROM events
SELECT platform,
       count(*) FILTER (WHERE event_name = 'error') AS errors,
       count(*) FILTER (WHERE event_name = 'error') / count(*) AS error_rate
GROUP BY ALL;

-- 29: Pivot of plan by channel, user counts [notebook]
PIVOT (SELECT channel, plan FROM users) ON plan IN ('free', 'pro', 'team', 'enterprise') USING count(*) GROUP BY channel ORDER BY channel;

-- 30: Top three channels by users within each plan [notebook]
SELECT plan, channel, count(*) AS n
FROM users
WHERE channel IS NOT NULL
GROUP BY plan, channel
QUALIFY row_number() OVER (PARTITION BY plan ORDER BY n DESC, channel) <= 3
ORDER BY plan, n DESC, channel;

-- 31: Days from signup to first payment: mean, median and standard deviation [notebook]
WITH first_pay AS (
  SELECT user_id, min(paid_at) AS first_paid FROM payments GROUP BY ALL
)
SELECT avg(d) AS mean_days, median(d) AS median_days, stddev(d) AS sd_days
FROM (SELECT date_diff('day', u.signup_date, f.first_paid::DATE) AS d FROM users u JOIN first_pay f ON u.id = f.user_id);

-- 32: Signups per calendar day in January with missing days filled in as zero [notebook]
WITH days AS (
  SELECT unnest(generate_series(DATE '2025-01-01', DATE '2025-01-31', INTERVAL 1 DAY))::DATE AS d
)
SELECT days.d, count(u.id) AS signups
FROM days LEFT JOIN users u ON u.signup_date = days.d
GROUP BY ALL
ORDER BY ALL;

-- 33: Each user's last event (arg_max) for a drill-down list [notebook] (private rows)
SELECT user_id, max(ts) AS last_seen, arg_max(event_name, (ts, event_id)) AS last_event
FROM events
GROUP BY ALL
ORDER BY last_seen DESC, user_id
LIMIT 20;

-- 34: Users active in the last 12 months relative to today, against all users [analyst]
SELECT count(DISTINCT CASE WHEN e.ts >= CURRENT_DATE - INTERVAL 12 MONTH THEN u.id END) AS recently_active,
       count(DISTINCT u.id) AS all_users
FROM users u
LEFT JOIN events e ON e.user_id = u.id;
