-- deterministic data; hash(hash(..)) because the low bits of hash(a, const) are correlated between constants
CREATE TABLE departments (dept_id INTEGER PRIMARY KEY, dept_name VARCHAR, division VARCHAR, budget DECIMAL(12,2));
INSERT INTO departments VALUES (1,'Engineering','Tech',9000000),(2,'Data','Tech',3000000),(3,'Sales','Commercial',5000000),(4,'Marketing','Commercial',2500000),(5,'Finance','Corporate',1800000),(6,'People','Corporate',1200000),(7,'Support','Commercial',2200000),(8,'Legal','Corporate',900000);

CREATE TABLE employees (id INTEGER PRIMARY KEY, full_name VARCHAR, gender VARCHAR, birth_date DATE, dept_id INTEGER, job_level ENUM('junior','mid','senior','lead','director'), site VARCHAR, hired DATE, terminated DATE, salary DECIMAL(10,2), fte DOUBLE, remote BOOLEAN, manager_id INTEGER, email VARCHAR);
INSERT INTO employees
SELECT i, (['Alex','Bea','Carl','Dina','Emil','Fay','Gus','Hana'])[1 + (hash(hash(i,501))%8)::INT] || ' ' || (['Ames','Brook','Cole','Dahl','Evans','Frey'])[1 + (hash(hash(i,502))%6)::INT] || ' ' || i,
  CASE WHEN hash(hash(i,503))%30 = 0 THEN NULL ELSE (['female','male','female','male','nonbinary'])[1 + least((hash(hash(i,504))%21)::INT // 5, 4)] END,
  DATE '1960-01-01' + (hash(hash(i,505))%15500)::INT,
  ([1,1,1,2,3,3,4,5,6,7,7,8])[1 + (hash(hash(i,506))%12)::INT],
  (['junior','junior','mid','mid','mid','senior','senior','lead','lead','director'])[1 + (hash(hash(i,507))%10)::INT],
  (['Dublin','Lisbon','Warsaw','Remote'])[1 + (hash(hash(i,508))%4)::INT],
  DATE '2016-01-01' + (hash(hash(i,509))%3400)::INT,
  CASE WHEN hash(hash(i,510))%6 = 0 THEN DATE '2016-01-01' + (hash(hash(i,509))%3400 + 60 + hash(hash(i,511))%900)::INT END,
  (28000 + ([0,0,14000,14000,14000,32000,32000,50000,50000,85000])[1 + (hash(hash(i,507))%10)::INT] + (hash(hash(i,512))%15000)::INT)::DECIMAL(10,2),
  ([1.0,1.0,1.0,1.0,0.8,0.5])[1 + (hash(hash(i,513))%6)::INT],
  hash(hash(i,514))%3 = 0,
  CASE WHEN i = 1 THEN NULL ELSE greatest(1, i // 8) END,
  lower((['Alex','Bea','Carl','Dina','Emil','Fay','Gus','Hana'])[1 + (hash(hash(i,501))%8)::INT]) || i || '@corp.example'
FROM range(1, 401) t(i);

CREATE TABLE absences (absence_id INTEGER, employee_id INTEGER, start_date DATE, days INTEGER, kind VARCHAR, approved BOOLEAN);
INSERT INTO absences
SELECT e.id * 20 + k, e.id, DATE '2025-01-01' + (hash(hash(e.id,k,521))%340)::INT, (1 + (hash(hash(e.id,k,522))%4)*(hash(hash(e.id,k,523))%4))::INT,
  (['vacation','vacation','vacation','sick','sick','parental','training'])[1 + (hash(hash(e.id,k,524))%7)::INT],
  CASE WHEN hash(hash(e.id,k,525))%14 = 0 THEN NULL ELSE hash(hash(e.id,k,526))%10 > 0 END
FROM employees e, range(0, 10) r(k) WHERE k < hash(hash(e.id,520)) % 10;

CREATE TABLE reviews (employee_id INTEGER, review_year INTEGER, score DOUBLE, promoted BOOLEAN, comment VARCHAR, bonus DECIMAL(9,2));
INSERT INTO reviews
SELECT e.id, y::INT, CASE WHEN hash(hash(e.id,y,531))%15 = 0 THEN NULL ELSE 1 + (hash(hash(e.id,y,532))%41)/10.0 END, hash(hash(e.id,y,533))%8 = 0,
  CASE WHEN hash(hash(e.id,y,534))%3 = 0 THEN NULL ELSE (['Great team player','Needs focus on deadlines','Exceeded targets','Solid year','great communicator','Missed targets'])[1 + (hash(hash(e.id,y,535))%6)::INT] END,
  CASE WHEN hash(hash(e.id,y,536))%2 = 0 THEN ((hash(hash(e.id,y,537))%90)*100)::DECIMAL(9,2) END
FROM employees e, range(2022, 2026) t(y)
WHERE e.hired < make_date(y::INT, 7, 1) AND (e.terminated IS NULL OR e.terminated > make_date(y::INT, 12, 1));
