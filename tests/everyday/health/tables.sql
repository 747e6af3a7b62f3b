-- deterministic data; hash(hash(..)) because the low bits of hash(a, const) are correlated between constants
CREATE TABLE icd (code VARCHAR PRIMARY KEY, label VARCHAR, chapter VARCHAR);
INSERT INTO icd VALUES ('E11','Type 2 diabetes','endocrine'),('I10','Hypertension','circulatory'),('J45','Asthma','respiratory'),('J06','Upper respiratory infection','respiratory'),('M54','Back pain','musculoskeletal'),('F32','Depressive episode','mental'),('K21','Reflux','digestive'),('N39','Urinary tract infection','genitourinary'),('Z00','General examination','contact'),('S93','Ankle sprain','injury');

CREATE TABLE patients (id INTEGER PRIMARY KEY, name VARCHAR, sex ENUM('F','M','X'), birth_date DATE, zip VARCHAR, smoker BOOLEAN, insurance VARCHAR, registered DATE, death_date DATE, vitals STRUCT(height_cm INTEGER, weight_kg DOUBLE));
INSERT INTO patients
SELECT i, 'Patient ' || i,
  (['F','F','F','F','M','M','M','M','M','X'])[1 + (hash(hash(i,401))%10)::INT],
  DATE '1930-01-01' + (hash(hash(i,402))%33000)::INT,
  (['10115','10247','20095','50667','80331','01067'])[1 + (hash(hash(i,403))%6)::INT],
  CASE WHEN hash(hash(i,404))%7 = 0 THEN NULL ELSE hash(hash(i,405))%4 = 0 END,
  (['public','public','public','private','none'])[1 + (hash(hash(i,406))%5)::INT],
  DATE '2022-01-01' + (hash(hash(i,407))%1000)::INT,
  CASE WHEN hash(hash(i,408))%35 = 0 THEN DATE '2025-01-01' + (hash(hash(i,409))%300)::INT END,
  {'height_cm': (150 + hash(hash(i,410))%45)::INT, 'weight_kg': round(48 + (hash(hash(i,411))%600)/10.0 + (hash(hash(i,412))%200)/10.0, 1)}
FROM range(1, 801) t(i);

CREATE TABLE visits (visit_id INTEGER, patient_id INTEGER, arrived TIMESTAMP, left_at TIMESTAMP, department VARCHAR, icd_code VARCHAR, cost DECIMAL(9,2), emergency BOOLEAN, satisfaction SMALLINT);
INSERT INTO visits
SELECT p.id * 20 + k, p.id,
  TIMESTAMP '2025-01-01 07:00:00' + to_days((hash(hash(p.id,k,421))%330)::INT) + to_minutes((hash(hash(p.id,k,422))%840)::INT),
  CASE WHEN hash(hash(p.id,k,423))%18 = 0 THEN NULL ELSE TIMESTAMP '2025-01-01 07:00:00' + to_days((hash(hash(p.id,k,421))%330)::INT) + to_minutes((hash(hash(p.id,k,422))%840 + 10 + hash(hash(p.id,k,424))%(20 + (hash(hash(p.id,k,425))%10)*(hash(hash(p.id,k,426))%60)))::INT) END,
  (['general','general','cardiology','pulmonology','orthopedics','emergency'])[1 + (hash(hash(p.id,k,427))%6)::INT],
  (['E11','E11','I10','I10','I10','J45','J06','J06','M54','F32','K21','N39','Z00','Z00','S93'])[1 + ((hash(hash(p.id,428))%8 + hash(hash(p.id,k,429))%8))::INT],
  ((4000 + (hash(hash(p.id,k,430))%150)*(hash(hash(p.id,k,431))%500))/100.0)::DECIMAL(9,2),
  hash(hash(p.id,k,427))%6 = 5 OR hash(hash(p.id,k,432))%15 = 0,
  CASE WHEN hash(hash(p.id,k,433))%3 = 0 THEN NULL ELSE (1 + greatest(hash(hash(p.id,k,434))%5, hash(hash(p.id,k,435))%5))::SMALLINT END
FROM patients p, range(0, 12) r(k)
WHERE hash(hash(p.id,436))%12 > 0 AND k <= hash(hash(p.id,420)) % 11;

CREATE TABLE labs (patient_id INTEGER, taken_on DATE, test VARCHAR, value DOUBLE, unit VARCHAR, abnormal BOOLEAN);
INSERT INTO labs
SELECT p.id, DATE '2025-01-01' + (hash(hash(p.id,k,441))%330)::INT, t.test,
  CASE WHEN hash(hash(p.id,k,442))%25 = 0 THEN NULL ELSE round(t.base + t.spread * ((hash(hash(p.id,k,443))%100 + hash(hash(p.id,444))%100)::INT - 100) / 100.0, 2) END,
  t.unit, hash(hash(p.id,k,445))%6 = 0
FROM patients p, range(0, 6) r(k), (VALUES (0,'hba1c',5.9,1.8,'%'), (1,'ldl',120.0,60.0,'mg/dl'), (2,'crp',6.0,5.5,'mg/l')) t(n,test,base,spread,unit)
WHERE k < hash(hash(p.id,446))%7 AND t.n = hash(hash(p.id,k,447))%3;
