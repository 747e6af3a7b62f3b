-- A ledger as version 4 wrote it: what `benchmarks.attacks.tamper.build` does, two analysts, and charges of a budget
-- that adds up rho, whose prices are of before there were groups.
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
    PRIMARY KEY (scope, name, period)
) STRICT, WITHOUT ROWID;
INSERT INTO "account" VALUES('budget','rho','',200000000,100000000000,1249966670,0,0,0);
INSERT INTO "account" VALUES('budget','team','2026-11',900000000,0,142442681186,250000000,0,0);
INSERT INTO "account" VALUES('people','sales.customer','',900000000,0,142442681186,250000000,0,0);
INSERT INTO "account" VALUES('session','ana','',900000000,0,142442681186,250000000,0,0);
INSERT INTO "account" VALUES('session','carl','',200000000,100000000000,1249966670,0,0,0);
CREATE TABLE analyst (
    name     TEXT   PRIMARY KEY,
    verifier TEXT   NOT NULL,
    added    BIGINT NOT NULL
);
INSERT INTO "analyst" VALUES('ana','SCRAM of ana',1795620934749590);
INSERT INTO "analyst" VALUES('bob','SCRAM of bob',1795620934765687);
CREATE TABLE answer (
    seq         INTEGER PRIMARY KEY,
    subject     TEXT    NOT NULL,
    version     TEXT    NOT NULL,
    description TEXT    NOT NULL,
    contents    TEXT    NOT NULL
) STRICT;
INSERT INTO "answer" VALUES(1,'sales','1','{"number": 0}','[["017"]]');
INSERT INTO "answer" VALUES(2,'sales','1','{"number": 1}','[["117"]]');
INSERT INTO "answer" VALUES(3,'sales','1','{"number": 2}','[["217"]]');
CREATE TABLE cap (
    scope TEXT NOT NULL,
    name  TEXT NOT NULL,
    terms TEXT NOT NULL, -- JSON, or '' where a cap was dropped
    PRIMARY KEY (scope, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "cap" VALUES('budget','rho','{"epsilon":1000000000,"delta":1000000000000,"per_query":null,"window":null,"accounting":"zcdp"}');
INSERT INTO "cap" VALUES('budget','team','{"epsilon":3000000000,"delta":null,"per_query":null,"window":"month","accounting":"pure"}');
INSERT INTO "cap" VALUES('people','sales.customer','{"epsilon":10000000000,"delta":10000000000000,"per_query":null,"window":null,"accounting":"pure"}');
INSERT INTO "cap" VALUES('session','ana','{"epsilon":5000000000,"delta":null,"per_query":null,"window":null,"accounting":"pure"}');
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
    hash        TEXT    NOT NULL
) STRICT;
INSERT INTO "entry" VALUES(1,'cap',NULL,1795620934051696,'',NULL,'','',1,0,0,0,'[["session","ana",""]]',NULL,'{"epsilon":2000000000,"delta":null,"per_query":null,"window":null,"accounting":"pure"}',NULL,'7b5810c07fc499807fa35302c15d9abfde2fefb322736025a73833772da92896');
INSERT INTO "entry" VALUES(2,'cap',NULL,1795620934059689,'',NULL,'','',1,0,0,0,'[["people","sales.customer",""]]',NULL,'{"epsilon":10000000000,"delta":10000000000000,"per_query":null,"window":null,"accounting":"pure"}',NULL,'4fbcf203d213310ead8c060f6932ae05ecdb3ede6ec516dbbe76562a5239bd4e');
INSERT INTO "entry" VALUES(3,'cap',NULL,1795620934059689,'',NULL,'','',1,0,0,0,'[["budget","team",""]]',NULL,'{"epsilon":3000000000,"delta":null,"per_query":null,"window":"month","accounting":"pure"}',NULL,'34c07f2a847b0781dae3f3ca878521cfe61a7d094275767821c5ae77b29b82d9');
INSERT INTO "entry" VALUES(4,'charge',1,1795620934059689,'ana','ana','count','SELECT count(*) FROM sales WHERE age > 0',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','{"delta":"0","epsilon":"1/10","event":"noisy_count"}','b367bfc9c9f185a8db37682c33e10f0f02442b1adf926d7780a7a1ff1b75d230');
INSERT INTO "entry" VALUES(5,'settle',NULL,1795620934171343,'',NULL,'','',1,0,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',1,'cb0eeb26d5045e4f3c13018415362edac64734582aa8b1c160dc5349862e987f',NULL,'6842f0c340434e0dd5515af50c5050f42397360e693464dd9d6cd62b4a1293b4');
INSERT INTO "entry" VALUES(6,'charge',2,1795620934215435,'ana','ana','count','SELECT count(*) FROM sales WHERE age > 1',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','{"delta":"0","epsilon":"1/10","event":"noisy_count"}','74f08bf59d8a56e65f9fddac9c4f6ab2c9a3e7a36dfb6f24067d89c3c7096ca1');
INSERT INTO "entry" VALUES(7,'settle',NULL,1795620934247290,'',NULL,'','',1,0,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',2,'4a4b0c15e897e9d7f34cbe44dd0d15ec0b71d4ff7aed14daed5b75420c0a0464',NULL,'7dba383a2a01a9cc8c40257bc727ed436db864ae7f043625ef522d600c777ba8');
INSERT INTO "entry" VALUES(8,'charge',3,1795620934331310,'ana','ana','count','SELECT count(*) FROM sales WHERE age > 2',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','{"delta":"0","epsilon":"1/10","event":"noisy_count"}','98aad7ac6e313c6085d95e456d1bcafed956d732c1994a766c75167e1d2ff57a');
INSERT INTO "entry" VALUES(9,'settle',NULL,1795620934411297,'',NULL,'','',1,0,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',3,'65dee8f7be94750aea3beb7f8b0b4e29b0419fb4957580256cf73fa47c739f37',NULL,'a75667bf2df4ada2e898c9872b55f98c77ef11943d1524b238973e4991e4671c');
INSERT INTO "entry" VALUES(10,'charge',4,1795620934419430,'bob',NULL,'count','SELECT 1',1,0,0,0,'[]',1,'',NULL,'775f74c68c8f773c104b71b301d2e7176235526cfc6bc7a88e7b7b52d0ebea89');
INSERT INTO "entry" VALUES(11,'charge',5,1795620934435736,'ana','ana','sparse_vector','SELECT 2',1,500000000,0,122459331202,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','{"delta":"0","epsilon":"1/2","event":"above_threshold","k":2}','453f4d3e85154017e4fc8b9b0a0a363ef46a9af4163fd126396d8bd03462f957');
INSERT INTO "entry" VALUES(12,'settle',NULL,1795620934475453,'',NULL,'','',1,250000000,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',5,'','{"delta":"0","epsilon":"1/4","event":"above_threshold","k":2}','283c6ec486a741aba0505c71a9465b093730912eaffe046f46af6e83e1b848eb');
INSERT INTO "entry" VALUES(13,'charge',6,1795620934483327,'ana','ana','count','SELECT 3',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','{"delta":"0","epsilon":"1/10","event":"noisy_count"}','479cec5aad1d327834b3faef7841acd6c994660b3fec9c1405ebc06b8a35f7ed');
INSERT INTO "entry" VALUES(14,'cap',NULL,1795620934535326,'',NULL,'','',1,0,0,0,'[["session","ana",""]]',NULL,'{"epsilon":5000000000,"delta":null,"per_query":null,"window":null,"accounting":"pure"}',NULL,'7bf04851f8075982c7115c21adc5826035f6576024c781d1b63b345bbc0cddb7');
INSERT INTO "entry" VALUES(15,'policy',NULL,1795620934749590,'',NULL,'','analyst add ana',1,0,0,0,'[]',NULL,'{"how":"ledger","part":"ledger","database":"","place":"","set":{"analyst ana":"49920621a80ac3105983749a04667640d5d5971eebe782860e1635672a520e56"},"gone":[],"before":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","digest":"259bf3657794c4459f09cc9a47e626ad6978e46a3178f63157d4d6739b08afb8","readers":["ana"]}',NULL,'0d3801b1a8caca9777b698496365515eda481af3cbe638893b2cc7b542c6ff40');
INSERT INTO "entry" VALUES(16,'policy',NULL,1795620934765687,'',NULL,'','analyst add bob',1,0,0,0,'[]',15,'{"how":"ledger","part":"ledger","database":"","place":"","set":{"analyst bob":"bf20bf12915d7b9f246a532c74d854a488066ad4e2d9323e4f165926e4b75433"},"gone":[],"before":"259bf3657794c4459f09cc9a47e626ad6978e46a3178f63157d4d6739b08afb8","digest":"502aa5cf69b5f96bf9c4f3aea905c62f3c08a1a882e31d83a374604957dc34de","readers":["bob"]}',NULL,'1eda508530e10c0e1f22a151875bfb396bc36cd9462420f2b3340e3b83d13d8b');
INSERT INTO "entry" VALUES(17,'cap',NULL,1795620934827639,'',NULL,'','',1,0,0,0,'[["budget","rho",""]]',NULL,'{"epsilon":1000000000,"delta":1000000000000,"per_query":null,"window":null,"accounting":"zcdp"}',NULL,'cdf2e5972bae2d317901209736ed0c1e1471593590748eacd582889f9ba4ea52');
INSERT INTO "entry" VALUES(18,'charge',7,1795620934827639,'carl',NULL,'histogram','SELECT 4',1,20000000,0,199993334,'[["session","carl",""],["budget","rho",""]]',NULL,'','{"delta":"0","epsilon":"1/50","event":"histogram"}','25fdc657cb462886f7a52b59a0967875424cb33072bc648278152b86908ecabe');
INSERT INTO "entry" VALUES(19,'charge',8,1795620934903441,'carl',NULL,'sum','SELECT 4',1,20000000,0,199993334,'[["session","carl",""],["budget","rho",""]]',NULL,'','{"delta":"0","epsilon":"1/50","event":"bounded_sums"}','76f56ab04fa539043f108bd4063a7d9ccbee541bb26f512182aa741843bec78d');
INSERT INTO "entry" VALUES(20,'charge',9,1795620934915445,'carl',NULL,'sum+permute_and_flip','SELECT 4',1,40000000,0,399986668,'[["session","carl",""],["budget","rho",""]]',NULL,'','{"event":"composed","parts":[{"delta":"0","epsilon":"1/50","event":"average"},{"delta":"0","epsilon":"1/50","event":"permute_and_flip"}]}','2c2c48f59e82f80b5a94d95f747943c5373997447550b5e25facb63632cf0e61');
INSERT INTO "entry" VALUES(21,'charge',10,1795620934947343,'carl',NULL,'partition_selection','SELECT 4',1,20000000,100000000000,199993334,'[["session","carl",""],["budget","rho",""]]',NULL,'','{"delta":"1/10000000","epsilon":"1/50","event":"partition_selection"}','271e38012609e125fdb48e3744a534eb6292e428786c4536154b2d0e8e9e4366');
INSERT INTO "entry" VALUES(22,'charge',11,1795620934955646,'carl',NULL,'noisy_top_k','SELECT 4',1,100000000,0,250000000,'[["session","carl",""],["budget","rho",""]]',NULL,'','{"delta":"0","epsilon":"1/10","event":"gumbel_top_k","k":5}','cc302e50b45f4e1fffeba9a46c08bbf1aaf1278165a98d1d3c007224dcab5a36');
CREATE TABLE ledger_schema (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version  INTEGER NOT NULL,
    id       TEXT    NOT NULL -- the ledger's own name, with which its chain begins
) STRICT;
INSERT INTO "ledger_schema" VALUES(1,4,'b7c575e8401bed650a51e969abe32e30');
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
    OR NEW.scope <> OLD.scope OR NEW.name <> OLD.name OR NEW.period <> OLD.period
BEGIN SELECT RAISE(ABORT, 'the ledger refunds nothing'); END;
COMMIT;
