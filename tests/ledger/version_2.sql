-- A ledger as version 2 wrote it: what `benchmarks.attacks.tamper.build` does, and two analysts.
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
INSERT INTO "account" VALUES('budget','team','2026-11',900000000,0,142442681186,250000000,0,0);
INSERT INTO "account" VALUES('people','sales.customer','',900000000,0,142442681186,250000000,0,0);
INSERT INTO "account" VALUES('session','ana','',900000000,0,142442681186,250000000,0,0);
CREATE TABLE analyst (
    name     TEXT   PRIMARY KEY,
    verifier TEXT   NOT NULL,
    added    BIGINT NOT NULL
);
INSERT INTO "analyst" VALUES('ana','SCRAM of ana',1795343080383883);
INSERT INTO "analyst" VALUES('bob','SCRAM of bob',1795343080390736);
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
INSERT INTO "cap" VALUES('budget','team','{"epsilon":3000000000,"delta":null,"per_query":null,"window":"month","accounting":"pure"}');
INSERT INTO "cap" VALUES('people','sales.customer','{"epsilon":10000000000,"delta":10000000000000,"per_query":null,"window":null,"accounting":"pure"}');
INSERT INTO "cap" VALUES('session','ana','{"epsilon":5000000000,"delta":null,"per_query":null,"window":null,"accounting":"pure"}');
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
INSERT INTO "entry" VALUES(1,'cap',NULL,1795343080339337,'',NULL,'','',1,0,0,0,'[["session","ana",""]]',NULL,'{"epsilon":2000000000,"delta":null,"per_query":null,"window":null,"accounting":"pure"}','e7c4794e12763a779df24e921b67ef57b40c0e7d687d491ae43b5f27fc16dc54');
INSERT INTO "entry" VALUES(2,'cap',NULL,1795343080343582,'',NULL,'','',1,0,0,0,'[["people","sales.customer",""]]',NULL,'{"epsilon":10000000000,"delta":10000000000000,"per_query":null,"window":null,"accounting":"pure"}','1296f37bb84b4622f6fdad3c5425c37591e73360a9d62c2429b8a6e804bebf1c');
INSERT INTO "entry" VALUES(3,'cap',NULL,1795343080343582,'',NULL,'','',1,0,0,0,'[["budget","team",""]]',NULL,'{"epsilon":3000000000,"delta":null,"per_query":null,"window":"month","accounting":"pure"}','c863ca347f799374c0f5d5d41e9f58fd97ca2450be3005e71a988ba2265d5425');
INSERT INTO "entry" VALUES(4,'charge',1,1795343080343582,'ana','ana','count','SELECT count(*) FROM sales WHERE age > 0',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','6f4b2e341e765f94dedd14c86a75c2a92dcd316ea8be220e264b525d2c4cc48e');
INSERT INTO "entry" VALUES(5,'settle',NULL,1795343080346859,'',NULL,'','',1,0,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',1,'cb0eeb26d5045e4f3c13018415362edac64734582aa8b1c160dc5349862e987f','61ee56099d4a78fb8d29624d2afc5386b025b6ec9cc4a518f666f13c34476d0d');
INSERT INTO "entry" VALUES(6,'charge',2,1795343080349009,'ana','ana','count','SELECT count(*) FROM sales WHERE age > 1',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','83d9699862472c41e51ec13125064e90515063a518a76f6520d1418450b49f15');
INSERT INTO "entry" VALUES(7,'settle',NULL,1795343080350414,'',NULL,'','',1,0,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',2,'4a4b0c15e897e9d7f34cbe44dd0d15ec0b71d4ff7aed14daed5b75420c0a0464','5414c468cc7ba523f40203ff6690a3e31890ebe54bbcd545fcbea0b0e75be758');
INSERT INTO "entry" VALUES(8,'charge',3,1795343080351180,'ana','ana','count','SELECT count(*) FROM sales WHERE age > 2',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','d9fec4f2f493c66f46c21f4901e6a93211361075746590328d3fd6cc3b5fb47d');
INSERT INTO "entry" VALUES(9,'settle',NULL,1795343080356956,'',NULL,'','',1,0,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',3,'65dee8f7be94750aea3beb7f8b0b4e29b0419fb4957580256cf73fa47c739f37','983db2912f83b74d4f845d8973dd40d03bf74d9e77c5f0d4adac65525ecac2de');
INSERT INTO "entry" VALUES(10,'charge',4,1795343080358539,'bob',NULL,'count','SELECT 1',1,0,0,0,'[]',1,'','e4dc8eca0e9befd229b44a42a4fd6d92dd8e997038758436b5c29e3709034874');
INSERT INTO "entry" VALUES(11,'charge',5,1795343080363044,'ana','ana','sparse_vector','SELECT 2',1,500000000,0,122459331202,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','ddde478354e7bc5958b99bd68fd11e96e24ac36a9e881d3c21f449238978c3ba');
INSERT INTO "entry" VALUES(12,'settle',NULL,1795343080363925,'',NULL,'','',1,250000000,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',5,'','b120cf1adb4b959d8ca5b47265c74903705a251f16fabd2be099b9929b04a6d7');
INSERT INTO "entry" VALUES(13,'charge',6,1795343080371027,'ana','ana','count','SELECT 3',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','177ab7c5011eb0ca7b3fc0a7b066404bea018485ee6507fa82e3ecb897f11c15');
INSERT INTO "entry" VALUES(14,'cap',NULL,1795343080374901,'',NULL,'','',1,0,0,0,'[["session","ana",""]]',NULL,'{"epsilon":5000000000,"delta":null,"per_query":null,"window":null,"accounting":"pure"}','5895efb7fc10ba5af089c5081c5934edcf31ab0bbede70fa7a230af2ef818236');
CREATE TABLE ledger_schema (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version  INTEGER NOT NULL,
    id       TEXT    NOT NULL -- the ledger's own name, with which its chain begins
) STRICT;
INSERT INTO "ledger_schema" VALUES(1,2,'9dd14c4c64a5371b1efcbf4422c872c0');
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
