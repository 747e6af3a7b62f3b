-- deterministic data; hash(hash(..)) because the low bits of hash(a, const) are correlated between constants
CREATE TABLE countries (code VARCHAR PRIMARY KEY, name VARCHAR, region VARCHAR, eu BOOLEAN);
INSERT INTO countries VALUES ('US','United States','AMER',false),('CA','Canada','AMER',false),('BR','Brazil','AMER',false),('DE','Germany','EMEA',true),('FR','France','EMEA',true),('GB','United Kingdom','EMEA',false),('ES','Spain','EMEA',true),('IN','India','APAC',false),('JP','Japan','APAC',false),('NZ','New Zealand','APAC',false);

CREATE TABLE users (id INTEGER PRIMARY KEY, name VARCHAR, email VARCHAR, country VARCHAR, plan ENUM('free','pro','team','enterprise'), signup_date DATE, birth_year INTEGER, is_active BOOLEAN, channel VARCHAR, tags VARCHAR[]);
INSERT INTO users
SELECT i,
  'User ' || i,
  'user' || i || '@' || (['gmail.com','outlook.com','acme.io','Example.ORG'])[1 + (hash(hash(i,11))%4)::INT],
  (['US','US','US','DE','DE','FR','GB','IN','IN','BR','CA','JP','ES'])[1 + (hash(hash(i,12))%13)::INT],
  (['free','free','free','free','pro','pro','team','enterprise'])[1 + (hash(hash(i,13))%8)::INT],
  DATE '2025-01-01' + (hash(hash(i,14))%360)::INT,
  CASE WHEN hash(hash(i,15))%9 = 0 THEN NULL ELSE (1955 + hash(hash(i,16))%50)::INT END,
  hash(hash(i,17))%10 < 7,
  CASE WHEN hash(hash(i,18))%12 = 0 THEN NULL ELSE (['organic','organic','paid_search','referral','social','partner'])[1 + (hash(hash(i,19))%6)::INT] END,
  list_filter(['beta','mobile','api','sso','newsletter'], lambda x: hash(hash(x, i))%3 = 0)
FROM range(1, 601) t(i);

CREATE TABLE events (event_id BIGINT, user_id INTEGER, event_name VARCHAR, ts TIMESTAMP, platform VARCHAR, duration_s DOUBLE, props JSON);
INSERT INTO events
SELECT u.id * 100 + k, u.id,
  CASE WHEN k = 0 THEN 'signup' WHEN k = 1 THEN 'login' ELSE (['login','login','view_dashboard','view_dashboard','create_report','export','invite','error'])[1 + (hash(hash(u.id,k,21))%8)::INT] END,
  u.signup_date::TIMESTAMP + to_minutes((k * k * 137 + hash(hash(u.id,k,22))%900 + k * (hash(hash(u.id,23))%2500))::INT),
  (['web','web','web','ios','android'])[1 + (hash(hash(u.id,k,24))%5)::INT],
  CASE WHEN hash(hash(u.id,k,25))%7 = 0 THEN NULL ELSE round((hash(hash(u.id,k,26))%36000)/100.0, 2) END,
  json_object('version', '4.' || (hash(hash(u.id,k,27))%4), 'experiment', CASE WHEN hash(hash(u.id,28))%2 = 0 THEN 'a' ELSE 'b' END, 'latency_ms', (hash(hash(u.id,k,29))%800)::INT)
FROM users u, range(0, 24) r(k)
WHERE k <= hash(hash(u.id, 20)) % 21;

CREATE TABLE payments (payment_id BIGINT, user_id INTEGER, paid_at TIMESTAMP, amount DECIMAL(10,2), method VARCHAR, refunded BOOLEAN);
INSERT INTO payments
SELECT u.id * 50 + k, u.id,
  u.signup_date::TIMESTAMP + to_days((1 + hash(hash(u.id,35))%21 + k * 30)::INT) + to_hours((hash(hash(u.id,k,31))%24)::INT),
  ((CASE u.plan WHEN 'pro' THEN 1900 WHEN 'team' THEN 4900 ELSE 19900 END + hash(hash(u.id,k,32))%500) / 100.0)::DECIMAL(10,2),
  (['card','card','card','paypal','invoice'])[1 + (hash(hash(u.id,33))%5)::INT],
  hash(hash(u.id,k,34))%20 = 0
FROM users u, range(0, 8) r(k)
WHERE u.plan <> 'free' AND k <= hash(hash(u.id, 30)) % 8;
