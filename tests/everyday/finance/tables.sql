-- deterministic data; hash(hash(..)) because the low bits of hash(a, const) are correlated between constants
CREATE TABLE calendar (day DATE PRIMARY KEY, fiscal_quarter VARCHAR, is_business_day BOOLEAN);
INSERT INTO calendar
SELECT (DATE '2025-01-01' + i::INT), 'FY25Q' || quarter(DATE '2025-01-01' + i::INT), dayofweek(DATE '2025-01-01' + i::INT) BETWEEN 1 AND 5
FROM range(0, 365) t(i);

CREATE TABLE clients (id BIGINT PRIMARY KEY, full_name VARCHAR, birth_date DATE, city VARCHAR, occupation VARCHAR, income DECIMAL(12,2), risk_class ENUM('low','medium','high'), joined DATE, pep BOOLEAN);
INSERT INTO clients
SELECT 5000 + i, 'Client ' || i,
  DATE '1945-01-01' + (hash(hash(i,301))%22000)::INT,
  (['Zurich','Geneva','Basel','Bern','Lausanne'])[1 + (hash(hash(i,302))%5)::INT],
  CASE WHEN hash(hash(i,303))%8 = 0 THEN NULL ELSE (['engineer','teacher','nurse','retired','student','manager','self-employed'])[1 + (hash(hash(i,304))%7)::INT] END,
  CASE WHEN hash(hash(i,305))%12 = 0 THEN NULL ELSE ((1800000 + (hash(hash(i,306))%400) * (hash(hash(i,307))%40000))/100.0)::DECIMAL(12,2) END,
  (['low','low','low','medium','medium','high'])[1 + (hash(hash(i,308))%6)::INT],
  DATE '2010-01-01' + (hash(hash(i,309))%5000)::INT,
  hash(hash(i,310))%60 = 0
FROM range(1, 501) t(i);

CREATE TABLE transactions (tx_id BIGINT, client_id BIGINT, booked DATE, amount DECIMAL(12,2), currency CHAR(3), category VARCHAR, channel VARCHAR, merchant VARCHAR, is_fraud BOOLEAN);
INSERT INTO transactions
SELECT c.id * 100 + k, c.id, DATE '2025-01-01' + (hash(hash(c.id,k,321))%365)::INT,
  (CASE WHEN hash(hash(c.id,k,323))%12 = 11 THEN (250000 + (hash(hash(c.id,324))%500000)::BIGINT) / 100.0 ELSE -(((hash(hash(c.id,k,325))%300) * (hash(hash(c.id,k,326))%300))::BIGINT + 150) / 100.0 END)::DECIMAL(12,2),
  (['CHF','CHF','CHF','CHF','EUR','USD'])[1 + (hash(hash(c.id,k,322))%6)::INT],
  (['groceries','groceries','restaurants','transport','rent','utilities','shopping','shopping','travel','health','cash','salary'])[1 + (hash(hash(c.id,k,323))%12)::INT],
  (['card','card','online','atm','transfer'])[1 + (hash(hash(c.id,k,327))%5)::INT],
  CASE WHEN hash(hash(c.id,k,328))%6 = 0 THEN NULL ELSE 'Merchant ' || (hash(hash(c.id,k,329))%45) END,
  hash(hash(c.id,k,330))%150 = 0
FROM clients c, range(0, 30) r(k)
WHERE k <= hash(hash(c.id, 320)) % 29;

CREATE TABLE loans (loan_id INTEGER, client_id BIGINT, granted DATE, principal DECIMAL(12,2), rate DOUBLE, term_months INTEGER, status VARCHAR, days_overdue INTEGER);
INSERT INTO loans
SELECT (c.id * 3 + k)::INT, c.id, DATE '2020-01-01' + (hash(hash(c.id,k,341))%2100)::INT,
  ((500000 + (hash(hash(c.id,k,342))%9500000)::BIGINT)/100.0)::DECIMAL(12,2), round(1.5 + (hash(hash(c.id,k,343))%700)/100.0, 2), (12 * (1 + hash(hash(c.id,k,344))%8))::INT,
  (['active','active','active','paid','paid','default'])[1 + (hash(hash(c.id,k,345))%6)::INT],
  CASE WHEN hash(hash(c.id,k,345))%6 < 3 THEN (CASE WHEN hash(hash(c.id,k,346))%4 = 0 THEN (hash(hash(c.id,k,347))%120)::INT ELSE 0 END) END
FROM clients c, range(0, 3) r(k)
WHERE k < hash(hash(c.id, 340)) % 4 AND hash(hash(c.id, 348))%2 = 0;
