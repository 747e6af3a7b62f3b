SELECT sum(age) FROM people;
-- plain:
SELECT sum(least(greatest(age, 18), 80)) FROM people;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18' AS
          HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."age" < CAST('-83886080' AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN
        t_."age" > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE t_."age" END AS HUGEINT)
      AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(age)"
FROM "answer";
----
SELECT sum(age) AS total FROM visits WHERE age < 40;
-- plain:
SELECT sum(s) FROM (SELECT sum(greatest(age, 0)) AS s FROM visits WHERE age < 40 AND uid IS NOT NULL GROUP BY uid);
-- plan: OneGroup, ClampedSum 0.5 x1
-- score:
SELECT t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN t.part > CAST('0'
        AS HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS HUGEINT) THEN CAST('-1' AS BIGINT) ELSE
      CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('1' AS HUGEINT) THEN CAST('0' AS BIGINT) WHEN t.size <= CAST('2' AS
      HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('4' AS HUGEINT) THEN CAST('2' AS BIGINT) WHEN
    t.size <= CAST('8' AS HUGEINT) THEN CAST('3' AS BIGINT) WHEN t.size <= CAST('16' AS HUGEINT) THEN CAST('4'
      AS BIGINT) WHEN t.size <= CAST('32' AS HUGEINT) THEN CAST('5' AS BIGINT) WHEN t.size <= CAST('64' AS
      HUGEINT) THEN CAST('6' AS BIGINT) WHEN t.size <= CAST('128' AS HUGEINT) THEN CAST('7' AS BIGINT) WHEN
    t.size <= CAST('256' AS HUGEINT) THEN CAST('8' AS BIGINT) WHEN t.size <= CAST('512' AS HUGEINT) THEN CAST('9'
      AS BIGINT) WHEN t.size <= CAST('1024' AS HUGEINT) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('2048'
      AS HUGEINT) THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('4096' AS HUGEINT) THEN CAST('12' AS BIGINT)
    WHEN t.size <= CAST('8192' AS HUGEINT) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('16384' AS HUGEINT)
    THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('32768' AS HUGEINT) THEN CAST('15' AS BIGINT) WHEN t.size <=
    CAST('65536' AS HUGEINT) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('131072' AS HUGEINT) THEN CAST('17'
      AS BIGINT) WHEN t.size <= CAST('262144' AS HUGEINT) THEN CAST('18' AS BIGINT) WHEN t.size <= CAST('524288'
      AS HUGEINT) THEN CAST('19' AS BIGINT) WHEN t.size <= CAST('1048576' AS HUGEINT) THEN CAST('20' AS
      BIGINT) WHEN t.size <= CAST('2097152' AS HUGEINT) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('4194304'
      AS HUGEINT) THEN CAST('22' AS BIGINT) WHEN t.size <= CAST('8388608' AS HUGEINT) THEN CAST('23' AS
      BIGINT) WHEN t.size <= CAST('16777216' AS HUGEINT) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('33554432'
      AS HUGEINT) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('67108864' AS HUGEINT) THEN CAST('26' AS
      BIGINT) ELSE CAST('27' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT),
            CAST('0' AS HUGEINT)), CAST('134217728' AS HUGEINT)) AS part
      FROM (SELECT CAST(CASE WHEN t_."age" < CAST('0' AS INTEGER) THEN CAST('0' AS INTEGER) WHEN t_."age" >
            CAST('134217728' AS INTEGER) THEN CAST('134217728' AS INTEGER) ELSE t_."age" END AS HUGEINT) AS
          value, t_."uid" AS unit
        FROM "memory"."main"."visits" AS t_
        WHERE t_."uid" IS NOT NULL AND (t_."age" < 40) AND t_."age" IS NOT NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "total"
FROM "answer";
----
SELECT sum(amount) FROM visits WHERE amount < 4;
-- plain:
SELECT sum(s) FROM (SELECT sum(greatest(amount, 0)) AS s FROM visits WHERE amount < 4 AND uid IS NOT NULL GROUP BY uid);
-- plan: OneGroup, ClampedSum 0.5 x1
-- score:
SELECT t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN t.part > CAST('0'
        AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS DECIMAL(38,2)) THEN CAST('-1' AS
        BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('0.01' AS DECIMAL(38,2)) THEN CAST('0' AS BIGINT) WHEN t.size <=
    CAST('0.02' AS DECIMAL(38,2)) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('0.04' AS DECIMAL(38,2)) THEN
    CAST('2' AS BIGINT) WHEN t.size <= CAST('0.08' AS DECIMAL(38,2)) THEN CAST('3' AS BIGINT) WHEN t.size <=
    CAST('0.16' AS DECIMAL(38,2)) THEN CAST('4' AS BIGINT) WHEN t.size <= CAST('0.32' AS DECIMAL(38,2)) THEN
    CAST('5' AS BIGINT) WHEN t.size <= CAST('0.64' AS DECIMAL(38,2)) THEN CAST('6' AS BIGINT) WHEN t.size <=
    CAST('1.28' AS DECIMAL(38,2)) THEN CAST('7' AS BIGINT) WHEN t.size <= CAST('2.56' AS DECIMAL(38,2)) THEN
    CAST('8' AS BIGINT) WHEN t.size <= CAST('5.12' AS DECIMAL(38,2)) THEN CAST('9' AS BIGINT) WHEN t.size <=
    CAST('10.24' AS DECIMAL(38,2)) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('20.48' AS DECIMAL(38,2))
    THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('40.96' AS DECIMAL(38,2)) THEN CAST('12' AS BIGINT) WHEN
    t.size <= CAST('81.92' AS DECIMAL(38,2)) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('163.84' AS
      DECIMAL(38,2)) THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('327.68' AS DECIMAL(38,2)) THEN CAST('15'
      AS BIGINT) WHEN t.size <= CAST('655.36' AS DECIMAL(38,2)) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('1310.72'
      AS DECIMAL(38,2)) THEN CAST('17' AS BIGINT) WHEN t.size <= CAST('2621.44' AS DECIMAL(38,2)) THEN CAST('18'
      AS BIGINT) WHEN t.size <= CAST('5242.88' AS DECIMAL(38,2)) THEN CAST('19' AS BIGINT) WHEN t.size <=
    CAST('10485.76' AS DECIMAL(38,2)) THEN CAST('20' AS BIGINT) WHEN t.size <= CAST('20971.52' AS
      DECIMAL(38,2)) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('41943.04' AS DECIMAL(38,2)) THEN CAST('22'
      AS BIGINT) WHEN t.size <= CAST('83886.08' AS DECIMAL(38,2)) THEN CAST('23' AS BIGINT) WHEN t.size <=
    CAST('167772.16' AS DECIMAL(38,2)) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('335544.32' AS
      DECIMAL(38,2)) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('671088.64' AS DECIMAL(38,2)) THEN CAST('26'
      AS BIGINT) WHEN t.size <= CAST('1342177.28' AS DECIMAL(38,2)) THEN CAST('27' AS BIGINT) WHEN t.size <=
    CAST('2684354.56' AS DECIMAL(38,2)) THEN CAST('28' AS BIGINT) WHEN t.size <= CAST('5368709.12' AS
      DECIMAL(38,2)) THEN CAST('29' AS BIGINT) WHEN t.size <= CAST('10737418.24' AS DECIMAL(38,2)) THEN CAST('30'
      AS BIGINT) WHEN t.size <= CAST('21474836.48' AS DECIMAL(38,2)) THEN CAST('31' AS BIGINT) WHEN t.size <=
    CAST('42949672.96' AS DECIMAL(38,2)) THEN CAST('32' AS BIGINT) ELSE CAST('33' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              DECIMAL(38,2)), CAST('0' AS DECIMAL(38,2))), CAST('85899345.92' AS DECIMAL(38,2))) AS part
      FROM (SELECT CAST(CASE WHEN t_."amount" < CAST('0.00' AS DECIMAL(9,2)) THEN CAST('0.00' AS DECIMAL(9,2))
            WHEN t_."amount" > CAST('9999999.99' AS DECIMAL(9,2)) THEN CAST('9999999.99' AS DECIMAL(9,2)) ELSE
            t_."amount" END AS DECIMAL(38,2)) AS value, t_."uid" AS unit
        FROM "memory"."main"."visits" AS t_
        WHERE t_."uid" IS NOT NULL AND (t_."amount" < CAST('4.00' AS DECIMAL(9,2))) AND t_."amount" IS NOT
          NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "sum(amount)"
FROM "answer";
----
SELECT sum(income) FROM people;
-- plain:
SELECT sum(least(greatest(income, 0), 500)) FROM people WHERE NOT isnan(income);
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS DECIMAL(38,12)) ELSE system.main.sum(t.part)
  END AS score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS DECIMAL(38,12)), CAST('0.000000000000'
          AS DECIMAL(38,12))), CAST('500.000000000000' AS DECIMAL(38,12))) AS part
  FROM (SELECT CAST(CASE WHEN t_."income" < CAST('-524288000.0' AS DOUBLE) THEN CAST('-524288000.0' AS DOUBLE)
        WHEN t_."income" > CAST('524288000.0' AS DOUBLE) THEN CAST('524288000.0' AS DOUBLE) ELSE t_."income"
        END AS DECIMAL(38,12)) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income"))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(income)"
FROM "answer";
----
SELECT sum(f) FROM visits;
-- plain:
SELECT sum(s) FROM (SELECT sum(f) AS s FROM visits WHERE NOT isnan(f) AND uid IS NOT NULL GROUP BY uid);
-- plan: OneGroup, ClampedSum 0.5 x1
-- score:
SELECT t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN t.part > CAST('0'
        AS DECIMAL(38,14)) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS DECIMAL(38,14)) THEN CAST('-1'
        AS BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('0.00000000000001' AS DECIMAL(38,14)) THEN CAST('0' AS BIGINT) WHEN
    t.size <= CAST('0.00000000000002' AS DECIMAL(38,14)) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('0.00000000000004'
      AS DECIMAL(38,14)) THEN CAST('2' AS BIGINT) WHEN t.size <= CAST('0.00000000000008' AS DECIMAL(38,14))
    THEN CAST('3' AS BIGINT) WHEN t.size <= CAST('0.00000000000016' AS DECIMAL(38,14)) THEN CAST('4' AS
      BIGINT) WHEN t.size <= CAST('0.00000000000032' AS DECIMAL(38,14)) THEN CAST('5' AS BIGINT) WHEN t.size
    <= CAST('0.00000000000064' AS DECIMAL(38,14)) THEN CAST('6' AS BIGINT) WHEN t.size <= CAST('0.00000000000128'
      AS DECIMAL(38,14)) THEN CAST('7' AS BIGINT) WHEN t.size <= CAST('0.00000000000256' AS DECIMAL(38,14))
    THEN CAST('8' AS BIGINT) WHEN t.size <= CAST('0.00000000000512' AS DECIMAL(38,14)) THEN CAST('9' AS
      BIGINT) WHEN t.size <= CAST('0.00000000001024' AS DECIMAL(38,14)) THEN CAST('10' AS BIGINT) WHEN t.size
    <= CAST('0.00000000002048' AS DECIMAL(38,14)) THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('0.00000000004096'
      AS DECIMAL(38,14)) THEN CAST('12' AS BIGINT) WHEN t.size <= CAST('0.00000000008192' AS DECIMAL(38,14))
    THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('0.00000000016384' AS DECIMAL(38,14)) THEN CAST('14' AS
      BIGINT) WHEN t.size <= CAST('0.00000000032768' AS DECIMAL(38,14)) THEN CAST('15' AS BIGINT) WHEN t.size
    <= CAST('0.00000000065536' AS DECIMAL(38,14)) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('0.00000000131072'
      AS DECIMAL(38,14)) THEN CAST('17' AS BIGINT) WHEN t.size <= CAST('0.00000000262144' AS DECIMAL(38,14))
    THEN CAST('18' AS BIGINT) WHEN t.size <= CAST('0.00000000524288' AS DECIMAL(38,14)) THEN CAST('19' AS
      BIGINT) WHEN t.size <= CAST('0.00000001048576' AS DECIMAL(38,14)) THEN CAST('20' AS BIGINT) WHEN t.size
    <= CAST('0.00000002097152' AS DECIMAL(38,14)) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('0.00000004194304'
      AS DECIMAL(38,14)) THEN CAST('22' AS BIGINT) WHEN t.size <= CAST('0.00000008388608' AS DECIMAL(38,14))
    THEN CAST('23' AS BIGINT) WHEN t.size <= CAST('0.00000016777216' AS DECIMAL(38,14)) THEN CAST('24' AS
      BIGINT) WHEN t.size <= CAST('0.00000033554432' AS DECIMAL(38,14)) THEN CAST('25' AS BIGINT) WHEN t.size
    <= CAST('0.00000067108864' AS DECIMAL(38,14)) THEN CAST('26' AS BIGINT) WHEN t.size <= CAST('0.00000134217728'
      AS DECIMAL(38,14)) THEN CAST('27' AS BIGINT) WHEN t.size <= CAST('0.00000268435456' AS DECIMAL(38,14))
    THEN CAST('28' AS BIGINT) WHEN t.size <= CAST('0.00000536870912' AS DECIMAL(38,14)) THEN CAST('29' AS
      BIGINT) WHEN t.size <= CAST('0.00001073741824' AS DECIMAL(38,14)) THEN CAST('30' AS BIGINT) WHEN t.size
    <= CAST('0.00002147483648' AS DECIMAL(38,14)) THEN CAST('31' AS BIGINT) WHEN t.size <= CAST('0.00004294967296'
      AS DECIMAL(38,14)) THEN CAST('32' AS BIGINT) WHEN t.size <= CAST('0.00008589934592' AS DECIMAL(38,14))
    THEN CAST('33' AS BIGINT) WHEN t.size <= CAST('0.00017179869184' AS DECIMAL(38,14)) THEN CAST('34' AS
      BIGINT) WHEN t.size <= CAST('0.00034359738368' AS DECIMAL(38,14)) THEN CAST('35' AS BIGINT) WHEN t.size
    <= CAST('0.00068719476736' AS DECIMAL(38,14)) THEN CAST('36' AS BIGINT) WHEN t.size <= CAST('0.00137438953472'
      AS DECIMAL(38,14)) THEN CAST('37' AS BIGINT) WHEN t.size <= CAST('0.00274877906944' AS DECIMAL(38,14))
    THEN CAST('38' AS BIGINT) WHEN t.size <= CAST('0.00549755813888' AS DECIMAL(38,14)) THEN CAST('39' AS
      BIGINT) WHEN t.size <= CAST('0.01099511627776' AS DECIMAL(38,14)) THEN CAST('40' AS BIGINT) WHEN t.size
    <= CAST('0.02199023255552' AS DECIMAL(38,14)) THEN CAST('41' AS BIGINT) WHEN t.size <= CAST('0.04398046511104'
      AS DECIMAL(38,14)) THEN CAST('42' AS BIGINT) WHEN t.size <= CAST('0.08796093022208' AS DECIMAL(38,14))
    THEN CAST('43' AS BIGINT) WHEN t.size <= CAST('0.17592186044416' AS DECIMAL(38,14)) THEN CAST('44' AS
      BIGINT) WHEN t.size <= CAST('0.35184372088832' AS DECIMAL(38,14)) THEN CAST('45' AS BIGINT) WHEN t.size
    <= CAST('0.70368744177664' AS DECIMAL(38,14)) THEN CAST('46' AS BIGINT) WHEN t.size <= CAST('1.40737488355328'
      AS DECIMAL(38,14)) THEN CAST('47' AS BIGINT) WHEN t.size <= CAST('2.81474976710656' AS DECIMAL(38,14))
    THEN CAST('48' AS BIGINT) WHEN t.size <= CAST('5.62949953421312' AS DECIMAL(38,14)) THEN CAST('49' AS
      BIGINT) WHEN t.size <= CAST('11.25899906842624' AS DECIMAL(38,14)) THEN CAST('50' AS BIGINT) WHEN t.size
    <= CAST('22.51799813685248' AS DECIMAL(38,14)) THEN CAST('51' AS BIGINT) WHEN t.size <= CAST('45.03599627370496'
      AS DECIMAL(38,14)) THEN CAST('52' AS BIGINT) WHEN t.size <= CAST('90.07199254740992' AS DECIMAL(38,14))
    THEN CAST('53' AS BIGINT) WHEN t.size <= CAST('180.14398509481984' AS DECIMAL(38,14)) THEN CAST('54' AS
      BIGINT) WHEN t.size <= CAST('360.28797018963968' AS DECIMAL(38,14)) THEN CAST('55' AS BIGINT) WHEN
    t.size <= CAST('720.57594037927936' AS DECIMAL(38,14)) THEN CAST('56' AS BIGINT) WHEN t.size <= CAST('1441.15188075855872'
      AS DECIMAL(38,14)) THEN CAST('57' AS BIGINT) WHEN t.size <= CAST('2882.30376151711744' AS
      DECIMAL(38,14)) THEN CAST('58' AS BIGINT) WHEN t.size <= CAST('5764.60752303423488' AS DECIMAL(38,14))
    THEN CAST('59' AS BIGINT) WHEN t.size <= CAST('11529.21504606846976' AS DECIMAL(38,14)) THEN CAST('60' AS
      BIGINT) WHEN t.size <= CAST('23058.43009213693952' AS DECIMAL(38,14)) THEN CAST('61' AS BIGINT) WHEN
    t.size <= CAST('46116.86018427387904' AS DECIMAL(38,14)) THEN CAST('62' AS BIGINT) WHEN t.size <= CAST('92233.72036854775808'
      AS DECIMAL(38,14)) THEN CAST('63' AS BIGINT) WHEN t.size <= CAST('184467.44073709551616' AS
      DECIMAL(38,14)) THEN CAST('64' AS BIGINT) WHEN t.size <= CAST('368934.88147419103232' AS DECIMAL(38,14))
    THEN CAST('65' AS BIGINT) ELSE CAST('66' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              DECIMAL(38,14)), CAST('0' AS DECIMAL(38,14))), CAST('737869.76294838206464' AS DECIMAL(38,14)))
        AS part
      FROM (SELECT CAST(system.main.greatest(system.main."-"(CAST(CASE WHEN t_."f" < CAST('0.0' AS FLOAT) THEN
                  CAST('0.0' AS FLOAT) WHEN t_."f" > CAST('737869.7629483821' AS FLOAT) THEN CAST('737869.7629483821'
                    AS FLOAT) ELSE t_."f" END AS DOUBLE), CAST('4.99e-15' AS DOUBLE)), CAST('0.0' AS DOUBLE))
            AS DECIMAL(38,14)) AS value, t_."uid" AS unit
        FROM "memory"."main"."visits" AS t_
        WHERE t_."uid" IS NOT NULL AND t_."f" IS NOT NULL AND (NOT system.main.isnan(t_."f"))) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "sum(f)"
FROM "answer";
----
SELECT sum(tiny) FROM visits;
-- plain:
SELECT sum(s) FROM (SELECT sum(tiny) AS s FROM visits WHERE uid IS NOT NULL GROUP BY uid);
-- plan: OneGroup, ClampedSum 0.5 x1
-- score:
SELECT t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN t.part > CAST('0'
        AS HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS HUGEINT) THEN CAST('-1' AS BIGINT) ELSE
      CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('1' AS HUGEINT) THEN CAST('0' AS BIGINT) WHEN t.size <= CAST('2' AS
      HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('4' AS HUGEINT) THEN CAST('2' AS BIGINT) WHEN
    t.size <= CAST('8' AS HUGEINT) THEN CAST('3' AS BIGINT) WHEN t.size <= CAST('16' AS HUGEINT) THEN CAST('4'
      AS BIGINT) WHEN t.size <= CAST('32' AS HUGEINT) THEN CAST('5' AS BIGINT) WHEN t.size <= CAST('64' AS
      HUGEINT) THEN CAST('6' AS BIGINT) WHEN t.size <= CAST('128' AS HUGEINT) THEN CAST('7' AS BIGINT) WHEN
    t.size <= CAST('256' AS HUGEINT) THEN CAST('8' AS BIGINT) WHEN t.size <= CAST('512' AS HUGEINT) THEN CAST('9'
      AS BIGINT) WHEN t.size <= CAST('1024' AS HUGEINT) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('2048'
      AS HUGEINT) THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('4096' AS HUGEINT) THEN CAST('12' AS BIGINT)
    WHEN t.size <= CAST('8192' AS HUGEINT) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('16384' AS HUGEINT)
    THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('32768' AS HUGEINT) THEN CAST('15' AS BIGINT) WHEN t.size <=
    CAST('65536' AS HUGEINT) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('131072' AS HUGEINT) THEN CAST('17'
      AS BIGINT) WHEN t.size <= CAST('262144' AS HUGEINT) THEN CAST('18' AS BIGINT) WHEN t.size <= CAST('524288'
      AS HUGEINT) THEN CAST('19' AS BIGINT) WHEN t.size <= CAST('1048576' AS HUGEINT) THEN CAST('20' AS
      BIGINT) WHEN t.size <= CAST('2097152' AS HUGEINT) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('4194304'
      AS HUGEINT) THEN CAST('22' AS BIGINT) WHEN t.size <= CAST('8388608' AS HUGEINT) THEN CAST('23' AS
      BIGINT) WHEN t.size <= CAST('16777216' AS HUGEINT) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('33554432'
      AS HUGEINT) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('67108864' AS HUGEINT) THEN CAST('26' AS
      BIGINT) ELSE CAST('27' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT),
            CAST('0' AS HUGEINT)), CAST('134217728' AS HUGEINT)) AS part
      FROM (SELECT CAST(CASE WHEN t_."tiny" < CAST('0' AS TINYINT) THEN CAST('0' AS TINYINT) WHEN t_."tiny" >
            CAST('127' AS TINYINT) THEN CAST('127' AS TINYINT) ELSE t_."tiny" END AS HUGEINT) AS value, t_."uid"
          AS unit
        FROM "memory"."main"."visits" AS t_
        WHERE t_."uid" IS NOT NULL AND t_."tiny" IS NOT NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "sum(tiny)"
FROM "answer";
----
SELECT sum(age * 2 + 1) AS s FROM people;
-- plain:
SELECT sum(least(greatest(age * 2 + 1, 37), 161)) FROM people;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('37' AS
          HUGEINT)), CAST('161' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN TRY_CAST(system.main."+"(CAST(TRY_CAST(system.main."*"(CAST(t_."age" AS BIGINT),
                  CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('1' AS BIGINT)) AS INTEGER) < CAST('-168820736'
          AS INTEGER) THEN CAST('-168820736' AS INTEGER) WHEN TRY_CAST(system.main."+"(CAST(TRY_CAST(system.main."*"(CAST(t_."age"
                    AS BIGINT), CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('1' AS BIGINT)) AS INTEGER)
        > CAST('168820736' AS INTEGER) THEN CAST('168820736' AS INTEGER) ELSE TRY_CAST(system.main."+"(CAST(TRY_CAST(system.main."*"(CAST(t_."age"
                    AS BIGINT), CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('1' AS BIGINT)) AS INTEGER)
        END AS HUGEINT) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND TRY_CAST(system.main."+"(CAST(TRY_CAST(system.main."*"(CAST(t_."age" AS
                  BIGINT), CAST('2' AS BIGINT)) AS INTEGER) AS BIGINT), CAST('1' AS BIGINT)) AS INTEGER) IS
      NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "s"
FROM "answer";
----
SELECT sum(greatest(least(t, 3), 1)) FROM people;
-- plain:
SELECT sum(greatest(least(t, 3), 1)) FROM people;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('1' AS
          HUGEINT)), CAST('3' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN system.main.greatest(system.main.least(t_."t", CAST('3' AS INTEGER)), CAST('1'
            AS INTEGER)) < CAST('-3145728' AS INTEGER) THEN CAST('-3145728' AS INTEGER) WHEN
        system.main.greatest(system.main.least(t_."t", CAST('3' AS INTEGER)), CAST('1' AS INTEGER)) > CAST('3145728'
          AS INTEGER) THEN CAST('3145728' AS INTEGER) ELSE system.main.greatest(system.main.least(t_."t",
            CAST('3' AS INTEGER)), CAST('1' AS INTEGER)) END AS HUGEINT) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND system.main.greatest(system.main.least(t_."t", CAST('3' AS INTEGER)), CAST('1'
          AS INTEGER)) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(greatest(least(t, 3), 1))"
FROM "answer";
----
SELECT sum(CASE WHEN member THEN age END) FROM people;
-- plain:
SELECT sum(least(greatest(age, 18), 80)) FROM people WHERE member;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18' AS
          HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN (CASE WHEN t_."member" THEN t_."age" ELSE CAST(NULL AS INTEGER) END) < CAST('-83886080'
          AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN (CASE WHEN t_."member" THEN t_."age" ELSE
          CAST(NULL AS INTEGER) END) > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE (CASE
          WHEN t_."member" THEN t_."age" ELSE CAST(NULL AS INTEGER) END) END AS HUGEINT) AS value, t_."id" AS
      unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND (CASE WHEN t_."member" THEN t_."age" ELSE CAST(NULL AS INTEGER) END) IS NOT
      NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(CASE  WHEN (member) THEN (age) ELSE NULL END)"
FROM "answer";
----
SELECT sum(age) FILTER (WHERE member) AS m, sum(age) FILTER (WHERE NOT member) AS o FROM people;
-- plain:
SELECT sum(least(greatest(age, 18), 80)) FILTER (member), sum(least(greatest(age, 18), 80)) FILTER (NOT member) FROM people;
-- plan: OneGroup, Sum 0.25 x1, Sum 0.25 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18' AS
          HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."age" < CAST('-83886080' AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN
        t_."age" > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE t_."age" END AS HUGEINT)
      AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."member" AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18' AS
          HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."age" < CAST('-83886080' AS INTEGER) THEN CAST('-83886080' AS INTEGER) WHEN
        t_."age" > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE t_."age" END AS HUGEINT)
      AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND (NOT t_."member") AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "m", "answer"."a1" AS "o"
FROM "answer";
----
SELECT sum(t, contribution_bounds_per_group => (0, 2)) FROM people;
-- plain:
SELECT sum(least(t, 2)) FROM people;
-- plan: OneGroup, Sum 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score
FROM (SELECT system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('0' AS
          HUGEINT)), CAST('2' AS HUGEINT)) AS part
  FROM (SELECT CAST(CASE WHEN t_."t" < CAST('-2097152' AS INTEGER) THEN CAST('-2097152' AS INTEGER) WHEN t_."t"
        > CAST('2097152' AS INTEGER) THEN CAST('2097152' AS INTEGER) ELSE t_."t" END AS HUGEINT) AS value, t_."id"
      AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."t" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "sum(t)"
FROM "answer";
----
SELECT page, sum(age) AS s FROM visits WHERE age BETWEEN 0 AND 30 GROUP BY page;
-- plain:
SELECT d.page, coalesce(sum(s), 0) FROM (VALUES ('a'), ('b'), ('e'), ('z')) AS d(page) LEFT JOIN (SELECT page, least(sum(age), 99) AS s FROM visits WHERE age BETWEEN 0 AND 30 AND uid IS NOT NULL GROUP BY page, uid) AS v ON v.page = d.page GROUP BY d.page;
-- plan: EveryKey groups=4, 'page' VARCHAR, ClampedSum 0.5 x4
-- score:
SELECT t.k0 AS "page", t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN
      t.part > CAST('0' AS HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS HUGEINT) THEN CAST('-1'
        AS BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('1' AS HUGEINT) THEN CAST('0' AS BIGINT) WHEN t.size <= CAST('2' AS
      HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('4' AS HUGEINT) THEN CAST('2' AS BIGINT) WHEN
    t.size <= CAST('8' AS HUGEINT) THEN CAST('3' AS BIGINT) WHEN t.size <= CAST('16' AS HUGEINT) THEN CAST('4'
      AS BIGINT) WHEN t.size <= CAST('32' AS HUGEINT) THEN CAST('5' AS BIGINT) WHEN t.size <= CAST('64' AS
      HUGEINT) THEN CAST('6' AS BIGINT) WHEN t.size <= CAST('128' AS HUGEINT) THEN CAST('7' AS BIGINT) WHEN
    t.size <= CAST('256' AS HUGEINT) THEN CAST('8' AS BIGINT) WHEN t.size <= CAST('512' AS HUGEINT) THEN CAST('9'
      AS BIGINT) WHEN t.size <= CAST('1024' AS HUGEINT) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('2048'
      AS HUGEINT) THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('4096' AS HUGEINT) THEN CAST('12' AS BIGINT)
    WHEN t.size <= CAST('8192' AS HUGEINT) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('16384' AS HUGEINT)
    THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('32768' AS HUGEINT) THEN CAST('15' AS BIGINT) WHEN t.size <=
    CAST('65536' AS HUGEINT) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('131072' AS HUGEINT) THEN CAST('17'
      AS BIGINT) WHEN t.size <= CAST('262144' AS HUGEINT) THEN CAST('18' AS BIGINT) WHEN t.size <= CAST('524288'
      AS HUGEINT) THEN CAST('19' AS BIGINT) WHEN t.size <= CAST('1048576' AS HUGEINT) THEN CAST('20' AS
      BIGINT) WHEN t.size <= CAST('2097152' AS HUGEINT) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('4194304'
      AS HUGEINT) THEN CAST('22' AS BIGINT) WHEN t.size <= CAST('8388608' AS HUGEINT) THEN CAST('23' AS
      BIGINT) WHEN t.size <= CAST('16777216' AS HUGEINT) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('33554432'
      AS HUGEINT) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('67108864' AS HUGEINT) THEN CAST('26' AS
      BIGINT) ELSE CAST('27' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.k0, t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              HUGEINT), CAST('0' AS HUGEINT)), CAST('134217728' AS HUGEINT)) AS part
      FROM (SELECT t_."page" AS k0, CAST(CASE WHEN t_."age" < CAST('0' AS INTEGER) THEN CAST('0' AS INTEGER)
            WHEN t_."age" > CAST('134217728' AS INTEGER) THEN CAST('134217728' AS INTEGER) ELSE t_."age" END
            AS HUGEINT) AS value, t_."uid" AS unit
        FROM "memory"."main"."visits" AS t_
        WHERE t_."uid" IS NOT NULL AND ((t_."age" >= 0) AND (t_."age" <= 30)) AND t_."age" IS NOT NULL AND t_."page"
          IN ('a', 'b', 'e', 'z')) AS t
      GROUP BY t.k0, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "page", "answer"."a0" AS "s"
FROM "answer";
----
SELECT avg(age) FROM people;
-- plain:
SELECT avg(least(greatest(age, 18), 80)) FROM people;
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age" AS
                    DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(age)"
FROM "answer";
----
SELECT mean(age) AS m FROM people WHERE member;
-- plain:
SELECT avg(least(greatest(age, 18), 80)) FROM people WHERE member;
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age" AS
                    DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."member" AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "m"
FROM "answer";
----
SELECT avg(age) FROM visits;
-- plain:
SELECT avg(m) FROM (SELECT avg(least(greatest(age, 0), 99)) AS m FROM visits WHERE uid IS NOT NULL AND age IS NOT NULL GROUP BY uid);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."age" AS DOUBLE) >= CAST('99.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age" AS
                    DOUBLE), CAST('0.0' AS DOUBLE)), CAST('99.0' AS DOUBLE)), CAST('1073741824.0' AS DOUBLE)),
            CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(age)"
FROM "answer";
----
SELECT avg(x) FROM visits;
-- plain:
SELECT avg(m) FROM (SELECT avg(least(greatest(x, 0), 2)) AS m FROM visits WHERE uid IS NOT NULL AND NOT isnan(x) GROUP BY uid);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."x" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."x" AS DOUBLE) >= CAST('2.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."x" AS
                    DOUBLE), CAST('0.0' AS DOUBLE)), CAST('2.0' AS DOUBLE)), CAST('1073741824.0' AS DOUBLE)),
            CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."x" IS NOT NULL AND (NOT system.main.isnan(t_."x"))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(x)"
FROM "answer";
----
SELECT avg(amount) FROM visits WHERE ok;
-- plain:
SELECT avg(m) FROM (SELECT avg(least(greatest(amount, 0), 50)) AS m FROM visits WHERE uid IS NOT NULL AND ok GROUP BY uid);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."amount" AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."amount" AS DOUBLE) >= CAST('50.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."amount"
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('50.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND t_."ok" AND t_."amount" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(amount)"
FROM "answer";
----
SELECT avg(income, contribution_bounds_per_row => (100, 300)) FROM people;
-- plain:
SELECT avg(least(greatest(income, 100), 300)) FROM people WHERE NOT isnan(income);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."income" AS DOUBLE) <= CAST('100.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."income" AS DOUBLE) >= CAST('300.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."income"
                    AS DOUBLE), CAST('100.0' AS DOUBLE)), CAST('200.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."income" IS NOT NULL AND (NOT system.main.isnan(t_."income"))) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(income)"
FROM "answer";
----
SELECT avg(ok) AS share FROM visits WHERE age > 20;
-- plain:
SELECT avg(m) AS share FROM (SELECT avg(ok::INTEGER) AS m FROM visits WHERE uid IS NOT NULL AND age > 20 GROUP BY uid);
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(CASE WHEN t_."ok" THEN CAST('1' AS INTEGER) WHEN t_."ok" IS NOT NULL THEN CAST('0'
          AS INTEGER) END AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST(CASE WHEN t_."ok"
        THEN CAST('1' AS INTEGER) WHEN t_."ok" IS NOT NULL THEN CAST('0' AS INTEGER) END AS DOUBLE) >= CAST('1.0'
        AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(CASE
                    WHEN t_."ok" THEN CAST('1' AS INTEGER) WHEN t_."ok" IS NOT NULL THEN CAST('0' AS INTEGER)
                    END AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('1.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."uid" AS unit
    FROM "memory"."main"."visits" AS t_
    WHERE t_."uid" IS NOT NULL AND (t_."age" > 20) AND CASE WHEN t_."ok" THEN CAST('1' AS INTEGER) WHEN t_."ok"
      IS NOT NULL THEN CAST('0' AS INTEGER) END IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "share"
FROM "answer";
----
SELECT member, avg(age) AS a, sum(age) AS s FROM people GROUP BY member ORDER BY member;
-- plain:
SELECT member, avg(least(greatest(age, 18), 80)), sum(least(greatest(age, 18), 80)) FROM people GROUP BY member ORDER BY member;
-- plan: EveryKey groups=1, 'member' BOOLEAN, Mean 0.27165 x1, Sum 0.22835 x1
-- score:
SELECT t.k0 AS "member", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score, system.main.count(*) AS units
FROM (SELECT t.k0, CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT t_."member" AS k0, CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0'
        AS BIGINT) WHEN CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT)
      ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age"
                    AS DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND t_."member" IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "member", CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE
  system.main.sum(t.part) END AS score
FROM (SELECT t.k0, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT), CAST('18'
          AS HUGEINT)), CAST('80' AS HUGEINT)) AS part
  FROM (SELECT t_."member" AS k0, CAST(CASE WHEN t_."age" < CAST('-83886080' AS INTEGER) THEN CAST('-83886080'
          AS INTEGER) WHEN t_."age" > CAST('83886080' AS INTEGER) THEN CAST('83886080' AS INTEGER) ELSE t_."age"
        END AS HUGEINT) AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND t_."age" IS NOT NULL AND t_."member" IS NOT NULL) AS t
  GROUP BY t.k0, t.unit) AS t
GROUP BY t.k0;
-- answer:
SELECT "answer"."k0" AS "member", "answer"."a0" AS "a", "answer"."a1" AS "s"
FROM "answer"
ORDER BY "answer"."k0" NULLS LAST;
----
SELECT avg(CASE WHEN member THEN 1.0 ELSE 0.0 END) AS share FROM people;
-- plain:
SELECT avg(member::INTEGER) FROM people;
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST((CASE WHEN t_."member" THEN CAST('1.0' AS DECIMAL(2,1)) ELSE CAST('0.0' AS
            DECIMAL(2,1)) END) AS DOUBLE) <= CAST('0.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN CAST((CASE
          WHEN t_."member" THEN CAST('1.0' AS DECIMAL(2,1)) ELSE CAST('0.0' AS DECIMAL(2,1)) END) AS DOUBLE)
      >= CAST('1.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST((CASE
                      WHEN t_."member" THEN CAST('1.0' AS DECIMAL(2,1)) ELSE CAST('0.0' AS DECIMAL(2,1)) END)
                    AS DOUBLE), CAST('0.0' AS DOUBLE)), CAST('1.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND (CASE WHEN t_."member" THEN CAST('1.0' AS DECIMAL(2,1)) ELSE CAST('0.0' AS
          DECIMAL(2,1)) END) IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "share"
FROM "answer";
----
SELECT avg(age) FROM people WHERE id < 0;
-- plain:
SELECT [18, 80];
-- plan: OneGroup, Mean 0.5 x1
-- score:
SELECT CASE WHEN system.main.sum(t.part) IS NULL THEN CAST('0' AS HUGEINT) ELSE system.main.sum(t.part) END AS
  score, system.main.count(*) AS units
FROM (SELECT CAST(system.main."//"(system.main.sum(t.value), system.main.count(*)) AS BIGINT) AS part
  FROM (SELECT CASE WHEN CAST(t_."age" AS DOUBLE) <= CAST('18.0' AS DOUBLE) THEN CAST('0' AS BIGINT) WHEN
      CAST(t_."age" AS DOUBLE) >= CAST('80.0' AS DOUBLE) THEN CAST('1073741824' AS BIGINT) ELSE
      CAST(system.main.floor(system.main."+"(system.main."*"(system.main."/"(system.main."-"(CAST(t_."age" AS
                    DOUBLE), CAST('18.0' AS DOUBLE)), CAST('62.0' AS DOUBLE)), CAST('1073741824.0' AS
                DOUBLE)), CAST('0.5' AS DOUBLE))) AS BIGINT) END AS value, t_."id" AS unit
    FROM "memory"."main"."people" AS t_
    WHERE t_."id" IS NOT NULL AND (t_."id" < 0) AND t_."age" IS NOT NULL) AS t
  GROUP BY t.unit) AS t;
-- answer:
SELECT "answer"."a0" AS "avg(age)"
FROM "answer";
----
SELECT sum(t) FROM people;
-- plain:
the query
-- plan: OneGroup, ClampedSum 0.5 x1
-- score:
SELECT t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN t.part > CAST('0'
        AS HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS HUGEINT) THEN CAST('-1' AS BIGINT) ELSE
      CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('1' AS HUGEINT) THEN CAST('0' AS BIGINT) WHEN t.size <= CAST('2' AS
      HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('4' AS HUGEINT) THEN CAST('2' AS BIGINT) WHEN
    t.size <= CAST('8' AS HUGEINT) THEN CAST('3' AS BIGINT) WHEN t.size <= CAST('16' AS HUGEINT) THEN CAST('4'
      AS BIGINT) WHEN t.size <= CAST('32' AS HUGEINT) THEN CAST('5' AS BIGINT) WHEN t.size <= CAST('64' AS
      HUGEINT) THEN CAST('6' AS BIGINT) WHEN t.size <= CAST('128' AS HUGEINT) THEN CAST('7' AS BIGINT) WHEN
    t.size <= CAST('256' AS HUGEINT) THEN CAST('8' AS BIGINT) WHEN t.size <= CAST('512' AS HUGEINT) THEN CAST('9'
      AS BIGINT) WHEN t.size <= CAST('1024' AS HUGEINT) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('2048'
      AS HUGEINT) THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('4096' AS HUGEINT) THEN CAST('12' AS BIGINT)
    WHEN t.size <= CAST('8192' AS HUGEINT) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('16384' AS HUGEINT)
    THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('32768' AS HUGEINT) THEN CAST('15' AS BIGINT) WHEN t.size <=
    CAST('65536' AS HUGEINT) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('131072' AS HUGEINT) THEN CAST('17'
      AS BIGINT) WHEN t.size <= CAST('262144' AS HUGEINT) THEN CAST('18' AS BIGINT) WHEN t.size <= CAST('524288'
      AS HUGEINT) THEN CAST('19' AS BIGINT) WHEN t.size <= CAST('1048576' AS HUGEINT) THEN CAST('20' AS
      BIGINT) WHEN t.size <= CAST('2097152' AS HUGEINT) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('4194304'
      AS HUGEINT) THEN CAST('22' AS BIGINT) WHEN t.size <= CAST('8388608' AS HUGEINT) THEN CAST('23' AS
      BIGINT) WHEN t.size <= CAST('16777216' AS HUGEINT) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('33554432'
      AS HUGEINT) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('67108864' AS HUGEINT) THEN CAST('26' AS
      BIGINT) WHEN t.size <= CAST('134217728' AS HUGEINT) THEN CAST('27' AS BIGINT) WHEN t.size <= CAST('268435456'
      AS HUGEINT) THEN CAST('28' AS BIGINT) WHEN t.size <= CAST('536870912' AS HUGEINT) THEN CAST('29' AS
      BIGINT) WHEN t.size <= CAST('1073741824' AS HUGEINT) THEN CAST('30' AS BIGINT) WHEN t.size <= CAST('2147483648'
      AS HUGEINT) THEN CAST('31' AS BIGINT) WHEN t.size <= CAST('4294967296' AS HUGEINT) THEN CAST('32' AS
      BIGINT) WHEN t.size <= CAST('8589934592' AS HUGEINT) THEN CAST('33' AS BIGINT) WHEN t.size <= CAST('17179869184'
      AS HUGEINT) THEN CAST('34' AS BIGINT) WHEN t.size <= CAST('34359738368' AS HUGEINT) THEN CAST('35' AS
      BIGINT) WHEN t.size <= CAST('68719476736' AS HUGEINT) THEN CAST('36' AS BIGINT) WHEN t.size <= CAST('137438953472'
      AS HUGEINT) THEN CAST('37' AS BIGINT) WHEN t.size <= CAST('274877906944' AS HUGEINT) THEN CAST('38' AS
      BIGINT) WHEN t.size <= CAST('549755813888' AS HUGEINT) THEN CAST('39' AS BIGINT) WHEN t.size <= CAST('1099511627776'
      AS HUGEINT) THEN CAST('40' AS BIGINT) WHEN t.size <= CAST('2199023255552' AS HUGEINT) THEN CAST('41' AS
      BIGINT) WHEN t.size <= CAST('4398046511104' AS HUGEINT) THEN CAST('42' AS BIGINT) WHEN t.size <= CAST('8796093022208'
      AS HUGEINT) THEN CAST('43' AS BIGINT) WHEN t.size <= CAST('17592186044416' AS HUGEINT) THEN CAST('44' AS
      BIGINT) WHEN t.size <= CAST('35184372088832' AS HUGEINT) THEN CAST('45' AS BIGINT) WHEN t.size <= CAST('70368744177664'
      AS HUGEINT) THEN CAST('46' AS BIGINT) WHEN t.size <= CAST('140737488355328' AS HUGEINT) THEN CAST('47'
      AS BIGINT) WHEN t.size <= CAST('281474976710656' AS HUGEINT) THEN CAST('48' AS BIGINT) WHEN t.size <=
    CAST('562949953421312' AS HUGEINT) THEN CAST('49' AS BIGINT) WHEN t.size <= CAST('1125899906842624' AS
      HUGEINT) THEN CAST('50' AS BIGINT) ELSE CAST('51' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS HUGEINT),
            CAST('-2251799813685248' AS HUGEINT)), CAST('2251799813685248' AS HUGEINT)) AS part
      FROM (SELECT CAST(CASE WHEN t_."t" < CAST('-2147483648' AS INTEGER) THEN CAST('-2147483648' AS INTEGER)
            WHEN t_."t" > CAST('2147483647' AS INTEGER) THEN CAST('2147483647' AS INTEGER) ELSE t_."t" END AS
            HUGEINT) AS value, t_."id" AS unit
        FROM "memory"."main"."people" AS t_
        WHERE t_."id" IS NOT NULL AND t_."t" IS NOT NULL) AS t
      GROUP BY t.unit) AS t) AS t) AS t
GROUP BY t.value;
-- answer:
SELECT "answer"."a0" AS "sum(t)"
FROM "answer";
----
SELECT region, sum(t * 2) AS s FROM people WHERE region IN ('n', 's') GROUP BY region;
-- plain:
the query
-- plan: FoundKeys epsilon=0.25 delta=1e-06 groups=1, 'region' VARCHAR, ClampedSum 0.25 x1
-- score:
SELECT t.k0 AS "region", system.main.count(*) AS score
FROM (SELECT t_."region" AS k0, t_."id" AS unit
  FROM "memory"."main"."people" AS t_
  WHERE t_."id" IS NOT NULL AND (t_."region" IN ('n', 's')) AND (t_."region" IS NULL OR system.main.strlen(t_."region")
      <= 10000)) AS t
GROUP BY t.k0;
-- score:
SELECT t.k0 AS "region", t.value AS "level", system.main.sum(t.part) AS score0, CAST(system.main.sum(CASE WHEN
      t.part > CAST('0' AS HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.part < CAST('0' AS HUGEINT) THEN CAST('-1'
        AS BIGINT) ELSE CAST('0' AS BIGINT) END) AS BIGINT) AS score1, system.main.count(*) AS score2
FROM (SELECT t.*, CASE WHEN t.size <= CAST('1' AS HUGEINT) THEN CAST('0' AS BIGINT) WHEN t.size <= CAST('2' AS
      HUGEINT) THEN CAST('1' AS BIGINT) WHEN t.size <= CAST('4' AS HUGEINT) THEN CAST('2' AS BIGINT) WHEN
    t.size <= CAST('8' AS HUGEINT) THEN CAST('3' AS BIGINT) WHEN t.size <= CAST('16' AS HUGEINT) THEN CAST('4'
      AS BIGINT) WHEN t.size <= CAST('32' AS HUGEINT) THEN CAST('5' AS BIGINT) WHEN t.size <= CAST('64' AS
      HUGEINT) THEN CAST('6' AS BIGINT) WHEN t.size <= CAST('128' AS HUGEINT) THEN CAST('7' AS BIGINT) WHEN
    t.size <= CAST('256' AS HUGEINT) THEN CAST('8' AS BIGINT) WHEN t.size <= CAST('512' AS HUGEINT) THEN CAST('9'
      AS BIGINT) WHEN t.size <= CAST('1024' AS HUGEINT) THEN CAST('10' AS BIGINT) WHEN t.size <= CAST('2048'
      AS HUGEINT) THEN CAST('11' AS BIGINT) WHEN t.size <= CAST('4096' AS HUGEINT) THEN CAST('12' AS BIGINT)
    WHEN t.size <= CAST('8192' AS HUGEINT) THEN CAST('13' AS BIGINT) WHEN t.size <= CAST('16384' AS HUGEINT)
    THEN CAST('14' AS BIGINT) WHEN t.size <= CAST('32768' AS HUGEINT) THEN CAST('15' AS BIGINT) WHEN t.size <=
    CAST('65536' AS HUGEINT) THEN CAST('16' AS BIGINT) WHEN t.size <= CAST('131072' AS HUGEINT) THEN CAST('17'
      AS BIGINT) WHEN t.size <= CAST('262144' AS HUGEINT) THEN CAST('18' AS BIGINT) WHEN t.size <= CAST('524288'
      AS HUGEINT) THEN CAST('19' AS BIGINT) WHEN t.size <= CAST('1048576' AS HUGEINT) THEN CAST('20' AS
      BIGINT) WHEN t.size <= CAST('2097152' AS HUGEINT) THEN CAST('21' AS BIGINT) WHEN t.size <= CAST('4194304'
      AS HUGEINT) THEN CAST('22' AS BIGINT) WHEN t.size <= CAST('8388608' AS HUGEINT) THEN CAST('23' AS
      BIGINT) WHEN t.size <= CAST('16777216' AS HUGEINT) THEN CAST('24' AS BIGINT) WHEN t.size <= CAST('33554432'
      AS HUGEINT) THEN CAST('25' AS BIGINT) WHEN t.size <= CAST('67108864' AS HUGEINT) THEN CAST('26' AS
      BIGINT) WHEN t.size <= CAST('134217728' AS HUGEINT) THEN CAST('27' AS BIGINT) WHEN t.size <= CAST('268435456'
      AS HUGEINT) THEN CAST('28' AS BIGINT) WHEN t.size <= CAST('536870912' AS HUGEINT) THEN CAST('29' AS
      BIGINT) WHEN t.size <= CAST('1073741824' AS HUGEINT) THEN CAST('30' AS BIGINT) WHEN t.size <= CAST('2147483648'
      AS HUGEINT) THEN CAST('31' AS BIGINT) WHEN t.size <= CAST('4294967296' AS HUGEINT) THEN CAST('32' AS
      BIGINT) WHEN t.size <= CAST('8589934592' AS HUGEINT) THEN CAST('33' AS BIGINT) WHEN t.size <= CAST('17179869184'
      AS HUGEINT) THEN CAST('34' AS BIGINT) WHEN t.size <= CAST('34359738368' AS HUGEINT) THEN CAST('35' AS
      BIGINT) WHEN t.size <= CAST('68719476736' AS HUGEINT) THEN CAST('36' AS BIGINT) WHEN t.size <= CAST('137438953472'
      AS HUGEINT) THEN CAST('37' AS BIGINT) WHEN t.size <= CAST('274877906944' AS HUGEINT) THEN CAST('38' AS
      BIGINT) WHEN t.size <= CAST('549755813888' AS HUGEINT) THEN CAST('39' AS BIGINT) WHEN t.size <= CAST('1099511627776'
      AS HUGEINT) THEN CAST('40' AS BIGINT) WHEN t.size <= CAST('2199023255552' AS HUGEINT) THEN CAST('41' AS
      BIGINT) WHEN t.size <= CAST('4398046511104' AS HUGEINT) THEN CAST('42' AS BIGINT) WHEN t.size <= CAST('8796093022208'
      AS HUGEINT) THEN CAST('43' AS BIGINT) WHEN t.size <= CAST('17592186044416' AS HUGEINT) THEN CAST('44' AS
      BIGINT) WHEN t.size <= CAST('35184372088832' AS HUGEINT) THEN CAST('45' AS BIGINT) WHEN t.size <= CAST('70368744177664'
      AS HUGEINT) THEN CAST('46' AS BIGINT) WHEN t.size <= CAST('140737488355328' AS HUGEINT) THEN CAST('47'
      AS BIGINT) WHEN t.size <= CAST('281474976710656' AS HUGEINT) THEN CAST('48' AS BIGINT) WHEN t.size <=
    CAST('562949953421312' AS HUGEINT) THEN CAST('49' AS BIGINT) WHEN t.size <= CAST('1125899906842624' AS
      HUGEINT) THEN CAST('50' AS BIGINT) ELSE CAST('51' AS BIGINT) END AS value
  FROM (SELECT t.*, system.main.abs(t.part) AS size
    FROM (SELECT t.k0, t.unit, system.main.least(system.main.greatest(CAST(system.main.sum(t.value) AS
              HUGEINT), CAST('-2251799813685248' AS HUGEINT)), CAST('2251799813685248' AS HUGEINT)) AS part
      FROM (SELECT t_."region" AS k0, CAST(CASE WHEN TRY_CAST(system.main."*"(CAST(t_."t" AS BIGINT), CAST('2'
                  AS BIGINT)) AS INTEGER) < CAST('-2147483648' AS INTEGER) THEN CAST('-2147483648' AS INTEGER)
            WHEN TRY_CAST(system.main."*"(CAST(t_."t" AS BIGINT), CAST('2' AS BIGINT)) AS INTEGER) > CAST('2147483647'
              AS INTEGER) THEN CAST('2147483647' AS INTEGER) ELSE TRY_CAST(system.main."*"(CAST(t_."t" AS
                  BIGINT), CAST('2' AS BIGINT)) AS INTEGER) END AS HUGEINT) AS value, t_."id" AS unit
        FROM "memory"."main"."people" AS t_
        WHERE t_."id" IS NOT NULL AND (t_."region" IN ('n', 's')) AND TRY_CAST(system.main."*"(CAST(t_."t" AS
                BIGINT), CAST('2' AS BIGINT)) AS INTEGER) IS NOT NULL AND (t_."region" IS NULL OR
            system.main.strlen(t_."region") <= 10000)) AS t
      GROUP BY t.k0, t.unit) AS t) AS t) AS t
GROUP BY t.k0, t.value;
-- answer:
SELECT "answer"."k0" AS "region", "answer"."a0" AS "s"
FROM "answer";
