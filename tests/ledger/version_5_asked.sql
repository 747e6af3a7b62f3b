-- A ledger as version 5 wrote it: an owner and an analyst ask about a shop through dpduck.connect.
BEGIN TRANSACTION;
CREATE TABLE account (
    scope            TEXT    NOT NULL CHECK (scope IN ('session', 'analyst', 'budget', 'table', 'people')),
    name             TEXT    NOT NULL,
    period           TEXT    NOT NULL, -- of a cap with a window, else ''
    epsilon_spent    INTEGER NOT NULL CHECK (epsilon_spent >= 0),
    delta_spent      INTEGER NOT NULL CHECK (delta_spent >= 0),
    rho_spent        INTEGER NOT NULL CHECK (rho_spent >= 0),
    epsilon_returned INTEGER NOT NULL DEFAULT 0 CHECK (epsilon_returned BETWEEN 0 AND epsilon_spent),
    delta_returned   INTEGER NOT NULL DEFAULT 0 CHECK (delta_returned BETWEEN 0 AND delta_spent),
    rho_returned     INTEGER NOT NULL DEFAULT 0 CHECK (rho_returned BETWEEN 0 AND rho_spent),
    mu_squared_spent INTEGER NOT NULL DEFAULT 0 CHECK (mu_squared_spent >= 0),
    keys_delta_spent INTEGER NOT NULL DEFAULT 0 CHECK (keys_delta_spent >= 0),
    PRIMARY KEY (scope, name, period)
) STRICT, WITHOUT ROWID;
INSERT INTO "account" VALUES('analyst','ana','',500000000,0,37336948686,0,0,0,117589365751,0);
INSERT INTO "account" VALUES('budget','team','2026-11',500000000,0,37336948686,0,0,0,117589365751,0);
INSERT INTO "account" VALUES('people','visits.visitor#4dacb480891f1233','',1500000000,0,223935166187,0,0,0,709020462765,0);
INSERT INTO "account" VALUES('session','session-2fe2d3a1','',1000000000,0,186598217501,0,0,0,591431097014,0);
INSERT INTO "account" VALUES('session','session-8cf23828','',500000000,0,37336948686,0,0,0,117589365751,0);
INSERT INTO "account" VALUES('table','visits','',1500000000,0,223935166187,0,0,0,709020462765,0);
CREATE TABLE answer (
    seq         INTEGER PRIMARY KEY,
    subject     TEXT    NOT NULL,
    version     TEXT    NOT NULL,
    description TEXT    NOT NULL,
    contents    TEXT    NOT NULL
) STRICT;
INSERT INTO "answer" VALUES(1,'19a58d3b1a4a65faa6e7e418a4219fa07a3281ebd9dba9bd4cad55f69aaf7f21','[["main", "visits", ["written", "1795693056970223559"]]]','{"kind":"largest keys","k":2,"threshold":0,"ranked":"d0936398ad02f2709a7045cb0ff03170e22e612b77fbe38dc3a27daf03f18be9","conditions":[],"keys":[["t.\"page\"","BIGINT","c0280c870054700418a7ee52641340136459ecdf297c2f3183873cb53b26be39"]],"requests":[["d0936398ad02f2709a7045cb0ff03170e22e612b77fbe38dc3a27daf03f18be9","a0"]],"columns":["k0","rank","a0","a0_low","a0_high","a0_gap","a0_p_value"],"one_row":false,"most":null}','{"count": 2, "columns": [["4","1"], ["1","2"], ["418", "392"], ["400.21832555789257", "374.16705602664257"], ["435.83294397335743", "409.78167444210743"], ["26.5", "184.5"], ["0.021601338470175833", "1.6339838553276283e-12"]]}');
INSERT INTO "answer" VALUES(2,'19a58d3b1a4a65faa6e7e418a4219fa07a3281ebd9dba9bd4cad55f69aaf7f21','[["main", "visits", ["written", "1795693056970223559"]]]','{"kind":"one group","k":0,"threshold":0,"ranked":null,"conditions":[],"keys":[],"requests":[["677cbed788ff7de7e404f5535e0599ce87a44cbe4c55d8c99a6c0d41d575d709","a0"]],"columns":["a0"],"one_row":false,"most":null}','{"count": 1, "columns": [["44"]]}');
INSERT INTO "answer" VALUES(3,'19a58d3b1a4a65faa6e7e418a4219fa07a3281ebd9dba9bd4cad55f69aaf7f21','[["main", "visits", ["written", "1795693056970223559"]]]','{"kind":"every key","k":0,"threshold":0,"ranked":null,"conditions":[],"keys":[["t.\"page\"","BIGINT","c0280c870054700418a7ee52641340136459ecdf297c2f3183873cb53b26be39"]],"requests":[["d0936398ad02f2709a7045cb0ff03170e22e612b77fbe38dc3a27daf03f18be9","a0"]],"columns":["k0","a0","a0_low","a0_high","a0_gap","a0_p_value"],"one_row":false,"most":null}','{"count": 5, "columns": [["0","1","2","3","4"], ["207","406","-1","49","404"], ["147","346","-61","-11","344"], ["267","466","59","109","464"], null, null]}');
INSERT INTO "answer" VALUES(4,'19a58d3b1a4a65faa6e7e418a4219fa07a3281ebd9dba9bd4cad55f69aaf7f21','[["main", "visits", ["written", "1795693056970223559"]]]','{"kind":"one group","k":0,"threshold":0,"ranked":null,"conditions":["(t.\"age\" > 50)"],"keys":[],"requests":[["d0936398ad02f2709a7045cb0ff03170e22e612b77fbe38dc3a27daf03f18be9","a0"]],"columns":["a0","a0_low","a0_high","a0_gap","a0_p_value"],"one_row":false,"most":null}','{"count": 1, "columns": [["425"], ["413"], ["437"], null, null]}');
CREATE TABLE cap (
    scope TEXT NOT NULL,
    name  TEXT NOT NULL,
    terms TEXT NOT NULL, -- JSON, or '' where a cap was dropped
    PRIMARY KEY (scope, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "cap" VALUES('budget','team','{"epsilon":3000000000,"delta":null,"per_query":null,"window":"month","accounting":"pure"}');
INSERT INTO "cap" VALUES('people','visits.visitor#4dacb480891f1233','{"epsilon":8000000000,"delta":1000000000000,"per_query":2000000000,"window":null,"accounting":"pure"}');
CREATE TABLE entry (
    number      INTEGER PRIMARY KEY,
    kind        TEXT    NOT NULL,
    seq         INTEGER UNIQUE CHECK ((seq IS NULL) = (kind <> 'charge')),
    at          INTEGER NOT NULL, -- microseconds since 1970-01-01, UTC
    session     TEXT    NOT NULL,
    analyst     TEXT,
    mechanism   TEXT    NOT NULL,
    query       TEXT    NOT NULL,
    evaluations INTEGER NOT NULL CHECK (evaluations >= 1),
    epsilon     INTEGER NOT NULL CHECK (epsilon >= 0),
    delta       INTEGER NOT NULL CHECK (delta >= 0),
    rho         INTEGER NOT NULL CHECK (rho >= 0),
    accounts    TEXT    NOT NULL, -- JSON: [[scope, name, period], ...]
    about       INTEGER,
    detail      TEXT    NOT NULL,
    event       TEXT, -- JSON
    hash        TEXT    NOT NULL,
    mu_squared  INTEGER CHECK (mu_squared >= 0),
    keys_delta  INTEGER CHECK (keys_delta >= 0) -- that part of delta which counts beside rho and mu_squared
) STRICT;
INSERT INTO "entry" VALUES(1,'policy',NULL,1795693056174652,'',NULL,'','ALTER TABLE visits ADD PRIVACY_KEY (visitor)',1,0,0,0,'[]',NULL,'{"how":"said","part":"stored","database":"184e832b9b3203e526ecb8b72e5fb603fd9628957f51c6ab39540d7d167a72dd","place":"20d271e97dc5d4cec09f2aa27d766b2d949c0d42fbbc15d966fb4d775ba7be98","set":{"[\"people\", \"main\", \"visits\", \"\"]":"3a915f283a9d482c745fd7dff303a57473a22dbec72ccd63b70511adfac8caef","[\"privacy_key\", \"main\", \"visits\", \"visitor\"]":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","[\"salt\", \"\", \"\", \"\"]":"f606d79cc4d77907380ac2c40689d4e82c2ce1ca595d5228febde64082d6c797"},"gone":[],"before":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","digest":"6c63fb677878b2e6130711578bcf7a26a677c47fe176a55fd80153a4c9eb1a8f","readers":null,"whose":{"[\"people\", \"main\", \"visits\", \"\"]":"{\"names\": [\"visits.visitor#4dacb480891f1233\", \"visits\", \"visits.visitor\", \"visits.page\", \"visits.age\"], \"columns\": [[\"visitor\", \"BIGINT\"], [\"page\", \"BIGINT\"], [\"age\", \"BIGINT\"]]}","[\"privacy_key\", \"main\", \"visits\", \"visitor\"]":""}}',NULL,'d2a4e38ef7c2b730aa498fa2e34d2671a917e7bac12c72e219aed5e73269b572',0,0);
INSERT INTO "entry" VALUES(2,'policy',NULL,1795693056265991,'',NULL,'','ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 4)',1,0,0,0,'[]',1,'{"how":"said","part":"stored","database":"184e832b9b3203e526ecb8b72e5fb603fd9628957f51c6ab39540d7d167a72dd","place":"20d271e97dc5d4cec09f2aa27d766b2d949c0d42fbbc15d966fb4d775ba7be98","set":{"[\"domain\", \"main\", \"visits\", \"page\"]":"c7a273c8713a705bca8d5bd50cb726e0b2304062a711b32534e19031ffe84ee5"},"gone":[],"before":"6c63fb677878b2e6130711578bcf7a26a677c47fe176a55fd80153a4c9eb1a8f","digest":"39210bc9e41b8336ceab5153eb5a40adc1758b8b7c9d444bb59a0eeeffcc2b37","readers":null,"whose":{}}',NULL,'170151e55d8ecabd381eb0a418c0ffa3758307257646e255316feab1ad130d92',0,0);
INSERT INTO "entry" VALUES(3,'policy',NULL,1795693056356132,'',NULL,'','ALTER TABLE visits ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99)',1,0,0,0,'[]',2,'{"how":"said","part":"stored","database":"184e832b9b3203e526ecb8b72e5fb603fd9628957f51c6ab39540d7d167a72dd","place":"20d271e97dc5d4cec09f2aa27d766b2d949c0d42fbbc15d966fb4d775ba7be98","set":{"[\"domain\", \"main\", \"visits\", \"age\"]":"5cf6268b3b881a799b58d6eef656b6b92650e639b14203c3bf3c44b160217e42"},"gone":[],"before":"39210bc9e41b8336ceab5153eb5a40adc1758b8b7c9d444bb59a0eeeffcc2b37","digest":"e0771caee2f2eca0dff342941a2b9cd5ede43138ade885fdd9f03c838a9a35e4","readers":null,"whose":{}}',NULL,'afbd5ff1ac0ef61320817a39147a58e6b58148dfe5934b25be1f292e899e594a',0,0);
INSERT INTO "entry" VALUES(4,'policy',NULL,1795693056402693,'',NULL,'','CREATE PRIVACY BUDGET life LIMIT 8 DELTA 0.000001 PER QUERY 2',1,0,0,0,'[]',3,'{"how":"said","part":"stored","database":"184e832b9b3203e526ecb8b72e5fb603fd9628957f51c6ab39540d7d167a72dd","place":"20d271e97dc5d4cec09f2aa27d766b2d949c0d42fbbc15d966fb4d775ba7be98","set":{"[\"budget\", \"\", \"\", \"life\"]":"2aeb8d5dde3236f94ae271c2e4403e3dd16a219fec6536040c56629dfd634af8"},"gone":[],"before":"e0771caee2f2eca0dff342941a2b9cd5ede43138ade885fdd9f03c838a9a35e4","digest":"e564156ae597503f7bbe6a7471bc06ded35fed63195318a650237f7c7dc589ee","readers":null,"whose":{"[\"budget\", \"\", \"\", \"life\"]":"{\"epsilon\": \"8\", \"delta\": \"0.000001\", \"per_query\": \"2\", \"window\": null, \"analysts\": [], \"accounting\": \"pure\"}"}}',NULL,'2d826ddd6a3dd2b9d962e8257cd0b399110bbe038914ec1f6c66d548faa28d09',0,0);
INSERT INTO "entry" VALUES(5,'cap',NULL,1795693056405163,'',NULL,'','',1,0,0,0,'[["people","visits.visitor#4dacb480891f1233",""]]',NULL,'{"epsilon":8000000000,"delta":1000000000000,"per_query":2000000000,"window":null,"accounting":"pure"}',NULL,'7ba16a5f153ce7a66737b3aabe72b24162ae8ce136c414dba89e48807b73a597',0,0);
INSERT INTO "entry" VALUES(6,'policy',NULL,1795693056501328,'',NULL,'','CREATE PRIVACY BUDGET team LIMIT 3 WINDOW ''month'' FOR ana',1,0,0,0,'[]',4,'{"how":"said","part":"stored","database":"184e832b9b3203e526ecb8b72e5fb603fd9628957f51c6ab39540d7d167a72dd","place":"20d271e97dc5d4cec09f2aa27d766b2d949c0d42fbbc15d966fb4d775ba7be98","set":{"[\"budget\", \"\", \"\", \"team\"]":"0a7d86fdabe3b18f493fe9c4bb8a08f11235e9430bbae9aea2e82a10b407ad91"},"gone":[],"before":"e564156ae597503f7bbe6a7471bc06ded35fed63195318a650237f7c7dc589ee","digest":"764818412b30921df1fb9e5cfc738f6b69f8a5ef35be27ac168c31b2c61be1e9","readers":["ana"],"whose":{"[\"budget\", \"\", \"\", \"team\"]":"{\"epsilon\": \"3\", \"delta\": null, \"per_query\": null, \"window\": \"month\", \"analysts\": [\"ana\"], \"accounting\": \"pure\"}"}}',NULL,'e818f632537c38d724f128b38eb2e150cffe64104cbe59823aeee78d25333fd1',0,0);
INSERT INTO "entry" VALUES(7,'cap',NULL,1795693056553929,'',NULL,'','',1,0,0,0,'[["budget","team",""]]',NULL,'{"epsilon":3000000000,"delta":null,"per_query":null,"window":"month","accounting":"pure"}',NULL,'434269650c8448ec1efa8fb788350de69f664c134756c917ec4dc51ba8d0ba8d',0,0);
INSERT INTO "entry" VALUES(8,'charge',1,1795693057011241,'session-2fe2d3a1',NULL,'noisy_top_k+count','SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 2',1,500000000,0,64138886299,'[["session","session-2fe2d3a1",""],["table","visits",""],["people","visits.visitor#4dacb480891f1233",""]]',NULL,'','{"event":"composed","parts":[{"delta":"0","epsilon":"59/200","event":"noisy_top_k","k":2},{"delta":"0","epsilon":"41/200","event":"noisy_count"}]}','0fe0fe1615f31675e4641f5bc2f98d251f13b558a157963db1c7180d47e8f2b9',202189130538,0);
INSERT INTO "entry" VALUES(9,'settle',NULL,1795693057256048,'',NULL,'','',1,0,0,0,'[["session","session-2fe2d3a1",""],["table","visits",""],["people","visits.visitor#4dacb480891f1233",""]]',1,'3f2a85626694f74e411bc96b0d917a4665326e36f4897ae13479d09ba72e8df0',NULL,'8d8aab962b31c655a0c59973ebae4e180d5b239337f84884791d3ba0d79cee92',0,0);
INSERT INTO "entry" VALUES(10,'charge',2,1795693057362237,'session-2fe2d3a1',NULL,'permute_and_flip','SELECT median(age) FROM visits',1,500000000,0,122459331202,'[["session","session-2fe2d3a1",""],["table","visits",""],["people","visits.visitor#4dacb480891f1233",""]]',NULL,'','{"delta":"0","epsilon":"1/2","event":"permute_and_flip"}','27934f16c5fc473cc2b62ed7562f0d8a1594d307c0814c04a1610f7362a06b5d',389241966476,0);
INSERT INTO "entry" VALUES(11,'settle',NULL,1795693057453725,'',NULL,'','',1,0,0,0,'[["session","session-2fe2d3a1",""],["table","visits",""],["people","visits.visitor#4dacb480891f1233",""]]',2,'b31be32a8bb7f58e5ccfa69c93794cc4d50e5aefb457eb21fdc83b39653f2e54',NULL,'2d4c31fabaa55233844cbcff4b95c124fcc74de4cff99eea542cb216706a53c5',0,0);
INSERT INTO "entry" VALUES(12,'charge',3,1795693058163631,'session-8cf23828','ana','histogram','SELECT page, count(*) AS n FROM visits GROUP BY page',1,250000000,0,6248698243,'[["session","session-8cf23828",""],["analyst","ana",""],["budget","team","2026-11"],["table","visits",""],["people","visits.visitor#4dacb480891f1233",""]]',NULL,'','{"delta":"0","epsilon":"1/4","event":"histogram","groups":5}','e337aa39f622b3c5bbf67546216d585df2e851398fdad443ae5d8dfcf19e6790',19633198655,0);
INSERT INTO "entry" VALUES(13,'settle',NULL,1795693058234929,'',NULL,'','',1,0,0,0,'[["session","session-8cf23828",""],["analyst","ana",""],["budget","team","2026-11"],["table","visits",""],["people","visits.visitor#4dacb480891f1233",""]]',3,'432c364052691c05bba6bba8dc1e070928624319ef043476bfda1648e82b202e',NULL,'9f93b4031d860cd333dc6365be52b63c23c86eb715d23fa51b21a429b1d01485',0,0);
INSERT INTO "entry" VALUES(14,'charge',4,1795693058335401,'session-8cf23828','ana','count','SELECT count(*) FROM visits WHERE age > 50',1,250000000,0,31088250443,'[["session","session-8cf23828",""],["analyst","ana",""],["budget","team","2026-11"],["table","visits",""],["people","visits.visitor#4dacb480891f1233",""]]',NULL,'','{"delta":"0","epsilon":"1/4","event":"noisy_count"}','71de8298c16b95b8e61cb283daa74fe1ba17187fc79a91d11268856db24f9b71',97956167096,0);
INSERT INTO "entry" VALUES(15,'settle',NULL,1795693058378584,'',NULL,'','',1,0,0,0,'[["session","session-8cf23828",""],["analyst","ana",""],["budget","team","2026-11"],["table","visits",""],["people","visits.visitor#4dacb480891f1233",""]]',4,'cf8738eebf2e16e66ad298411d75e53aa069d8f379edba37ca90c69317cd2846',NULL,'c075e49a6d53475614fe4f792291861f37a709a611a91d578bbaacc2e1592db9',0,0);
INSERT INTO "entry" VALUES(16,'charge',5,1795693058388764,'session-8cf23828','ana','histogram','SELECT page, count(*) AS n FROM visits GROUP BY page',1,0,0,0,'[]',3,'',NULL,'f87977ec12e7648ffb850cbbfa7ef60b393a928f4dbc17eb352043195cc3f2e7',0,0);
CREATE TABLE ledger_schema (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version  INTEGER NOT NULL,
    id       TEXT    NOT NULL -- the ledger's own name, with which its chain begins
) STRICT;
INSERT INTO "ledger_schema" VALUES(1,5,'ba52db34d38034d9f3d664ba30029fc6');
CREATE INDEX entry_about ON entry (about, kind) WHERE about IS NOT NULL;
CREATE INDEX entry_policy ON entry (number) WHERE kind = 'policy';
CREATE INDEX entry_session ON entry (session);
CREATE INDEX account_key ON account (lower(name), period);
CREATE INDEX cap_key ON cap (lower(name));
CREATE INDEX answer_subject ON answer (subject, version);
CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER entry_no_replace BEFORE INSERT ON entry
WHEN EXISTS (SELECT 1 FROM entry WHERE number = NEW.number OR seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER answer_no_update BEFORE UPDATE ON answer
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER answer_no_delete BEFORE DELETE ON answer
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER answer_no_replace BEFORE INSERT ON answer
WHEN EXISTS (SELECT 1 FROM answer WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER account_no_delete BEFORE DELETE ON account
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER account_no_refund BEFORE UPDATE ON account
WHEN NEW.epsilon_spent < OLD.epsilon_spent OR NEW.delta_spent < OLD.delta_spent
    OR NEW.rho_spent < OLD.rho_spent OR NEW.epsilon_returned < OLD.epsilon_returned
    OR NEW.delta_returned < OLD.delta_returned OR NEW.rho_returned < OLD.rho_returned
    OR NEW.mu_squared_spent < OLD.mu_squared_spent OR NEW.keys_delta_spent < OLD.keys_delta_spent
    OR NEW.scope <> OLD.scope OR NEW.name <> OLD.name OR NEW.period <> OLD.period
BEGIN SELECT RAISE(ABORT, 'the ledger refunds nothing'); END;
COMMIT;