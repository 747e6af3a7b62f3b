-- A ledger as commit 52060f1 (version 2) left it: an owner and an analyst ask about a shop through dpduck.connect.
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
INSERT INTO "account" VALUES('analyst','ana','',500000000,0,62176500886,0,0,0);
INSERT INTO "account" VALUES('budget','team','2026-11',500000000,0,62176500886,0,0,0);
INSERT INTO "account" VALUES('people','visits.visitor','',1500000000,0,248774718387,0,0,0);
INSERT INTO "account" VALUES('session','session-6ecd1ca1','',500000000,0,62176500886,0,0,0);
INSERT INTO "account" VALUES('session','session-857ac644','',1000000000,0,186598217501,0,0,0);
INSERT INTO "account" VALUES('table','visits','',1500000000,0,248774718387,0,0,0);
CREATE TABLE answer (
    seq         INTEGER PRIMARY KEY,
    subject     TEXT    NOT NULL,
    version     TEXT    NOT NULL,
    description TEXT    NOT NULL,
    contents    TEXT    NOT NULL
) STRICT;
INSERT INTO "answer" VALUES(1,'25d0ab7f9adf38ec323e6fb2badcade3e2974961798f4695efdc56be75e26c4b','[["main", "visits", ["written", "1795692999262226569"]]]','{"kind":"largest keys","k":2,"threshold":0,"ranked":"d0936398ad02f2709a7045cb0ff03170e22e612b77fbe38dc3a27daf03f18be9","conditions":[],"keys":[["t.\"page\"","BIGINT","fb219b108cdfb8f0ee4e5fb94ebea3814c1625ad1b581edc6b49e7d1619aee80"]],"requests":[["d0936398ad02f2709a7045cb0ff03170e22e612b77fbe38dc3a27daf03f18be9","a0"]],"columns":["k0","rank","a0","a0_low","a0_high","a0_gap","a0_p_value"],"one_row":false,"most":null}','{"count": 2, "columns": [["4","1"], ["1","2"], ["400", "392"], ["381.85846227664257", "374.52691930789257"], ["417.47308069210743", "410.14153772335743"], ["7.5", "194.5"], ["0.35611555788535143", "3.7382074643429913e-13"]]}');
INSERT INTO "answer" VALUES(2,'25d0ab7f9adf38ec323e6fb2badcade3e2974961798f4695efdc56be75e26c4b','[["main", "visits", ["written", "1795692999262226569"]]]','{"kind":"one group","k":0,"threshold":0,"ranked":null,"conditions":[],"keys":[],"requests":[["da7779e5790a060b6cc4cfb13a8dfa66050002a6d6f53d9544f96189a1472f64","a0"]],"columns":["a0"],"one_row":false,"most":null}','{"count": 1, "columns": [["44"]]}');
INSERT INTO "answer" VALUES(3,'25d0ab7f9adf38ec323e6fb2badcade3e2974961798f4695efdc56be75e26c4b','[["main", "visits", ["written", "1795692999262226569"]]]','{"kind":"every key","k":0,"threshold":0,"ranked":null,"conditions":[],"keys":[["t.\"page\"","BIGINT","fb219b108cdfb8f0ee4e5fb94ebea3814c1625ad1b581edc6b49e7d1619aee80"]],"requests":[["d0936398ad02f2709a7045cb0ff03170e22e612b77fbe38dc3a27daf03f18be9","a0"]],"columns":["k0","a0","a0_low","a0_high","a0_gap","a0_p_value"],"one_row":false,"most":null}','{"count": 5, "columns": [["0","1","2","3","4"], ["237","439","0","1","449"], ["177","379","-60","-59","389"], ["297","499","60","61","509"], null, null]}');
INSERT INTO "answer" VALUES(4,'25d0ab7f9adf38ec323e6fb2badcade3e2974961798f4695efdc56be75e26c4b','[["main", "visits", ["written", "1795692999262226569"]]]','{"kind":"one group","k":0,"threshold":0,"ranked":null,"conditions":["(t.\"age\" > 50)"],"keys":[],"requests":[["d0936398ad02f2709a7045cb0ff03170e22e612b77fbe38dc3a27daf03f18be9","a0"]],"columns":["a0","a0_low","a0_high","a0_gap","a0_p_value"],"one_row":false,"most":null}','{"count": 1, "columns": [["434"], ["422"], ["446"], null, null]}');
CREATE TABLE cap (
    scope TEXT NOT NULL,
    name  TEXT NOT NULL,
    terms TEXT NOT NULL, -- JSON, or '' where a cap was dropped
    PRIMARY KEY (scope, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "cap" VALUES('budget','team','{"epsilon":3000000000,"delta":null,"per_query":null,"window":"month","accounting":"pure"}');
INSERT INTO "cap" VALUES('people','visits.visitor','{"epsilon":8000000000,"delta":1000000000000,"per_query":2000000000,"window":null,"accounting":"pure"}');
CREATE TABLE entry (
    number      INTEGER PRIMARY KEY,
    kind        TEXT    NOT NULL CHECK (kind IN ('charge', 'settle', 'cap')),
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
    hash        TEXT    NOT NULL
) STRICT;
INSERT INTO "entry" VALUES(1,'cap',NULL,1795692998896964,'',NULL,'','',1,0,0,0,'[["people","visits.visitor",""]]',NULL,'{"epsilon":8000000000,"delta":1000000000000,"per_query":2000000000,"window":null,"accounting":"pure"}','ce6de28abd18ea1e7f39dbe523134a77cc60d646d40f07439639d17974c08471');
INSERT INTO "entry" VALUES(2,'cap',NULL,1795692998948025,'',NULL,'','',1,0,0,0,'[["budget","team",""]]',NULL,'{"epsilon":3000000000,"delta":null,"per_query":null,"window":"month","accounting":"pure"}','20c750a5d0ea2da8259eb095cfb5504664f7adca83d51140e4f760278dd4c4c2');
INSERT INTO "entry" VALUES(3,'charge',1,1795692999287981,'session-857ac644',NULL,'noisy_top_k+count','SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 2',1,500000000,0,64138886299,'[["session","session-857ac644",""],["table","visits",""],["people","visits.visitor",""]]',NULL,'','1d6eedd42775a203eb743e321d15246788f4ca6a4abccf7dbb6be0c0845c865a');
INSERT INTO "entry" VALUES(4,'settle',NULL,1795692999674727,'',NULL,'','',1,0,0,0,'[["session","session-857ac644",""],["table","visits",""],["people","visits.visitor",""]]',1,'58eb41c1f4ca172292f2a98b9c5878a9a69e853417b4d4a3b449a1b7e8f5f256','4d771be4d09e22f444fea44fcd13aba8f46fd8c1acb47328ba84f563af4046e8');
INSERT INTO "entry" VALUES(5,'charge',2,1795692999731862,'session-857ac644',NULL,'permute_and_flip','SELECT median(age) FROM visits',1,500000000,0,122459331202,'[["session","session-857ac644",""],["table","visits",""],["people","visits.visitor",""]]',NULL,'','cf7c1ebc83e97b3cb642de175cdde1e6765544cb9d5f662edd52847298ff7bba');
INSERT INTO "entry" VALUES(6,'settle',NULL,1795692999753826,'',NULL,'','',1,0,0,0,'[["session","session-857ac644",""],["table","visits",""],["people","visits.visitor",""]]',2,'53e67d1a8e42e7e604624c3f63734abed861a45c3370bb5af199714c3dbd074c','ad45ad3684edf9af6c74fd8e9b12f6183cc39dd1ddbaf18b87d83cb541d08539');
INSERT INTO "entry" VALUES(7,'charge',3,1795693000158686,'session-6ecd1ca1','ana','histogram','SELECT page, count(*) AS n FROM visits GROUP BY page',1,250000000,0,31088250443,'[["session","session-6ecd1ca1",""],["analyst","ana",""],["budget","team","2026-11"],["table","visits",""],["people","visits.visitor",""]]',NULL,'','1528d50bf448a8e8b8df4070f75a1b933a40fa3cc7287ea2a4dea247c3283c81');
INSERT INTO "entry" VALUES(8,'settle',NULL,1795693000225844,'',NULL,'','',1,0,0,0,'[["session","session-6ecd1ca1",""],["analyst","ana",""],["budget","team","2026-11"],["table","visits",""],["people","visits.visitor",""]]',3,'03014441554f3aa2da06c39cfff81cb627c4e4b775f09102b44ceea83e81c58d','5e8ebd589c5a2d9e809142145b5231ae9d1047fad2f674a345ca888107085696');
INSERT INTO "entry" VALUES(9,'charge',4,1795693000243902,'session-6ecd1ca1','ana','count','SELECT count(*) FROM visits WHERE age > 50',1,250000000,0,31088250443,'[["session","session-6ecd1ca1",""],["analyst","ana",""],["budget","team","2026-11"],["table","visits",""],["people","visits.visitor",""]]',NULL,'','9312488c2682f6b6848d68364b62cd6bd9442313f6380d6d0e69ab1483be7937');
INSERT INTO "entry" VALUES(10,'settle',NULL,1795693000330619,'',NULL,'','',1,0,0,0,'[["session","session-6ecd1ca1",""],["analyst","ana",""],["budget","team","2026-11"],["table","visits",""],["people","visits.visitor",""]]',4,'e7345ff383cc296dbc8cc7b385fd94ca0ba65d97f1ee3f35b76e8f47130948c4','3c8900d44536b0d554a5be70cb2cb13435c7582407c6fee81e22872791805f81');
INSERT INTO "entry" VALUES(11,'charge',5,1795693000354299,'session-6ecd1ca1','ana','histogram','SELECT page, count(*) AS n FROM visits GROUP BY page',1,0,0,0,'[]',3,'','709c820b3dee4d800acfa83bba5b98e6ee19de2f846b9adf40f81887a2296532');
CREATE TABLE ledger_schema (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version  INTEGER NOT NULL,
    id       TEXT    NOT NULL -- the ledger's own name, with which its chain begins
) STRICT;
INSERT INTO "ledger_schema" VALUES(1,2,'2b091190aa05f67acd8afc0a57ad49fb');
CREATE INDEX entry_about ON entry (about, kind) WHERE about IS NOT NULL;
CREATE INDEX entry_session ON entry (session);
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