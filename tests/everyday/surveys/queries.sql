-- 202: Average answer per question and wave [analyst]
SELECT q.text, r.wave, avg(r.answer) AS avg_answer, count(r.answer) AS n
FROM responses r
JOIN questions q ON q.qid = r.qid
GROUP BY q.text, r.wave
ORDER BY q.text, r.wave;

-- 203: Net promoter score per wave [analyst]
SELECT wave,
       100.0 * (sum(CASE WHEN answer >= 9 THEN 1 ELSE 0 END) - sum(CASE WHEN answer <= 6 THEN 1 ELSE 0 END)) / count(*) AS nps
FROM responses
WHERE qid = 'q2' AND answer IS NOT NULL
GROUP BY wave
ORDER BY wave;

-- 204: Response rate by invitation channel and wave [analyst]
SELECT i.channel, i.wave,
       count(DISTINCT i.respondent_id) AS invited,
       count(DISTINCT r.respondent_id) AS answered,
       count(DISTINCT r.respondent_id) * 1.0 / count(DISTINCT i.respondent_id) AS response_rate
FROM invitations i
LEFT JOIN responses r ON r.respondent_id = i.respondent_id AND r.wave = i.wave
GROUP BY i.channel, i.wave
ORDER BY i.channel, i.wave;

-- 205: Weighted mean satisfaction by region [analyst]
SELECT p.region, sum(p.weight * r.answer) / sum(p.weight) AS weighted_mean, count(*) AS n
FROM responses r JOIN respondents p ON p.id = r.respondent_id
WHERE r.qid = 'q1' AND r.answer IS NOT NULL
GROUP BY p.region
ORDER BY p.region;

-- 206: Top-2-box share for every five-point question by gender [analyst]
SELECT r.qid, p.gender, avg(CASE WHEN r.answer >= 4 THEN 100.0 ELSE 0 END) AS top2_pct
FROM responses r
JOIN respondents p ON p.id = r.respondent_id
WHERE r.qid <> 'q2' AND r.answer IS NOT NULL
GROUP BY r.qid, p.gender
ORDER BY r.qid, p.gender;

-- 207: Item non-response: share of NULL answers per question [analyst]
SELECT qid, count(*) AS shown, count(*) - count(answer) AS skipped, 1.0 - count(answer) * 1.0 / count(*) AS skip_rate
FROM responses
GROUP BY qid
ORDER BY skip_rate DESC;

-- 208: Panel retention: wave-1 respondents answering again in later waves [analyst]
SELECT b.wave, count(DISTINCT b.respondent_id) AS still_here,
       count(DISTINCT b.respondent_id) * 1.0 / (SELECT count(DISTINCT respondent_id) FROM responses WHERE wave = 1) AS retention
FROM responses a
JOIN responses b ON b.respondent_id = a.respondent_id AND b.wave > a.wave
WHERE a.wave = 1
GROUP BY b.wave
ORDER BY b.wave;

-- 209: Cross-tabulation of education and income band with missing as its own level [analyst]
SELECT coalesce(education, 'n/a') AS education, coalesce(income_band, 'n/a') AS income_band, count(*) AS n
FROM respondents
WHERE consent
GROUP BY 1, 2
ORDER BY 1, 2;

-- 210: Mean change in satisfaction between wave 1 and wave 2 for the same people, with standard error [analyst]
SELECT avg(d) AS mean_change, stddev_samp(d) / sqrt(count(*)) AS se, count(*) AS n
FROM (
  SELECT a.respondent_id, b.answer - a.answer AS d
  FROM responses a
  JOIN responses b ON b.respondent_id = a.respondent_id AND b.qid = a.qid AND b.wave = 2
  WHERE a.wave = 1 AND a.qid = 'q1' AND a.answer IS NOT NULL AND b.answer IS NOT NULL
) paired;

-- 211: Speeders: respondents whose total answering time in a wave was under 60 seconds [analyst]
SELECT wave, count(*) AS speeders
FROM (SELECT respondent_id, wave, sum(seconds) AS total FROM responses GROUP BY respondent_id, wave HAVING sum(seconds) < 60) s
GROUP BY wave
ORDER BY wave;

-- 212: All free-text answers mentioning price [analyst] (private rows)
SELECT respondent_id, wave, free_text
FROM responses
WHERE free_text ILIKE '%expensive%'
ORDER BY respondent_id, wave, qid;

-- 213: Promoters who are also satisfied (self-join of two questions within a wave) [analyst]
SELECT n.wave, count(*) AS promoters, sum(CASE WHEN s.answer >= 4 THEN 1 ELSE 0 END) AS satisfied_promoters
FROM responses n
JOIN responses s ON s.respondent_id = n.respondent_id AND s.wave = n.wave AND s.qid = 'q1'
WHERE n.qid = 'q2' AND n.answer >= 9
GROUP BY n.wave
ORDER BY n.wave;

-- 214: Django: number of consenting respondents by gender [orm]
SELECT "respondents"."gender", COUNT("respondents"."id") AS "total" FROM "respondents" WHERE "respondents"."consent" = true GROUP BY "respondents"."gender" ORDER BY "total" DESC;

-- 215: Django: average age, Coalesce to zero [orm]
SELECT COALESCE(AVG("respondents"."age"), 0.0) AS "avg_age" FROM "respondents" WHERE NOT ("respondents"."region" = 'North');

-- 216: SQLAlchemy: distinct respondents per wave [orm]
SELECT responses.wave, count(distinct(responses.respondent_id)) AS count_1
FROM responses GROUP BY responses.wave ORDER BY responses.wave ASC;

-- 217: SQLAlchemy: invited but never answered anything (outer join is NULL) [orm]
SELECT count(DISTINCT invitations.respondent_id) AS count_1
FROM invitations LEFT OUTER JOIN responses ON responses.respondent_id = invitations.respondent_id
WHERE responses.respondent_id IS NULL;

-- 218: Django: answers of one respondent as values list [orm] (private rows)
SELECT "responses"."wave", "responses"."qid", "responses"."answer" FROM "responses" INNER JOIN "respondents" ON ("responses"."respondent_id" = "respondents"."id") WHERE "respondents"."id" = 5 ORDER BY "responses"."wave" ASC, "responses"."qid" ASC;

-- 219: ibis: answer distribution for the usability question [ibis-dbplyr]
SELECT "t1"."answer", COUNT(*) AS "answer_count"
FROM (
  SELECT * FROM "responses" AS "t0" WHERE "t0"."qid" = 'q3' AND "t0"."answer" IS NOT NULL
) AS "t1"
GROUP BY 1
ORDER BY "t1"."answer" ASC;

-- 220: dbplyr: age groups by cut, mean household size [ibis-dbplyr]
SELECT age_group, AVG(household_size) AS mean_size, COUNT(*) AS n
FROM (
  SELECT
    respondents.*,
    CASE
      WHEN (age <= 24.0) THEN '18-24'
      WHEN (age <= 44.0) THEN '25-44'
      WHEN (age <= 64.0) THEN '45-64'
      WHEN (age > 64.0) THEN '65+'
    END AS age_group
  FROM respondents
  WHERE (NOT((age IS NULL)))
) q01
GROUP BY age_group
ORDER BY age_group;

-- 221: ibis: per-respondent mean answer, then its standard deviation by region [ibis-dbplyr]
SELECT "t5"."region", STDDEV_SAMP("t5"."mean_answer") AS "between_sd", COUNT(*) AS "respondents"
FROM (
  SELECT "t3"."region", "t4"."mean_answer"
  FROM "respondents" AS "t3"
  INNER JOIN (
    SELECT "t1"."respondent_id", AVG("t1"."answer") AS "mean_answer"
    FROM (SELECT * FROM "responses" AS "t0" WHERE "t0"."qid" <> 'q2') AS "t1"
    GROUP BY 1
  ) AS "t4" ON "t3"."id" = "t4"."respondent_id"
) AS "t5"
GROUP BY 1;

-- 222: dbplyr: share of opened invitations by reminder count [ibis-dbplyr]
SELECT reminder_count, AVG(CAST(opened AS INTEGER)) AS open_rate, SUM(CASE WHEN ((opened IS NULL)) THEN 1.0 ELSE 0.0 END) AS unknown
FROM invitations
GROUP BY reminder_count
ORDER BY reminder_count;

-- 223: Metabase: completed answers by day [bi]
SELECT CAST("responses"."answered_at" AS DATE) AS "answered_at", COUNT(*) AS "count"
FROM "responses"
WHERE "responses"."answer" IS NOT NULL
GROUP BY CAST("responses"."answered_at" AS DATE)
ORDER BY CAST("responses"."answered_at" AS DATE) ASC;

-- 224: Tableau: average score by topic and region with a level of detail per respondent [bi]
SELECT "t0"."topic" AS "topic", "t0"."region" AS "region", AVG("t0"."X_measure__0") AS "avg:Calculation:ok"
FROM (
  SELECT "questions"."topic" AS "topic", "respondents"."region" AS "region", "responses"."respondent_id" AS "respondent_id",
    AVG(CAST("responses"."answer" AS DOUBLE) / "questions"."scale_max") AS "X_measure__0"
  FROM "responses"
    INNER JOIN "questions" ON ("responses"."qid" = "questions"."qid")
    INNER JOIN "respondents" ON ("responses"."respondent_id" = "respondents"."id")
  GROUP BY 1, 2, 3
) AS "t0"
GROUP BY 1, 2;

-- 225: Looker: respondents by region and consent with table calculation percent of column [bi]
SELECT
    respondents.region AS "respondents.region",
    CASE WHEN respondents.consent THEN 'Yes' ELSE 'No' END AS "respondents.consent",
    COUNT(*) AS "respondents.count",
    COUNT(*) * 1.0 / SUM(COUNT(*)) OVER (PARTITION BY CASE WHEN respondents.consent THEN 'Yes' ELSE 'No' END) AS "pct_of_column"
FROM respondents
GROUP BY 1, 2
ORDER BY 2, 1
LIMIT 500;

-- 226: Superset: median seconds per question with series limit [bi]
SELECT qid AS qid, QUANTILE_CONT(seconds, 0.5) AS "median_seconds", MAX(seconds) AS "MAX(seconds)"
FROM responses
WHERE qid IN (SELECT qid FROM questions WHERE scale_max = 5)
GROUP BY qid
ORDER BY median_seconds DESC, qid
LIMIT 50;

-- 227: Metabase: sample of respondents for a mail merge [bi] (private rows)
SELECT "respondents"."id" AS "id", "respondents"."email" AS "email", "respondents"."region" AS "region"
FROM "respondents"
WHERE "respondents"."consent" = TRUE
ORDER BY "respondents"."id" ASC
LIMIT 50;

-- 228: Pivot: questions as columns, mean by region [notebook]
PIVOT (SELECT p.region, r.qid, r.answer FROM responses r JOIN respondents p ON p.id = r.respondent_id WHERE wave = 1)
ON qid USING avg(answer) GROUP BY region ORDER BY region;

-- 229: Languages spoken, exploded, with the share of respondents [notebook]
WITH l AS (FROM respondents SELECT id, unnest(languages) AS lang)
FROM l SELECT lang, count(DISTINCT id) AS n, n / (SELECT count(*) FROM respondents) AS share
GROUP BY lang
ORDER BY n DESC, lang;

-- 230: Bilingual respondents by region with list_contains [notebook]
FROM respondents
SELECT region, count(*) FILTER (len(languages) > 1) AS bilingual, count(*) FILTER (list_contains(languages, 'de')) AS german, count(*) AS n
GROUP BY ALL
ORDER BY region;

-- 231: Correlation between satisfaction and recommendation per person and wave [notebook]
WITH wide AS (
  FROM responses
  SELECT respondent_id, wave, max(answer) FILTER (qid = 'q1') AS sat, max(answer) FILTER (qid = 'q2') AS rec
  GROUP BY ALL
)
FROM wide SELECT wave, corr(sat, rec) AS r, regr_slope(rec, sat) AS slope, regr_count(rec, sat) AS n GROUP BY ALL ORDER BY wave;

-- 232: Cronbach-like item variances for the five-point items [notebook]
FROM responses
SELECT qid, var_samp(answer) AS item_var, stddev_pop(answer) AS sd
WHERE qid != 'q2' AND wave = 1
GROUP BY ALL
ORDER BY qid;

-- 233: Cumulative distribution of number of waves answered [notebook]
WITH w AS (FROM responses SELECT respondent_id, count(DISTINCT wave) AS waves GROUP BY ALL),
     h AS (FROM w SELECT waves, count(*) AS n GROUP BY ALL)
FROM h SELECT waves, n, sum(n) OVER (ORDER BY waves) / sum(n) OVER () AS cdf ORDER BY waves;

-- 234: Panel seniority in whole years as of today, number of respondents and average weight [analyst]
SELECT date_diff('year', joined_panel, CURRENT_DATE) AS years_in_panel, count(*) AS respondents, avg(weight) AS avg_weight
FROM respondents
WHERE joined_panel < CURRENT_DATE
GROUP BY 1
ORDER BY 1;
