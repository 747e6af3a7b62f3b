-- 136: Visits and distinct patients by department [analyst]
SELECT department, count(*) AS visits, count(DISTINCT patient_id) AS patients
FROM visits
GROUP BY department
ORDER BY visits DESC;

-- 137: Prevalence: share of registered patients ever diagnosed with each condition [analyst]
SELECT i.label, count(DISTINCT v.patient_id) AS patients,
       100.0 * count(DISTINCT v.patient_id) / (SELECT count(*) FROM patients) AS prevalence_pct
FROM icd i
LEFT JOIN visits v ON v.icd_code = i.code
GROUP BY i.label
ORDER BY prevalence_pct DESC, i.label;

-- 138: Average length of stay in minutes by department and emergency flag [analyst]
SELECT department, emergency, avg(date_diff('minute', arrived, left_at)) AS avg_minutes
FROM visits
WHERE left_at IS NOT NULL
GROUP BY department, emergency
ORDER BY department, emergency;

-- 139: 30-day readmission rate [analyst]
WITH ordered AS (
  SELECT patient_id, arrived,
         lead(arrived) OVER (PARTITION BY patient_id ORDER BY arrived, visit_id) AS next_arrived
  FROM visits
)
SELECT count(*) AS visits,
       sum(CASE WHEN next_arrived <= arrived + INTERVAL '30 days' THEN 1 ELSE 0 END) AS readmitted,
       sum(CASE WHEN next_arrived <= arrived + INTERVAL '30 days' THEN 1.0 ELSE 0.0 END) / count(*) AS readmission_rate
FROM ordered;

-- 140: Patients by ten-year age band and sex [analyst]
SELECT (date_diff('year', birth_date, DATE '2025-06-30') // 10) * 10 AS age_band, sex, count(*) AS n
FROM patients
WHERE death_date IS NULL
GROUP BY 1, 2
ORDER BY 1, 2;

-- 141: Average BMI for smokers and non-smokers [analyst]
SELECT smoker, avg(vitals.weight_kg / power(vitals.height_cm / 100.0, 2)) AS bmi, count(*) AS n
FROM patients
GROUP BY smoker
ORDER BY smoker NULLS LAST;

-- 142: Frequent attenders: how many patients had more than eight visits, and what share of visits are theirs? [analyst]
WITH per_patient AS (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id)
SELECT count(CASE WHEN n > 8 THEN 1 END) AS frequent_patients,
       sum(CASE WHEN n > 8 THEN n ELSE 0 END) * 1.0 / sum(n) AS share_of_visits
FROM per_patient;

-- 143: Diabetics with no HbA1c test on record (care gap) [analyst]
SELECT count(DISTINCT v.patient_id) AS care_gap
FROM visits v
WHERE v.icd_code = 'E11'
  AND NOT EXISTS (SELECT 1 FROM labs l WHERE l.patient_id = v.patient_id AND l.test = 'hba1c' AND l.value IS NOT NULL);

-- 144: Cost per patient: mean, median, p95 by insurance [analyst]
SELECT insurance, avg(total) AS mean_cost, median(total) AS median_cost, quantile_cont(total, 0.95) AS p95_cost
FROM (
  SELECT p.id, p.insurance, coalesce(sum(v.cost), 0) AS total
  FROM patients p LEFT JOIN visits v ON v.patient_id = p.id
  GROUP BY p.id, p.insurance
) t
GROUP BY insurance
ORDER BY insurance;

-- 145: Comorbidity: patients with both diabetes and hypertension [analyst]
SELECT count(*) AS patients
FROM (
  SELECT patient_id FROM visits WHERE icd_code = 'E11'
  INTERSECT
  SELECT patient_id FROM visits WHERE icd_code = 'I10'
) both_conditions;

-- 146: The oldest patient's record [analyst] (private rows)
SELECT id, name, birth_date, zip
FROM patients
ORDER BY birth_date, id
LIMIT 1;

-- 147: Django: number of emergency visits last summer [orm]
SELECT COUNT(*) AS "__count" FROM "visits" WHERE ("visits"."arrived" >= '2025-06-01 00:00:00' AND "visits"."arrived" < '2025-09-01 00:00:00' AND "visits"."emergency");

-- 148: SQLAlchemy: average satisfaction per department (NULL answers ignored) [orm]
SELECT visits.department, avg(visits.satisfaction) AS avg_1, count(visits.satisfaction) AS count_1
FROM visits GROUP BY visits.department ORDER BY visits.department;

-- 149: Django: annotate patients by number of lab results, count those with at least 3 [orm]
SELECT COUNT(*) FROM (SELECT "patients"."id" AS "col1" FROM "patients" INNER JOIN "labs" ON ("patients"."id" = "labs"."patient_id") GROUP BY "patients"."id" HAVING COUNT("labs"."test") >= 3) subquery;

-- 150: SQLAlchemy: visits by chapter through the public ICD table [orm]
SELECT icd.chapter, count(visits.visit_id) AS visits, sum(visits.cost) AS cost
FROM visits JOIN icd ON icd.code = visits.icd_code GROUP BY icd.chapter ORDER BY count(visits.visit_id) DESC, icd.chapter;

-- 151: Django: get the patient named Patient 77 with visits [orm] (private rows)
SELECT "patients"."id", "patients"."name", "visits"."arrived", "visits"."icd_code" FROM "patients" INNER JOIN "visits" ON ("patients"."id" = "visits"."patient_id") WHERE "patients"."name" = 'Patient 77' ORDER BY "visits"."arrived" ASC;

-- 152: ibis: abnormal share per lab test [ibis-dbplyr]
SELECT "t1"."test", AVG(CAST("t1"."abnormal" AS TINYINT)) AS "abnormal_share", COUNT("t1"."value") AS "n"
FROM (
  SELECT * FROM "labs" AS "t0" WHERE "t0"."value" IS NOT NULL
) AS "t1"
GROUP BY 1;

-- 153: dbplyr: sd and mean of lab value by test and sex [ibis-dbplyr]
SELECT test, sex, AVG("value") AS m, STDDEV("value") AS s
FROM (
  SELECT labs.*, sex
  FROM labs
  LEFT JOIN patients ON (labs.patient_id = patients.id)
) q01
GROUP BY test, sex
ORDER BY test, sex;

-- 154: ibis: visits per weekday name [ibis-dbplyr]
SELECT "t1"."weekday", COUNT(*) AS "n"
FROM (SELECT DAYNAME("t0"."arrived") AS "weekday" FROM "visits" AS "t0") AS "t1"
GROUP BY 1
ORDER BY "n" DESC, "t1"."weekday" ASC;

-- 155: dbplyr: days between registration and first visit [ibis-dbplyr]
SELECT AVG(days) AS mean_days, MIN(days) AS min_days, MAX(days) AS max_days
FROM (
  SELECT date_diff('day', registered, CAST(first_visit AS DATE)) AS days
  FROM (
    SELECT id, registered, first_visit
    FROM patients
    INNER JOIN (
      SELECT patient_id, MIN(arrived) AS first_visit
      FROM visits
      GROUP BY patient_id
    ) RHS
      ON (patients.id = RHS.patient_id)
  ) q01
) q02
WHERE (days >= 0.0);

-- 156: Tableau: cost by month and department with subtotals [bi]
SELECT CAST(DATE_TRUNC('month', "visits"."arrived") AS DATE) AS "tmn:arrived:ok", "visits"."department" AS "department",
  SUM("visits"."cost") AS "sum:cost:ok", AVG("visits"."cost") AS "avg:cost:ok"
FROM "visits"
GROUP BY ROLLUP (CAST(DATE_TRUNC('month', "visits"."arrived") AS DATE), "visits"."department");

-- 157: Looker: patients and visits by zip region [bi]
SELECT
    LEFT(patients.zip, 1) AS "patients.zip_region",
    COUNT(DISTINCT patients.id) AS "patients.count",
    COUNT(DISTINCT CASE WHEN visits.emergency THEN visits.visit_id ELSE NULL END) AS "visits.emergency_count",
    COUNT(visits.visit_id) AS "visits.count"
FROM patients
LEFT JOIN visits ON visits.patient_id = patients.id
GROUP BY 1
ORDER BY 2 DESC, 1
FETCH NEXT 500 ROWS ONLY;

-- 158: Metabase: heat map of arrivals by hour and weekday [bi]
SELECT extract(hour FROM "visits"."arrived") AS "hour", extract(isodow FROM "visits"."arrived") AS "weekday", COUNT(*) AS "count"
FROM "visits"
GROUP BY extract(hour FROM "visits"."arrived"), extract(isodow FROM "visits"."arrived")
ORDER BY extract(hour FROM "visits"."arrived") ASC, extract(isodow FROM "visits"."arrived") ASC;

-- 159: Superset: satisfaction scores distribution by insurance [bi]
SELECT patients.insurance AS insurance, visits.satisfaction AS satisfaction, COUNT(*) AS count
FROM visits LEFT JOIN patients ON patients.id = visits.patient_id
WHERE visits.satisfaction IS NOT NULL AND (patients.insurance NOT IN ('none'))
GROUP BY patients.insurance, visits.satisfaction
ORDER BY count DESC, insurance, satisfaction
LIMIT 1000;

-- 160: Superset: table of recent visits with names [bi] (private rows)
SELECT name AS name, arrived AS arrived, department AS department
FROM patients JOIN visits ON visits.patient_id = patients.id
ORDER BY arrived DESC, visit_id
LIMIT 100;

-- 161: Visits per day with rolling 7-day average, gaps filled from a generated calendar [notebook]
WITH cal AS (FROM generate_series(DATE '2025-01-01', DATE '2025-11-30', INTERVAL 1 DAY) t(d) SELECT d::DATE AS d),
     v AS (FROM visits SELECT arrived::DATE AS d, count(*) AS n GROUP BY ALL)
FROM cal LEFT JOIN v USING (d)
SELECT d, coalesce(n, 0) AS n, avg(coalesce(n, 0)) OVER (ORDER BY d ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS avg7
ORDER BY d;

-- 162: Pivot: departments as columns, average cost by sex [notebook]
PIVOT (SELECT p.sex, v.department, v.cost FROM visits v JOIN patients p ON p.id = v.patient_id)
ON department IN ('general', 'cardiology', 'pulmonology', 'orthopedics', 'emergency') USING round(avg(cost), 2) GROUP BY sex ORDER BY sex;

-- 163: Latest HbA1c per patient, then share above 6.5 by sex [notebook]
WITH latest AS (
  SELECT patient_id, value
  FROM labs
  WHERE test = 'hba1c' AND value IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY patient_id ORDER BY taken_on DESC, value DESC) = 1
)
SELECT p.sex, count(*) AS n, avg((value > 6.5)::INT) AS above_target
FROM latest JOIN patients p ON p.id = latest.patient_id
GROUP BY ALL
ORDER BY p.sex;

-- 164: Top three diagnoses per department [notebook]
SELECT department, icd_code, count(*) AS n
FROM visits
GROUP BY department, icd_code
QUALIFY rank() OVER (PARTITION BY department ORDER BY count(*) DESC) <= 3
ORDER BY department, n DESC, icd_code;

-- 165: Correlation of age and total cost per patient [notebook]
FROM (
  FROM patients p JOIN visits v ON v.patient_id = p.id
  SELECT p.id, date_diff('year', any_value(p.birth_date), DATE '2025-06-30') AS age, sum(v.cost) AS cost
  GROUP BY p.id
)
SELECT corr(age, cost) AS r, regr_slope(cost, age) AS cost_per_year, count(*) AS n;

-- 166: Crude mortality by age group and sex [notebook]
FROM patients
SELECT if(birth_date < '1960-01-01', '65+', 'under 65') AS age_group, sex,
       count(*) AS n, count(death_date) AS deaths, count(death_date) / count(*) AS crude_rate
GROUP BY ALL
ORDER BY ALL;

-- 167: Approximate vaccination recall: living patients over 60 with no visit in the last five years [analyst]
SELECT count(*) AS to_recall
FROM patients p
WHERE p.death_date IS NULL
  AND p.birth_date <= CURRENT_DATE - INTERVAL '60 years'
  AND p.id NOT IN (SELECT patient_id FROM visits WHERE arrived >= CURRENT_DATE - INTERVAL '5 years' AND patient_id IS NOT NULL);

-- 168: Min, max and mode of lab units per test, with missing value counts [analyst]
SELECT test, min(value) AS lowest, max(value) AS highest, count(*) - count(value) AS missing, mode(unit) AS unit
FROM labs
GROUP BY test
ORDER BY test;
