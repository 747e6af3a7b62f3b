-- 169: Current headcount and FTE by department name [analyst]
SELECT d.dept_name, count(*) AS headcount, sum(e.fte) AS fte
FROM employees e
JOIN departments d ON d.dept_id = e.dept_id
WHERE e.terminated IS NULL
GROUP BY d.dept_name
ORDER BY headcount DESC, d.dept_name;

-- 170: Average and median salary by job level [analyst]
SELECT job_level, count(*) AS n, avg(salary) AS avg_salary, median(salary) AS median_salary
FROM employees
GROUP BY job_level
ORDER BY job_level;

-- 171: Gender pay gap per job level (women's average relative to men's) [analyst]
SELECT job_level,
       avg(CASE WHEN gender = 'female' THEN salary END) AS avg_f,
       avg(CASE WHEN gender = 'male' THEN salary END) AS avg_m,
       1 - avg(CASE WHEN gender = 'female' THEN salary END) / avg(CASE WHEN gender = 'male' THEN salary END) AS gap
FROM employees
WHERE terminated IS NULL
GROUP BY job_level
ORDER BY job_level;

-- 172: Payroll as a share of the department's public budget [analyst]
SELECT d.dept_name, sum(e.salary * e.fte) AS payroll, sum(e.salary * e.fte) / max(d.budget) AS share_of_budget
FROM departments d
LEFT JOIN employees e ON e.dept_id = d.dept_id AND e.terminated IS NULL
GROUP BY d.dept_name
ORDER BY share_of_budget DESC;

-- 173: Attrition: leavers per year divided by people hired before that year [analyst]
WITH years AS (SELECT DISTINCT review_year AS y FROM (VALUES (2021), (2022), (2023), (2024), (2025)) v(review_year))
SELECT y.y AS year,
       count(CASE WHEN extract(year FROM e.terminated) = y.y THEN 1 END) AS leavers,
       count(*) AS base,
       count(CASE WHEN extract(year FROM e.terminated) = y.y THEN 1 END)::DOUBLE / count(*) AS attrition
FROM years y
JOIN employees e ON e.hired < make_date(y.y, 1, 1) AND (e.terminated IS NULL OR e.terminated >= make_date(y.y, 1, 1))
GROUP BY y.y
ORDER BY y.y;

-- 174: Sick days per employee by site, including those with none [analyst]
SELECT e.site, avg(coalesce(a.sick_days, 0)) AS avg_sick_days
FROM employees e
LEFT JOIN (SELECT employee_id, sum(days) AS sick_days FROM absences WHERE kind = 'sick' GROUP BY employee_id) a
  ON a.employee_id = e.id
GROUP BY e.site
ORDER BY e.site;

-- 175: Average review score by year and the change against last year [analyst]
SELECT review_year, avg_score, avg_score - lag(avg_score) OVER (ORDER BY review_year) AS change
FROM (SELECT review_year, avg(score) AS avg_score FROM reviews GROUP BY review_year) r
ORDER BY review_year;

-- 176: Promotion rate by gender in 2024 [analyst]
SELECT coalesce(e.gender, 'undisclosed') AS gender, avg(r.promoted::INT) AS promotion_rate, count(*) AS reviewed
FROM reviews r
JOIN employees e ON e.id = r.employee_id
WHERE r.review_year = 2024
GROUP BY coalesce(e.gender, 'undisclosed')
ORDER BY 1;

-- 177: Who has the highest salary in each department? [analyst] (private rows)
SELECT d.dept_name, e.full_name, e.salary
FROM employees e JOIN departments d ON d.dept_id = e.dept_id
WHERE e.salary = (SELECT max(x.salary) FROM employees x WHERE x.dept_id = e.dept_id)
ORDER BY d.dept_name, e.full_name;

-- 178: Employees whose every review was above 3 (relational division), count only [analyst]
SELECT count(*) AS n
FROM employees e
WHERE EXISTS (SELECT 1 FROM reviews r WHERE r.employee_id = e.id)
  AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.employee_id = e.id AND (r.score <= 3 OR r.score IS NULL));

-- 179: The chain of reports under employee 3 (recursive) [analyst] (private rows)
WITH RECURSIVE chain AS (
  SELECT id, full_name, manager_id, 0 AS depth FROM employees WHERE id = 3
  UNION ALL
  SELECT e.id, e.full_name, e.manager_id, c.depth + 1 FROM employees e JOIN chain c ON e.manager_id = c.id
)
SELECT depth, id, full_name FROM chain ORDER BY depth, id;

-- 180: Average span of control: direct reports per manager [analyst]
SELECT avg(n) AS avg_reports, max(n) AS max_reports
FROM (SELECT manager_id, count(*) AS n FROM employees WHERE manager_id IS NOT NULL GROUP BY manager_id) m;

-- 181: Django: count of remote employees by site [orm]
SELECT "employees"."site", COUNT(*) AS "n" FROM "employees" WHERE ("employees"."remote" AND "employees"."terminated" IS NULL) GROUP BY "employees"."site" ORDER BY "employees"."site" ASC;

-- 182: SQLAlchemy: total approved absence days by kind [orm]
SELECT absences.kind, sum(absences.days) AS sum_1
FROM absences
WHERE absences.approved IS true GROUP BY absences.kind ORDER BY sum_1 DESC;

-- 183: Django: employees hired per year [orm]
SELECT EXTRACT(YEAR FROM "employees"."hired") AS "year", COUNT("employees"."id") AS "c" FROM "employees" GROUP BY 1 ORDER BY 1 ASC;

-- 184: SQLAlchemy: divisions with an average salary above 50000 [orm]
SELECT departments.division, avg(employees.salary) AS avg_1
FROM employees JOIN departments ON departments.dept_id = employees.dept_id GROUP BY departments.division
HAVING avg(employees.salary) > 50000 ORDER BY departments.division;

-- 185: Django: look up an employee by email [orm] (private rows)
SELECT "employees"."id", "employees"."full_name", "employees"."salary" FROM "employees" WHERE "employees"."email" LIKE '%17@corp.example' ORDER BY "employees"."id" LIMIT 21;

-- 186: ibis: mean bonus by department id for those who got one [ibis-dbplyr]
SELECT "t4"."dept_id", AVG("t4"."bonus") AS "mean_bonus", COUNT("t4"."bonus") AS "n"
FROM (
  SELECT "t2"."employee_id", "t2"."bonus", "t3"."dept_id"
  FROM (SELECT * FROM "reviews" AS "t0" WHERE "t0"."bonus" > CAST(0 AS TINYINT)) AS "t2"
  INNER JOIN "employees" AS "t3" ON "t2"."employee_id" = "t3"."id"
) AS "t4"
GROUP BY 1;

-- 187: dbplyr: tenure in years by level among current staff [ibis-dbplyr]
SELECT job_level, AVG(tenure) AS mean_tenure, COUNT(*) AS n
FROM (
  SELECT employees.*, date_diff('day', hired, CAST('2025-12-31' AS DATE)) / 365.25 AS tenure
  FROM employees
  WHERE ((terminated IS NULL))
) q01
GROUP BY job_level
ORDER BY job_level;

-- 188: ibis: number of distinct levels and people by site with at least 20 people [ibis-dbplyr]
SELECT * FROM (
  SELECT "t0"."site", COUNT(DISTINCT "t0"."job_level") AS "levels", COUNT(*) AS "people"
  FROM "employees" AS "t0"
  GROUP BY 1
) AS "t1"
WHERE "t1"."people" >= CAST(20 AS TINYINT);

-- 189: dbplyr: semi join, mean salary of employees ever promoted [ibis-dbplyr]
SELECT AVG(salary) AS mean_salary, COUNT(*) AS n
FROM (
  SELECT LHS.*
  FROM employees LHS
  WHERE EXISTS (
    SELECT 1 FROM (SELECT reviews.* FROM reviews WHERE (promoted)) RHS
    WHERE (LHS.id = RHS.employee_id)
  )
) q01;

-- 190: Power BI: headcount by division, level with totals (CUBE) [bi]
SELECT "d"."division" AS "Division", "e"."job_level" AS "Level", COUNT(*) AS "Headcount", AVG("e"."salary") AS "AvgSalary"
FROM "employees" AS "e" LEFT OUTER JOIN "departments" AS "d" ON "e"."dept_id" = "d"."dept_id"
GROUP BY CUBE ("d"."division", "e"."job_level");

-- 191: Tableau: absences by month and kind [bi]
SELECT "absences"."kind" AS "kind", DATE_TRUNC('month', "absences"."start_date") AS "tmn:start_date:ok", SUM("absences"."days") AS "sum:days:ok"
FROM "absences"
WHERE (("absences"."start_date" >= DATE '2025-01-01') AND ("absences"."start_date" <= DATE '2025-12-31'))
GROUP BY 1, 2;

-- 192: Looker: salary percentiles by site [bi]
SELECT
    employees.site AS "employees.site",
    PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY employees.salary) AS "employees.p25_salary",
    PERCENTILE_CONT(0.75) WITHIN GROUP (ORDER BY employees.salary) AS "employees.p75_salary"
FROM employees
GROUP BY 1
ORDER BY 3 DESC
LIMIT 500;

-- 193: Metabase: distribution of scores rounded to half points [bi]
SELECT "source"."bucket" AS "bucket", COUNT(*) AS "count"
FROM (SELECT FLOOR("reviews"."score" / 0.5) * 0.5 AS "bucket" FROM "reviews" WHERE "reviews"."score" IS NOT NULL) AS "source"
GROUP BY "source"."bucket"
ORDER BY "source"."bucket" ASC;

-- 194: Superset: share of women by department [bi]
SELECT dept_name AS dept_name, SUM(CASE WHEN gender = 'female' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) AS pct_women
FROM (SELECT e.*, d.dept_name FROM employees e JOIN departments d ON e.dept_id = d.dept_id) AS virtual_table
GROUP BY dept_name
ORDER BY pct_women DESC, dept_name
LIMIT 1000;

-- 195: Headcount at the end of each month of 2024 from hire and leave dates [notebook]
WITH months AS (SELECT last_day(m::DATE) AS m FROM generate_series(DATE '2024-01-01', DATE '2024-12-01', INTERVAL 1 MONTH) g(m))
SELECT m, count(e.id) AS headcount
FROM months LEFT JOIN employees e ON e.hired <= m AND coalesce(e.terminated, DATE '9999-12-31') > m
GROUP BY ALL
ORDER BY m;

-- 196: Keyword count in review comments, case-insensitive [notebook]
FROM reviews
SELECT count(*) FILTER (comment ILIKE '%great%') AS praised,
       count(*) FILTER (comment ILIKE '%target%') AS targets,
       count(*) FILTER (comment IS NULL) AS no_comment,
       avg(length(comment)) AS avg_length;

-- 197: Pivot review scores: years as columns, level as rows [notebook]
PIVOT (FROM reviews r JOIN employees e ON e.id = r.employee_id SELECT e.job_level, r.review_year, r.score)
ON review_year IN (2022, 2023, 2024, 2025) USING avg(score) GROUP BY job_level ORDER BY job_level;

-- 198: Salary regressed on tenure and its correlation per division [notebook]
FROM employees e JOIN departments d USING (dept_id)
SELECT d.division, corr(salary, 2026 - year(hired)) AS r, regr_slope(salary, 2026 - year(hired)) AS per_year
GROUP BY ALL
ORDER BY d.division;

-- 199: Absence streaks: average gap in days between two absences of one person [notebook]
WITH g AS (
  FROM absences SELECT employee_id, start_date - lag(start_date) OVER (PARTITION BY employee_id ORDER BY start_date, absence_id) AS gap
)
FROM g SELECT avg(gap) AS mean_gap, quantile_cont(gap, [0.25, 0.5, 0.75]) AS quartiles WHERE gap IS NOT NULL;

-- 200: Employees turning 60 within the next five years from today, per department [notebook]
FROM employees JOIN departments USING (dept_id)
SELECT dept_name, count(*) AS retiring
WHERE terminated IS NULL AND birth_date + INTERVAL 60 YEAR BETWEEN CURRENT_DATE AND CURRENT_DATE + INTERVAL 5 YEAR
GROUP BY ALL
ORDER BY retiring DESC, dept_name;

-- 201: Share of employees who took any training, with a scalar subquery over all [analyst]
SELECT count(DISTINCT a.employee_id) * 1.0 / (SELECT count(*) FROM employees WHERE terminated IS NULL) AS training_share
FROM absences a
JOIN employees e ON e.id = a.employee_id
WHERE a.kind = 'training' AND e.terminated IS NULL;
