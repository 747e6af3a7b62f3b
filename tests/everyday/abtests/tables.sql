-- deterministic data; hash(hash(..)) because the low bits of hash(a, const) are correlated between constants
CREATE TABLE experiments (exp_id VARCHAR PRIMARY KEY, title VARCHAR, started DATE, ended DATE);
INSERT INTO experiments VALUES ('exp_button','Green buy button','2025-05-01','2025-05-31'),('exp_price','Annual price shown first','2025-05-15','2025-06-30'),('exp_onboard','Short onboarding','2025-06-01','2025-06-30');

CREATE TABLE subjects (id BIGINT PRIMARY KEY, created DATE, country VARCHAR, device ENUM('ios','android','web'), is_new BOOLEAN, pre_revenue DOUBLE, pre_sessions INTEGER, age_group VARCHAR);
INSERT INTO subjects
SELECT 900000 + i, DATE '2024-06-01' + (hash(hash(i,701))%330)::INT, (['US','US','UK','DE','SE'])[1 + (hash(hash(i,702))%5)::INT],
  (['ios','android','android','web','web'])[1 + (hash(hash(i,703))%5)::INT], hash(hash(i,704))%3 = 0,
  CASE WHEN hash(hash(i,705))%3 = 0 THEN 0 WHEN hash(hash(i,705))%30 = 1 THEN NULL ELSE round((hash(hash(i,706))%100)*(hash(hash(i,707))%100)/50.0, 2) END,
  (hash(hash(i,708))%25)::INT, CASE WHEN hash(hash(i,709))%10 = 0 THEN NULL ELSE (['18-29','30-44','45-59','60+'])[1 + (hash(hash(i,710))%4)::INT] END
FROM range(1, 1001) t(i);

CREATE TABLE assignments (subject_id BIGINT, exp_id VARCHAR, variant VARCHAR, assigned_at TIMESTAMP);
INSERT INTO assignments
SELECT s.id, e.exp_id, CASE WHEN hash(hash(s.id,e.exp_id,721))%2 = 0 THEN 'control' ELSE 'treatment' END,
  e.started::TIMESTAMP + to_hours((hash(hash(s.id,e.exp_id,722))%(24*14))::INT)
FROM subjects s, experiments e WHERE hash(hash(s.id,e.exp_id,720))%10 < 7;

CREATE TABLE metrics (subject_id BIGINT, ts TIMESTAMP, event VARCHAR, revenue DECIMAL(8,2), load_ms INTEGER, payload JSON);
INSERT INTO metrics
SELECT s.id, TIMESTAMP '2025-05-01' + to_minutes((hash(hash(s.id,k,731))%(61*1440))::INT),
  CASE WHEN hash(hash(s.id,k,732))%100 < 12 + 5 * (hash(hash(s.id,'exp_button',721))%2)::INT THEN 'purchase' ELSE (['view','view','view','click','click','add_to_cart','crash'])[1 + (hash(hash(s.id,k,733))%7)::INT] END,
  CASE WHEN hash(hash(s.id,k,732))%100 < 12 + 5 * (hash(hash(s.id,'exp_button',721))%2)::INT THEN ((500 + (hash(hash(s.id,k,734))%70)*(hash(hash(s.id,k,735))%120))/100.0)::DECIMAL(8,2) END,
  CASE WHEN hash(hash(s.id,k,736))%20 = 0 THEN NULL ELSE (100 + (hash(hash(s.id,k,737))%50)*(hash(hash(s.id,k,738))%50))::INT END,
  json_object('screen', (['home','item','cart'])[1 + (hash(hash(s.id,k,739))%3)::INT], 'flags', json_array(hash(hash(s.id,k,740))%2 = 0), 'net', json_object('type', CASE WHEN hash(hash(s.id,k,741))%3 = 0 THEN 'wifi' ELSE 'cell' END))
FROM subjects s, range(0, 16) r(k) WHERE k < hash(hash(s.id,730))%16;
