SELECT median(age) FROM visits;
-- plan: QuantilePlan, 'median(age)' DOUBLE (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "age", system.main.count(*) AS score FROM (SELECT t.value AS value FROM (SELECT CAST(CASE WHEN t.value < 0 THEN 0 WHEN t.value > 99 THEN 99 ELSE t.value END AS INTEGER) AS value FROM (SELECT system.main.quantile_disc(t."age", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" IS NOT NULL GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT least(greatest(v, 0), 99), count(*) FROM (SELECT quantile_disc(age, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND age IS NOT NULL AND true GROUP BY uid) GROUP BY ALL;
----
SELECT median(age) AS m FROM visits WHERE ok IS NOT TRUE;
-- plan: QuantilePlan, 'm' DOUBLE (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "age", system.main.count(*) AS score FROM (SELECT t.value AS value FROM (SELECT CAST(CASE WHEN t.value < 0 THEN 0 WHEN t.value > 99 THEN 99 ELSE t.value END AS INTEGER) AS value FROM (SELECT system.main.quantile_disc(t."age", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND (NOT (t."ok" IS NOT DISTINCT FROM TRUE)) AND t."age" IS NOT NULL GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT least(greatest(v, 0), 99), count(*) FROM (SELECT quantile_disc(age, 0.5) AS v FROM visits WHERE (ok IS NOT TRUE) AND uid IS NOT NULL AND age IS NOT NULL AND true GROUP BY uid) GROUP BY ALL;
----
SELECT quantile_cont(age, 0.25) FROM visits;
-- plan: QuantilePlan, 'quantile_cont(age, 0.25)' DOUBLE (value), quantile=1/4, delta=0
-- score:
SELECT t.value AS "age", system.main.count(*) AS score FROM (SELECT t.value AS value FROM (SELECT CAST(CASE WHEN t.value < 0 THEN 0 WHEN t.value > 99 THEN 99 ELSE t.value END AS INTEGER) AS value FROM (SELECT system.main.quantile_disc(t."age", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" IS NOT NULL GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT least(greatest(v, 0), 99), count(*) FROM (SELECT quantile_disc(age, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND age IS NOT NULL AND true GROUP BY uid) GROUP BY ALL;
----
SELECT quantile_disc(age, 0.9) FROM visits;
-- plan: QuantilePlan, 'quantile_disc(age, 0.9)' INTEGER (value), quantile=9/10, delta=0
-- score:
SELECT t.value AS "age", system.main.count(*) AS score FROM (SELECT t.value AS value FROM (SELECT CAST(CASE WHEN t.value < 0 THEN 0 WHEN t.value > 99 THEN 99 ELSE t.value END AS INTEGER) AS value FROM (SELECT system.main.quantile_disc(t."age", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."age" IS NOT NULL GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT least(greatest(v, 0), 99), count(*) FROM (SELECT quantile_disc(age, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND age IS NOT NULL AND true GROUP BY uid) GROUP BY ALL;
----
SELECT median(tiny) FROM visits;
-- plan: QuantilePlan, 'median(tiny)' DOUBLE (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "tiny", system.main.count(*) AS score FROM (SELECT CAST(system.main."-"(CAST(t.value AS HUGEINT), system.main."%"(system.main."-"(CAST(t.value AS HUGEINT), CAST('10' AS HUGEINT)), CAST('20' AS HUGEINT))) AS TINYINT) AS value FROM (SELECT CAST(CASE WHEN t.value < 10 THEN 10 WHEN t.value > 90 THEN 90 ELSE t.value END AS TINYINT) AS value FROM (SELECT system.main.quantile_disc(t."tiny", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."tiny" IS NOT NULL GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT (10 + (least(greatest(v, 10), 90) - 10) // 20 * 20)::TINYINT, count(*) FROM (SELECT quantile_disc(tiny, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND tiny IS NOT NULL AND true GROUP BY uid) GROUP BY ALL;
----
SELECT median(big) FROM visits;
-- plan: QuantilePlan, 'median(big)' DOUBLE (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "big", system.main.count(*) AS score FROM (SELECT CAST(system.main."-"(CAST(t.value AS HUGEINT), system.main."%"(system.main."-"(CAST(t.value AS HUGEINT), CAST('-9000000000000000000' AS HUGEINT)), CAST('1000' AS HUGEINT))) AS BIGINT) AS value FROM (SELECT CAST(CASE WHEN t.value < CAST('-9000000000000000000' AS BIGINT) THEN CAST('-9000000000000000000' AS BIGINT) WHEN t.value > 9000000000000000000 THEN 9000000000000000000 ELSE t.value END AS BIGINT) AS value FROM (SELECT system.main.quantile_disc(t."big", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."big" IS NOT NULL GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT (-9000000000000000000 + (least(greatest(v, -9000000000000000000), 9000000000000000000)::HUGEINT + 9000000000000000000) // 1000 * 1000)::BIGINT, count(*) FROM (SELECT quantile_disc(big, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND big IS NOT NULL AND true GROUP BY uid) GROUP BY ALL;
----
SELECT median(huge) FROM visits;
-- plan: QuantilePlan, 'median(huge)' DOUBLE (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "huge", system.main.count(*) AS score FROM (SELECT CAST(system.main."-"(CAST(t.value AS HUGEINT), system.main."%"(system.main."-"(CAST(t.value AS HUGEINT), CAST('0' AS HUGEINT)), CAST('10' AS HUGEINT))) AS HUGEINT) AS value FROM (SELECT CAST(CASE WHEN t.value < CAST('0' AS HUGEINT) THEN CAST('0' AS HUGEINT) WHEN t.value > CAST('100' AS HUGEINT) THEN CAST('100' AS HUGEINT) ELSE t.value END AS HUGEINT) AS value FROM (SELECT system.main.quantile_disc(t."huge", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."huge" IS NOT NULL GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT least(greatest(v, 0::HUGEINT), 100::HUGEINT) // 10 * 10, count(*) FROM (SELECT quantile_disc(huge, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND huge IS NOT NULL AND true GROUP BY uid) GROUP BY ALL;
----
SELECT median(amount) FROM visits;
-- plan: QuantilePlan, 'median(amount)' DECIMAL(9,2) (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "amount", system.main.count(*) AS score FROM (SELECT CAST(system.main."-"(CAST(t.value AS DECIMAL(38,2)), system.main."%"(system.main."-"(CAST(t.value AS DECIMAL(38,2)), CAST('0.00' AS DECIMAL(38,2))), CAST('0.50' AS DECIMAL(38,2)))) AS DECIMAL(9,2)) AS value FROM (SELECT CASE WHEN t.value < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00' AS DECIMAL(9,2)) WHEN t.value > CAST('50.00' AS DECIMAL(9,2)) THEN CAST('50.00' AS DECIMAL(9,2)) ELSE t.value END AS value FROM (SELECT system.main.quantile_disc(t."amount", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."amount" IS NOT NULL GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT (floor(least(greatest(v, 0), 50) * 2) / 2)::DECIMAL(9,2), count(*) FROM (SELECT quantile_disc(amount, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND amount IS NOT NULL AND true GROUP BY uid) GROUP BY ALL;
----
SELECT median(x) FROM visits;
-- plan: QuantilePlan, 'median(x)' DOUBLE (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "x", system.main.count(*) AS score FROM (SELECT system.main."+"(CAST('0.0' AS DOUBLE), system.main."*"(CASE WHEN system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS DOUBLE)), CAST('4.656612873077393e-10' AS DOUBLE))) > CAST('4294967296.0' AS DOUBLE) THEN CAST('4294967296.0' AS DOUBLE) ELSE system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS DOUBLE)), CAST('4.656612873077393e-10' AS DOUBLE))) END, CAST('4.656612873077393e-10' AS DOUBLE))) AS value FROM (SELECT CASE WHEN CAST(t.value AS DOUBLE) < CAST('0.0' AS DOUBLE) THEN CAST('0.0' AS DOUBLE) WHEN CAST(t.value AS DOUBLE) > CAST('2.0' AS DOUBLE) THEN CAST('2.0' AS DOUBLE) ELSE CAST(t.value AS DOUBLE) END AS value FROM (SELECT system.main.quantile_disc(t."x", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."x" IS NOT NULL AND (NOT system.main.isnan(t."x")) GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT floor(least(greatest(v, 0), 2) * 2147483648) / 2147483648, count(*) FROM (SELECT quantile_disc(x, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND x IS NOT NULL AND NOT isnan(x) GROUP BY uid) GROUP BY ALL;
----
SELECT median(f) FROM visits;
-- plan: QuantilePlan, 'median(f)' FLOAT (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "f", system.main.count(*) AS score FROM (SELECT system.main."+"(CAST('0.0' AS DOUBLE), system.main."*"(CASE WHEN system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS DOUBLE)), CAST('0.25' AS DOUBLE))) > CAST('8.0' AS DOUBLE) THEN CAST('8.0' AS DOUBLE) ELSE system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS DOUBLE)), CAST('0.25' AS DOUBLE))) END, CAST('0.25' AS DOUBLE))) AS value FROM (SELECT CASE WHEN CAST(t.value AS DOUBLE) < CAST('0.0' AS DOUBLE) THEN CAST('0.0' AS DOUBLE) WHEN CAST(t.value AS DOUBLE) > CAST('2.0' AS DOUBLE) THEN CAST('2.0' AS DOUBLE) ELSE CAST(t.value AS DOUBLE) END AS value FROM (SELECT system.main.quantile_disc(t."f", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."f" IS NOT NULL AND (NOT system.main.isnan(t."f")) GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT floor(least(greatest(v, 0::FLOAT), 2::FLOAT)::DOUBLE * 4) / 4, count(*) FROM (SELECT quantile_disc(f, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND f IS NOT NULL AND NOT isnan(f) GROUP BY uid) GROUP BY ALL;
----
SELECT median(day) FROM visits;
-- plan: QuantilePlan, 'median("day")' TIMESTAMP (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "day", system.main.count(*) AS score FROM (SELECT system.main."-"(t.value, CAST(system.main."%"(system.main."-"(t.value, DATE '2024-01-05'), 2) AS INTEGER)) AS value FROM (SELECT CASE WHEN t.value < DATE '2024-01-05' THEN DATE '2024-01-05' WHEN t.value > DATE '2024-01-31' THEN DATE '2024-01-31' ELSE t.value END AS value FROM (SELECT system.main.quantile_disc(t."day", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."day" IS NOT NULL GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT DATE '2024-01-05' + ((least(greatest(v, DATE '2024-01-05'), DATE '2024-01-31') - DATE '2024-01-05') // 2 * 2)::INTEGER, count(*) FROM (SELECT quantile_disc(day, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND day IS NOT NULL AND true GROUP BY uid) GROUP BY ALL;
----
SELECT quantile_disc(day, 0.5) FROM visits;
-- plan: QuantilePlan, 'quantile_disc("day", 0.5)' DATE (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "day", system.main.count(*) AS score FROM (SELECT system.main."-"(t.value, CAST(system.main."%"(system.main."-"(t.value, DATE '2024-01-05'), 2) AS INTEGER)) AS value FROM (SELECT CASE WHEN t.value < DATE '2024-01-05' THEN DATE '2024-01-05' WHEN t.value > DATE '2024-01-31' THEN DATE '2024-01-31' ELSE t.value END AS value FROM (SELECT system.main.quantile_disc(t."day", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."day" IS NOT NULL GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT DATE '2024-01-05' + ((least(greatest(v, DATE '2024-01-05'), DATE '2024-01-31') - DATE '2024-01-05') // 2 * 2)::INTEGER, count(*) FROM (SELECT quantile_disc(day, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND day IS NOT NULL AND true GROUP BY uid) GROUP BY ALL;
----
SELECT median(moment) FROM visits;
-- plan: QuantilePlan, 'median(moment)' TIMESTAMP (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "moment", system.main.count(*) AS score FROM (SELECT system.main.make_timestamp(system.main."-"(system.main.epoch_us(t.value), system.main."%"(system.main."-"(system.main.epoch_us(t.value), 1704153600000000), 3600000000))) AS value FROM (SELECT CASE WHEN t.value < TIMESTAMP '2024-01-02 00:00:00' THEN TIMESTAMP '2024-01-02 00:00:00' WHEN t.value > TIMESTAMP '2024-01-04 00:00:00' THEN TIMESTAMP '2024-01-04 00:00:00' ELSE t.value END AS value FROM (SELECT system.main.quantile_disc(t."moment", 0.5) AS value FROM "memory"."main"."visits" AS t WHERE t."uid" IS NOT NULL AND t."moment" IS NOT NULL GROUP BY t."uid") AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT date_trunc('hour', least(greatest(v, TIMESTAMP '2024-01-02'), TIMESTAMP '2024-01-04')), count(*) FROM (SELECT quantile_disc(moment, 0.5) AS v FROM visits WHERE (true) AND uid IS NOT NULL AND moment IS NOT NULL AND true GROUP BY uid) GROUP BY ALL;
----
SELECT median(age) FROM people;
-- plan: QuantilePlan, 'median(age)' DOUBLE (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "age", system.main.count(*) AS score FROM (SELECT t.value AS value FROM (SELECT CAST(CASE WHEN t.value < 18 THEN 18 WHEN t.value > 80 THEN 80 ELSE t.value END AS INTEGER) AS value FROM (SELECT t_."age" AS value FROM "memory"."main"."people" AS t_ WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT least(greatest(v, 18), 80), count(*) FROM (SELECT quantile_disc(age, 0.5) AS v FROM people WHERE (true) AND id IS NOT NULL AND age IS NOT NULL AND true GROUP BY id) GROUP BY ALL;
----
SELECT median(income) FROM people;
-- plan: QuantilePlan, 'median(income)' DOUBLE (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "income", system.main.count(*) AS score FROM (SELECT system.main."+"(CAST('0.0' AS DOUBLE), system.main."*"(CASE WHEN system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS DOUBLE)), CAST('100.0' AS DOUBLE))) > CAST('5.0' AS DOUBLE) THEN CAST('5.0' AS DOUBLE) ELSE system.main.floor(system.main."/"(system.main."-"(t.value, CAST('0.0' AS DOUBLE)), CAST('100.0' AS DOUBLE))) END, CAST('100.0' AS DOUBLE))) AS value FROM (SELECT CASE WHEN CAST(t.value AS DOUBLE) < CAST('0.0' AS DOUBLE) THEN CAST('0.0' AS DOUBLE) WHEN CAST(t.value AS DOUBLE) > CAST('500.0' AS DOUBLE) THEN CAST('500.0' AS DOUBLE) ELSE CAST(t.value AS DOUBLE) END AS value FROM (SELECT t_."income" AS value FROM "memory"."main"."people" AS t_ WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income"))) AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT floor(least(greatest(v, 0), 500) / 100) * 100, count(*) FROM (SELECT quantile_disc(income, 0.5) AS v FROM people WHERE (true) AND id IS NOT NULL AND income IS NOT NULL AND NOT isnan(income) GROUP BY id) GROUP BY ALL;
----
SELECT median(born) FROM people WHERE region = 'r1';
-- plan: QuantilePlan, 'median(born)' TIMESTAMP (value), quantile=1/2, delta=0
-- score:
SELECT t.value AS "born", system.main.count(*) AS score FROM (SELECT t.value AS value FROM (SELECT CASE WHEN t.value < DATE '1950-01-01' THEN DATE '1950-01-01' WHEN t.value > DATE '1970-01-01' THEN DATE '1970-01-01' ELSE t.value END AS value FROM (SELECT t_."born" AS value FROM "memory"."main"."people" AS t_ WHERE t_."id" IS NOT NULL AND t_."region" = 'r1' AND t_."born" IS NOT NULL) AS t) AS t) AS t GROUP BY t.value;
-- plain:
SELECT least(greatest(v, DATE '1950-01-01'), DATE '1970-01-01'), count(*) FROM (SELECT quantile_disc(born, 0.5) AS v FROM people WHERE (region = 'r1') AND id IS NOT NULL AND born IS NOT NULL AND true GROUP BY id) GROUP BY ALL;
