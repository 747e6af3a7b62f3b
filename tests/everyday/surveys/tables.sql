-- deterministic data; hash(hash(..)) because the low bits of hash(a, const) are correlated between constants
CREATE TABLE questions (qid VARCHAR PRIMARY KEY, text VARCHAR, topic VARCHAR, scale_max INTEGER);
INSERT INTO questions VALUES ('q1','How satisfied are you overall?','satisfaction',5),('q2','How likely are you to recommend us?','nps',10),('q3','The service is easy to use','usability',5),('q4','Support answers quickly','support',5),('q5','The price is fair','price',5),('q6','I trust the company with my data','trust',5);

CREATE TABLE respondents (id INTEGER PRIMARY KEY, email VARCHAR, age INTEGER, gender ENUM('female','male','other','prefer_not'), region VARCHAR, education VARCHAR, income_band VARCHAR, household_size INTEGER, weight DOUBLE, languages VARCHAR[], joined_panel DATE, consent BOOLEAN);
INSERT INTO respondents
SELECT i, 'r' || i || '@panel.example',
  CASE WHEN hash(hash(i,601))%25 = 0 THEN NULL ELSE (18 + hash(hash(i,602))%68)::INT END,
  (['female','female','female','male','male','male','other','prefer_not'])[1 + (hash(hash(i,603))%8)::INT],
  (['North','South','East','West'])[1 + (hash(hash(i,604))%4)::INT],
  CASE WHEN hash(hash(i,605))%15 = 0 THEN NULL ELSE (['primary','secondary','secondary','bachelor','bachelor','master'])[1 + (hash(hash(i,606))%6)::INT] END,
  CASE WHEN hash(hash(i,607))%5 = 0 THEN NULL ELSE (['<20k','20-40k','20-40k','40-70k','>70k'])[1 + (hash(hash(i,608))%5)::INT] END,
  (1 + hash(hash(i,609))%6)::INT, round(0.5 + (hash(hash(i,610))%150)/100.0, 2),
  list_distinct([(['en','en','fr'])[1 + (hash(hash(i,611))%3)::INT], (['en','es','de','fr'])[1 + (hash(hash(i,612))%4)::INT]]),
  DATE '2023-01-01' + (hash(hash(i,613))%800)::INT, hash(hash(i,614))%20 > 0
FROM range(1, 1001) t(i);

CREATE TABLE responses (respondent_id INTEGER, wave INTEGER, qid VARCHAR, answer INTEGER, answered_at TIMESTAMP, seconds DOUBLE, free_text VARCHAR);
INSERT INTO responses
SELECT r.id, w::INT, q.qid,
  CASE WHEN hash(hash(r.id,w,q.qid,621))%18 = 0 THEN NULL
       WHEN q.qid = 'q2' THEN greatest(hash(hash(r.id,622))%11, hash(hash(r.id,w,623))%11)::INT
       ELSE (1 + least(4, (hash(hash(r.id,624))%4) + (hash(hash(r.id,w,q.qid,625))%3)))::INT END,
  TIMESTAMP '2025-01-15 08:00:00' + to_days((90 * (w - 1) + hash(hash(r.id,w,626))%21)::INT) + to_minutes((hash(hash(r.id,w,627))%800)::INT) + to_seconds((ascii(right(q.qid, 1)) * 20)::INT),
  round(3 + (hash(hash(r.id,w,q.qid,628))%400)/10.0, 1),
  CASE WHEN q.qid IN ('q1','q5') AND hash(hash(r.id,w,q.qid,629))%4 = 0 THEN (['Too expensive','Love it!','Support was slow','ok','It is too expensive for me','Great support'])[1 + (hash(hash(r.id,w,q.qid,630))%6)::INT] END
FROM respondents r, range(1, 5) t(w), questions q
WHERE hash(hash(r.id,w,620))%10 < 7 - w AND hash(hash(r.id,w,q.qid,631))%12 > 0;

CREATE TABLE invitations (respondent_id INTEGER, wave INTEGER, channel VARCHAR, sent_on DATE, opened BOOLEAN, reminder_count INTEGER);
INSERT INTO invitations
SELECT r.id, w::INT, (['email','email','sms','app'])[1 + (hash(hash(r.id,w,641))%4)::INT], DATE '2025-01-10' + (90 * (w - 1))::INT,
  CASE WHEN hash(hash(r.id,w,642))%20 = 0 THEN NULL ELSE hash(hash(r.id,w,643))%3 > 0 END, (hash(hash(r.id,w,644))%4)::INT
FROM respondents r, range(1, 5) t(w) WHERE hash(hash(r.id,w,645))%12 > 0 OR hash(hash(r.id,w,620))%10 < 7 - w;
