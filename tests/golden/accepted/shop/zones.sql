SELECT count(*) FROM visits WHERE zone >= '2024-03-31';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE zone >= '2024-03-31 00:00:00+00';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."zone" >= CAST('2024-03-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE)))
    AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT count(*) FROM visits WHERE zone BETWEEN TIMESTAMPTZ '2024-03-31 02:00:00+02' AND '2024-03-31 12:00:00';
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE zone BETWEEN '2024-03-31 00:00:00+00' AND '2024-03-31 12:00:00+00';
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."zone" >= CAST('2024-03-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE))
        AND (t_."zone" <= CAST('2024-03-31 12:00:00+00' AS TIMESTAMP WITH TIME ZONE)))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT date_trunc('day', zone) AS d, count(*) AS n FROM visits GROUP BY d ORDER BY d;
-- plain:
SELECT date_trunc('day', zone) AS d, count(DISTINCT uid) AS n FROM visits WHERE isfinite(zone) GROUP BY d ORDER BY d;
-- plan: EveryKey groups=3, 'd' TIMESTAMP WITH TIME ZONE, Count 0.5 x3
-- score:
SELECT t.k0 AS "d", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.make_timestamptz(system.main.epoch_us(system.main.date_trunc('day', (CASE WHEN
              system.main.make_timestamp(system.main.epoch_us(t_."zone")) BETWEEN TIMESTAMP
              '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
              system.main.isinf(system.main.make_timestamp(system.main.epoch_us(t_."zone"))) THEN
              system.main.make_timestamp(system.main.epoch_us(t_."zone")) END)))) AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CASE WHEN
        system.main.make_timestamptz(system.main.epoch_us(system.main.date_trunc('day', (CASE WHEN
                system.main.make_timestamp(system.main.epoch_us(t_."zone")) BETWEEN TIMESTAMP
                '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
                system.main.isinf(system.main.make_timestamp(system.main.epoch_us(t_."zone"))) THEN
                system.main.make_timestamp(system.main.epoch_us(t_."zone")) END)))) >= CAST('2024-03-30 00:00:00+00'
          AS TIMESTAMP WITH TIME ZONE) AND
        system.main.make_timestamptz(system.main.epoch_us(system.main.date_trunc('day', (CASE WHEN
                system.main.make_timestamp(system.main.epoch_us(t_."zone")) BETWEEN TIMESTAMP
                '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
                system.main.isinf(system.main.make_timestamp(system.main.epoch_us(t_."zone"))) THEN
                system.main.make_timestamp(system.main.epoch_us(t_."zone")) END)))) <= CAST('2024-04-01 00:00:00+00'
          AS TIMESTAMP WITH TIME ZONE) THEN system.main."%"(system.main."-"(system.main.epoch_us(system.main.make_timestamptz(system.main.epoch_us(system.main.date_trunc('day',
                    (CASE WHEN system.main.make_timestamp(system.main.epoch_us(t_."zone")) BETWEEN TIMESTAMP
                      '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
                      system.main.isinf(system.main.make_timestamp(system.main.epoch_us(t_."zone"))) THEN
                      system.main.make_timestamp(system.main.epoch_us(t_."zone")) END))))), CAST('1711756800000000'
              AS BIGINT)), CAST('86400000000' AS BIGINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "d", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT (zone AT TIME ZONE 'Europe/Berlin')::DATE AS d, count(*) AS n FROM visits GROUP BY d ORDER BY d;
-- plain:
SELECT (zone AT TIME ZONE 'Europe/Berlin')::DATE AS d, count(DISTINCT uid) AS n FROM visits WHERE isfinite(zone) AND zone < '2024-04-01 22:00:00+00' GROUP BY d ORDER BY d;
-- plan: EveryKey groups=3, 'd' DATE, Count 0.5 x3
-- score:
SELECT t.k0 AS "d", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT CAST(system.main.timezone('Europe/Berlin', (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00'
              AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) OR
            system.main.isinf(t_."zone") THEN t_."zone" END)) AS DATE) AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (CAST(system.main.timezone('Europe/Berlin', (CASE WHEN t_."zone" BETWEEN
              CAST('140000-01-01 (BC) 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00'
                AS TIMESTAMP WITH TIME ZONE) OR system.main.isinf(t_."zone") THEN t_."zone" END)) AS DATE) >=
        DATE '2024-03-30' AND CAST(system.main.timezone('Europe/Berlin', (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00'
                AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE)
              OR system.main.isinf(t_."zone") THEN t_."zone" END)) AS DATE) <= DATE '2024-04-01')) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "d", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT date_trunc('hour', timezone('America/New_York', zone)) AS d, count(*) AS n FROM visits WHERE zone < '2024-03-30 06:00:00' GROUP BY d ORDER BY d;
-- plain:
SELECT date_trunc('hour', zone AT TIME ZONE 'America/New_York') AS d, count(DISTINCT uid) AS n FROM visits WHERE zone < '2024-03-30 06:00:00+00' GROUP BY d ORDER BY d;
-- plan: EveryKey groups=6, 'd' TIMESTAMP, Count 0.5 x6 gaussian 6
-- score:
SELECT t.k0 AS "d", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.date_trunc('hour', (CASE WHEN system.main.timezone('America/New_York', (CASE WHEN
              t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00'
                AS TIMESTAMP WITH TIME ZONE) OR system.main.isinf(t_."zone") THEN t_."zone" END)) BETWEEN
          TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
          system.main.isinf(system.main.timezone('America/New_York', (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00'
                  AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME
                  ZONE) OR system.main.isinf(t_."zone") THEN t_."zone" END))) THEN system.main.timezone('America/New_York',
            (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) AND
              CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) OR system.main.isinf(t_."zone")
              THEN t_."zone" END)) END)) AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."zone" < CAST('2024-03-30 06:00:00+00' AS TIMESTAMP WITH TIME ZONE))
      AND (CASE WHEN system.main.date_trunc('hour', (CASE WHEN system.main.timezone('America/New_York', (CASE
                WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) AND
                CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) OR system.main.isinf(t_."zone")
                THEN t_."zone" END)) BETWEEN TIMESTAMP '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
            system.main.isinf(system.main.timezone('America/New_York', (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00'
                    AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME
                    ZONE) OR system.main.isinf(t_."zone") THEN t_."zone" END))) THEN system.main.timezone('America/New_York',
              (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00' AS TIMESTAMP WITH TIME ZONE)
                AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) OR system.main.isinf(t_."zone")
                THEN t_."zone" END)) END)) >= TIMESTAMP '2024-03-29 20:00:00' AND system.main.date_trunc('hour',
          (CASE WHEN system.main.timezone('America/New_York', (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00'
                  AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME
                  ZONE) OR system.main.isinf(t_."zone") THEN t_."zone" END)) BETWEEN TIMESTAMP
            '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(system.main.timezone('America/New_York',
                (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00' AS TIMESTAMP WITH TIME ZONE)
                  AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) OR system.main.isinf(t_."zone")
                  THEN t_."zone" END))) THEN system.main.timezone('America/New_York', (CASE WHEN t_."zone"
                BETWEEN CAST('140000-01-01 (BC) 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00'
                  AS TIMESTAMP WITH TIME ZONE) OR system.main.isinf(t_."zone") THEN t_."zone" END)) END)) <=
        TIMESTAMP '2024-03-30 01:00:00' THEN system.main."%"(system.main."-"(system.main.epoch_us(system.main.date_trunc('hour',
                (CASE WHEN system.main.timezone('America/New_York', (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00'
                        AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH
                        TIME ZONE) OR system.main.isinf(t_."zone") THEN t_."zone" END)) BETWEEN TIMESTAMP
                  '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR system.main.isinf(system.main.timezone('America/New_York',
                      (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00' AS TIMESTAMP WITH TIME
                          ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) OR
                        system.main.isinf(t_."zone") THEN t_."zone" END))) THEN system.main.timezone('America/New_York',
                    (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00' AS TIMESTAMP WITH TIME
                        ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) OR
                      system.main.isinf(t_."zone") THEN t_."zone" END)) END))), CAST('1711742400000000' AS
              BIGINT)), CAST('3600000000' AS BIGINT)) = 0 ELSE FALSE END)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "d", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT hour(moment AT TIME ZONE 'UTC' AT TIME ZONE 'Asia/Kolkata') AS h, count(*) AS n FROM visits GROUP BY h ORDER BY h;
-- plain:
SELECT hour(moment + INTERVAL '5 hours 30 minutes') AS h, count(DISTINCT uid) AS n FROM visits WHERE isfinite(moment) GROUP BY h ORDER BY h;
-- plan: EveryKey groups=24, 'h' BIGINT, Count 0.5 x24 gaussian 24
-- score:
SELECT t.k0 AS "h", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT system.main.hour(system.main.timezone('Asia/Kolkata', (CASE WHEN
            system.main.make_timestamptz(system.main.epoch_us(t_."moment")) BETWEEN CAST('140000-01-01 (BC) 00:00:00+00'
              AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) OR
            system.main.isinf(system.main.make_timestamptz(system.main.epoch_us(t_."moment"))) THEN
            system.main.make_timestamptz(system.main.epoch_us(t_."moment")) END))) AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (system.main.hour(system.main.timezone('Asia/Kolkata', (CASE WHEN
              system.main.make_timestamptz(system.main.epoch_us(t_."moment")) BETWEEN CAST('140000-01-01 (BC) 00:00:00+00'
                AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE)
              OR system.main.isinf(system.main.make_timestamptz(system.main.epoch_us(t_."moment"))) THEN
              system.main.make_timestamptz(system.main.epoch_us(t_."moment")) END))) >= 0 AND
        system.main.hour(system.main.timezone('Asia/Kolkata', (CASE WHEN
              system.main.make_timestamptz(system.main.epoch_us(t_."moment")) BETWEEN CAST('140000-01-01 (BC) 00:00:00+00'
                AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME ZONE)
              OR system.main.isinf(system.main.make_timestamptz(system.main.epoch_us(t_."moment"))) THEN
              system.main.make_timestamptz(system.main.epoch_us(t_."moment")) END))) <= 23)) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "h", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT epoch(median(zone)) AS m, epoch(max(zone)) AS h, epoch(quantile_disc(zone AT TIME ZONE 'Asia/Tokyo', 0.25)) AS q FROM visits;
-- plain:
SELECT [1711756800, 1711972800] AS m, [1711952800, 1711972800] AS h, [1711789200, 1712005200] AS q;
-- plan: OneGroup, Quantile 0.1517 x1, Quantile 0.1625 x1, Quantile 0.1858 x1
-- score:
SELECT t.value AS "zone", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(system.main."-"(system.main.epoch_us(t.value), CAST('1711756800000000' AS
                BIGINT)), CAST('13183614' AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < CAST('2024-03-30 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) THEN CAST('2024-03-30 00:00:00+00'
              AS TIMESTAMP WITH TIME ZONE) WHEN t.value > CAST('2024-04-01 12:00:00+00' AS TIMESTAMP WITH TIME
              ZONE) THEN CAST('2024-04-01 12:00:00+00' AS TIMESTAMP WITH TIME ZONE) ELSE t.value END AS value,
            t.unit
          FROM (SELECT t_."zone" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."zone" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- score:
SELECT t.value AS "zone", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(system.main."-"(system.main.epoch_us(t.value), CAST('1711756800000000' AS
                BIGINT)), CAST('13183614' AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < CAST('2024-03-30 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) THEN CAST('2024-03-30 00:00:00+00'
              AS TIMESTAMP WITH TIME ZONE) WHEN t.value > CAST('2024-04-01 12:00:00+00' AS TIMESTAMP WITH TIME
              ZONE) THEN CAST('2024-04-01 12:00:00+00' AS TIMESTAMP WITH TIME ZONE) ELSE t.value END AS value,
            t.unit
          FROM (SELECT t_."zone" AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND t_."zone" IS NOT NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- score:
SELECT t.value AS "key", CAST(system.main.sum(t.part) AS BIGINT) AS score
FROM (SELECT t.value, system.main."-"(system.main."//"(system.main."*"(t.upto, CAST('65536' AS BIGINT)),
        t.total), system.main."//"(system.main."*"(system.main."-"(t.upto, t.times), CAST('65536' AS BIGINT)),
        t.total)) AS part
  FROM (SELECT t.*, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit
        ORDER BY t.value ASC) AS BIGINT) AS upto, CAST(system.main.sum(t.times) OVER (PARTITION BY t.unit) AS
        BIGINT) AS total
    FROM (SELECT t.unit, t.value, system.main.count(*) AS times
      FROM (SELECT system.main."//"(system.main."-"(system.main.epoch_us(t.value), CAST('1711789200000000' AS
                BIGINT)), CAST('13183614' AS BIGINT)) AS value, t.unit
        FROM (SELECT CASE WHEN t.value < TIMESTAMP '2024-03-30 09:00:00' THEN TIMESTAMP '2024-03-30 09:00:00'
            WHEN t.value > TIMESTAMP '2024-04-01 21:00:00' THEN TIMESTAMP '2024-04-01 21:00:00' ELSE t.value
            END AS value, t.unit
          FROM (SELECT system.main.timezone('Asia/Tokyo', (CASE WHEN t_."zone" BETWEEN CAST('140000-01-01 (BC) 00:00:00+00'
                    AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00' AS TIMESTAMP WITH TIME
                    ZONE) OR system.main.isinf(t_."zone") THEN t_."zone" END)) AS value, t_."uid" AS unit
            FROM "memory"."main"."visits" AS t_
            WHERE t_."uid" IS NOT NULL AND system.main.timezone('Asia/Tokyo', (CASE WHEN t_."zone" BETWEEN
                  CAST('140000-01-01 (BC) 00:00:00+00' AS TIMESTAMP WITH TIME ZONE) AND CAST('140000-12-31 00:00:00+00'
                    AS TIMESTAMP WITH TIME ZONE) OR system.main.isinf(t_."zone") THEN t_."zone" END)) IS NOT
              NULL) AS t) AS t) AS t
      GROUP BY t.unit, t.value) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT system.main.epoch("answer"."a0") AS "m", system.main.epoch("answer"."a1") AS "h", system.main.epoch("answer"."a2")
  AS "q"
FROM "answer";
----
SELECT count(DISTINCT zone) FROM visits;
-- plain:
SELECT count(DISTINCT zone) FROM visits WHERE uid IS NOT NULL;
-- plan: OneGroup, ChosenDistinct 0.5 x1
-- score:
SELECT t.value AS "level", system.main.count(*) AS score
FROM (SELECT CASE WHEN t.place <= CAST('1' AS BIGINT) THEN CAST('0' AS BIGINT) WHEN t.place <= CAST('2' AS
      BIGINT) THEN CAST('1' AS BIGINT) WHEN t.place <= CAST('4' AS BIGINT) THEN CAST('2' AS BIGINT) WHEN
    t.place <= CAST('8' AS BIGINT) THEN CAST('3' AS BIGINT) WHEN t.place <= CAST('16' AS BIGINT) THEN CAST('4'
      AS BIGINT) WHEN t.place <= CAST('32' AS BIGINT) THEN CAST('5' AS BIGINT) WHEN t.place <= CAST('64' AS
      BIGINT) THEN CAST('6' AS BIGINT) WHEN t.place <= CAST('128' AS BIGINT) THEN CAST('7' AS BIGINT) WHEN
    t.place <= CAST('256' AS BIGINT) THEN CAST('8' AS BIGINT) WHEN t.place <= CAST('512' AS BIGINT) THEN CAST('9'
      AS BIGINT) ELSE CAST('10' AS BIGINT) END AS value
  FROM (SELECT system.main.min(t.place) AS place
    FROM (SELECT t.value, system.main.dense_rank() OVER (PARTITION BY t.unit
        ORDER BY system.main.hash(t.unit, t.value, CAST('20241121' AS BIGINT)), t.value) AS place
      FROM (SELECT t_."zone" AS value, t_."uid" AS unit
        FROM "memory"."main"."visits" AS t_
        WHERE t_."uid" IS NOT NULL AND t_."zone" IS NOT NULL) AS t) AS t
    GROUP BY t.value) AS t
  WHERE t.place <= CAST('1024' AS BIGINT)) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "count(DISTINCT ""zone"")"
FROM "answer";
----
SELECT count(*) FROM visits WHERE zone + INTERVAL 1 DAY > '2024-04-02' AND extract(hour FROM zone) < 12;
-- plain:
SELECT count(DISTINCT uid) FROM visits WHERE zone > '2024-04-01 00:00:00+00' AND hour(zone AT TIME ZONE 'UTC') < 12;
-- plan: OneGroup, Count 0.5 x1
-- score:
SELECT system.main.count(*) AS score
FROM (SELECT t.unit
  FROM (SELECT t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (system.main.hour(system.main.make_timestamp(system.main.epoch_us(t_."zone")))
        < 12) AND (system.main.make_timestamptz(system.main.epoch_us(system.main."+"((CASE WHEN
                system.main.make_timestamp(system.main.epoch_us(t_."zone")) BETWEEN TIMESTAMP
                '140000-01-01 (BC)' AND TIMESTAMP '140000-12-31' OR
                system.main.isinf(system.main.make_timestamp(system.main.epoch_us(t_."zone"))) THEN
                system.main.make_timestamp(system.main.epoch_us(t_."zone")) END), CAST('0 months 1 days 0 microseconds'
                AS INTERVAL)))) > CAST('2024-04-02 00:00:00+00' AS TIMESTAMP WITH TIME ZONE))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "count_star()"
FROM "answer";
----
SELECT zone, count(*) AS n FROM visits WHERE zone BETWEEN '2024-03-30 00:37:00' AND '2024-03-30 00:37:00.000002' GROUP BY zone ORDER BY zone;
-- plain:
SELECT TIMESTAMPTZ '2024-03-30 00:37:00+00' + to_microseconds(i) AS zone, (SELECT count(DISTINCT uid) FROM visits WHERE zone = TIMESTAMPTZ '2024-03-30 00:37:00+00' + to_microseconds(i)) AS n FROM range(3) AS r(i) ORDER BY zone;
-- plan: EveryKey groups=3, 'zone' TIMESTAMP WITH TIME ZONE, Count 0.5 x3
-- score:
SELECT t.k0 AS "zone", system.main.count(*) AS score
FROM (SELECT t.k0, t.unit
  FROM (SELECT t_."zone" AS k0, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND ((t_."zone" >= CAST('2024-03-30 00:37:00+00' AS TIMESTAMP WITH TIME ZONE))
        AND (t_."zone" <= CAST('2024-03-30 00:37:00.000002+00' AS TIMESTAMP WITH TIME ZONE))) AND (t_."zone"
        >= CAST('2024-03-30 00:37:00+00' AS TIMESTAMP WITH TIME ZONE) AND t_."zone" <= CAST('2024-03-30 00:37:00.000002+00'
          AS TIMESTAMP WITH TIME ZONE))) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "zone", "answer"."a0" AS "n"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
