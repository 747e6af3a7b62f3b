-- deterministic data; hash(hash(..)) because the low bits of hash(a, const) are correlated between constants
CREATE TABLE pages (path VARCHAR PRIMARY KEY, section VARCHAR, title VARCHAR);
INSERT INTO pages VALUES ('/','home','Home'),('/pricing','marketing','Pricing'),('/blog','blog','Blog'),('/blog/privacy','blog','On privacy'),('/blog/sql-tips','blog','SQL tips'),('/docs','docs','Documentation'),('/docs/install','docs','Install'),('/docs/api','docs','API'),('/cart','checkout','Cart'),('/checkout','checkout','Checkout'),('/thanks','checkout','Thank you'),('/careers','company','Careers');

CREATE TABLE visitors (id BIGINT PRIMARY KEY, first_seen DATE, country VARCHAR, browser ENUM('Chrome','Firefox','Safari','Edge','Other'), device VARCHAR, utm_source VARCHAR, is_logged_in BOOLEAN, ip VARCHAR);
INSERT INTO visitors
SELECT 100000 + i,
  DATE '2025-03-01' + (hash(hash(i,101))%92)::INT,
  CASE WHEN hash(hash(i,102))%25 = 0 THEN NULL ELSE (['US','US','US','GB','DE','FR','IN','IN','NL','PL'])[1 + (hash(hash(i,103))%10)::INT] END,
  (['Chrome','Chrome','Chrome','Chrome','Safari','Safari','Firefox','Edge','Other'])[1 + (hash(hash(i,104))%9)::INT],
  (['desktop','desktop','mobile','mobile','mobile','tablet'])[1 + (hash(hash(i,105))%6)::INT],
  CASE WHEN hash(hash(i,106))%3 = 0 THEN NULL ELSE (['google','google','newsletter','twitter','reddit','bing'])[1 + (hash(hash(i,107))%6)::INT] END,
  hash(hash(i,108))%4 = 0,
  '10.' || (hash(hash(i,109))%6) || '.' || (hash(hash(i,110))%256) || '.' || (hash(hash(i,111))%256)
FROM range(1, 901) t(i);

CREATE TABLE hits (hit_id BIGINT, visitor_id BIGINT, ts TIMESTAMPTZ, method VARCHAR, url VARCHAR, status SMALLINT, response_ms INTEGER, bytes BIGINT, referrer VARCHAR);
INSERT INTO hits
SELECT v.id * 40 + k, v.id,
  v.first_seen::TIMESTAMP AT TIME ZONE 'UTC' + to_minutes((hash(hash(v.id,121))%1440 + (k // 4) * (hash(hash(v.id,k // 4,122))%9000) + k * (1 + hash(hash(v.id,k,123))%9))::INT) + to_seconds((hash(hash(v.id,k,124))%60)::INT),
  CASE WHEN hash(hash(v.id,k,125))%11 = 0 THEN 'POST' ELSE 'GET' END,
  'https://www.example.com' || (['/','/','/','/pricing','/pricing','/blog','/blog/privacy','/blog/sql-tips','/docs','/docs/install','/docs/api','/cart','/checkout','/thanks','/careers'])[1 + (hash(hash(v.id,k,126))%15)::INT]
    || CASE WHEN hash(hash(v.id,k,127))%5 = 0 THEN '?utm_campaign=' || (['spring','launch','retarget'])[1 + (hash(hash(v.id,k,128))%3)::INT] ELSE '' END,
  (CASE WHEN hash(hash(v.id,k,129))%40 = 0 THEN 500 WHEN hash(hash(v.id,k,130))%25 = 0 THEN 404 WHEN hash(hash(v.id,k,131))%15 = 0 THEN 301 ELSE 200 END)::SMALLINT,
  CASE WHEN hash(hash(v.id,k,132))%30 = 0 THEN NULL ELSE (20 + (hash(hash(v.id,k,133))%40) * (hash(hash(v.id,k,134))%40))::INT END,
  (500 + hash(hash(v.id,k,135))%90000)::BIGINT,
  CASE WHEN hash(hash(v.id,k,136))%2 = 0 THEN NULL ELSE (['https://www.google.com/search','https://news.ycombinator.com/item','https://t.co/abc','https://www.example.com/blog','http://reddit.com/r/sql'])[1 + (hash(hash(v.id,k,137))%5)::INT] END
FROM visitors v, range(0, 22) r(k)
WHERE k <= hash(hash(v.id, 120)) % 20;

CREATE TABLE conversions (visitor_id BIGINT, converted_at TIMESTAMPTZ, goal VARCHAR, value DECIMAL(8,2));
INSERT INTO conversions
SELECT v.id, v.first_seen::TIMESTAMP AT TIME ZONE 'UTC' + to_hours((hash(hash(v.id,k,141))%400)::INT),
  (['newsletter','trial','trial','purchase'])[1 + (hash(hash(v.id,k,142))%4)::INT],
  CASE WHEN hash(hash(v.id,k,142))%4 = 3 THEN ((1000 + hash(hash(v.id,k,143))%15000)/100.0)::DECIMAL(8,2) END
FROM visitors v, range(0, 3) r(k)
WHERE k < hash(hash(v.id, 140)) % 4 AND hash(hash(v.id,144))%3 = 0;
