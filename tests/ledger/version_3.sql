-- A ledger as version 3 wrote it: what `benchmarks.attacks.tamper.build` does, and two analysts.
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
INSERT INTO "analyst" VALUES('ana','SCRAM of ana',1795375105141592);
INSERT INTO "analyst" VALUES('bob','SCRAM of bob',1795375105202699);
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
    hash        TEXT    NOT NULL
) STRICT;
INSERT INTO "entry" VALUES(1,'cap',NULL,1795375104776061,'',NULL,'','',1,0,0,0,'[["session","ana",""]]',NULL,'{"epsilon":2000000000,"delta":null,"per_query":null,"window":null,"accounting":"pure"}','fccc76583a142340ead169c2f1b547c7cd47da87d7717fccf8cc798471a1f905');
INSERT INTO "entry" VALUES(2,'cap',NULL,1795375104804670,'',NULL,'','',1,0,0,0,'[["people","sales.customer",""]]',NULL,'{"epsilon":10000000000,"delta":10000000000000,"per_query":null,"window":null,"accounting":"pure"}','8e2dcdb18bbb267ecf47b3203724dd01d7fa40333b017fcc5fb382cc2e679695');
INSERT INTO "entry" VALUES(3,'cap',NULL,1795375104804670,'',NULL,'','',1,0,0,0,'[["budget","team",""]]',NULL,'{"epsilon":3000000000,"delta":null,"per_query":null,"window":"month","accounting":"pure"}','c175ac1d203eea3915ca62a3d54d5f752721a5b7924969d9cd4856e8a104d3e9');
INSERT INTO "entry" VALUES(4,'charge',1,1795375104804670,'ana','ana','count','SELECT count(*) FROM sales WHERE age > 0',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','b9913a786e15ff7890d593ac1309f37a6b62f4d6524a3f62c105390d005d9088');
INSERT INTO "entry" VALUES(5,'settle',NULL,1795375104824809,'',NULL,'','',1,0,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',1,'cb0eeb26d5045e4f3c13018415362edac64734582aa8b1c160dc5349862e987f','991f88162109aa1c01928f607284b41ce84253bde6df73d58befd9033b1d1104');
INSERT INTO "entry" VALUES(6,'charge',2,1795375104840745,'ana','ana','count','SELECT count(*) FROM sales WHERE age > 1',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','9615ac9eab5a2803486d456b79705ab18bd6017038dea3a76e082cab1046b3f1');
INSERT INTO "entry" VALUES(7,'settle',NULL,1795375104860627,'',NULL,'','',1,0,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',2,'4a4b0c15e897e9d7f34cbe44dd0d15ec0b71d4ff7aed14daed5b75420c0a0464','bf403ba2502de512612230461f30393506994a2c5aa07d88980d3ef0a269baec');
INSERT INTO "entry" VALUES(8,'charge',3,1795375104952976,'ana','ana','count','SELECT count(*) FROM sales WHERE age > 2',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','959eafed41c53c38b819dd09ea7278c4ee1ed1e75457fb82b25c011c6e8553dd');
INSERT INTO "entry" VALUES(9,'settle',NULL,1795375104988862,'',NULL,'','',1,0,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',3,'65dee8f7be94750aea3beb7f8b0b4e29b0419fb4957580256cf73fa47c739f37','8807ba0e855a8b03ea83e9ad2cc04b89ff0e09c0be04aa1ff5d86300a489cdb1');
INSERT INTO "entry" VALUES(10,'charge',4,1795375104996564,'bob',NULL,'count','SELECT 1',1,0,0,0,'[]',1,'','e8c031b44d8c2d91669edb482828d4eab69f46e106d47fa765359f3a95ef3b68');
INSERT INTO "entry" VALUES(11,'charge',5,1795375105030587,'ana','ana','sparse_vector','SELECT 2',1,500000000,0,122459331202,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','55b5e99394ef4f4210dcddd6be7faab45730089675ab962c7345356afc4c7fe0');
INSERT INTO "entry" VALUES(12,'settle',NULL,1795375105068714,'',NULL,'','',1,250000000,0,0,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',5,'','b31681953343d4276acb9c0ad480e00576ad4f5158d051d3d6fbe90769ff13f7');
INSERT INTO "entry" VALUES(13,'charge',6,1795375105080750,'ana','ana','count','SELECT 3',1,100000000,0,4995837496,'[["session","ana",""],["people","sales.customer",""],["budget","team","2026-11"]]',NULL,'','886f337a8fd1359215d3739ea0c09a942c7da96319e63dbf5fc2e1f2cb065422');
INSERT INTO "entry" VALUES(14,'cap',NULL,1795375105109226,'',NULL,'','',1,0,0,0,'[["session","ana",""]]',NULL,'{"epsilon":5000000000,"delta":null,"per_query":null,"window":null,"accounting":"pure"}','2d5f751ed3c2be69a6f3aae9bfad3310a7bccaa43aec7a2351405a2f472bdf7c');
INSERT INTO "entry" VALUES(15,'policy',NULL,1795375105141592,'',NULL,'','analyst add ana',1,0,0,0,'[]',NULL,'{"how":"ledger","part":"ledger","database":"","place":"","set":{"analyst ana":"49920621a80ac3105983749a04667640d5d5971eebe782860e1635672a520e56"},"gone":[],"before":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","digest":"259bf3657794c4459f09cc9a47e626ad6978e46a3178f63157d4d6739b08afb8","readers":["ana"]}','e630de39a0ba129433c98a231b33d106b123f6f3ca04056f7f0fe55e6b07cd50');
INSERT INTO "entry" VALUES(16,'policy',NULL,1795375105202699,'',NULL,'','analyst add bob',1,0,0,0,'[]',15,'{"how":"ledger","part":"ledger","database":"","place":"","set":{"analyst bob":"bf20bf12915d7b9f246a532c74d854a488066ad4e2d9323e4f165926e4b75433"},"gone":[],"before":"259bf3657794c4459f09cc9a47e626ad6978e46a3178f63157d4d6739b08afb8","digest":"502aa5cf69b5f96bf9c4f3aea905c62f3c08a1a882e31d83a374604957dc34de","readers":["bob"]}','6dccbef5d871649b995acab185f8582cef2c12ee0dfd8c498493689a9266a2c1');
CREATE TABLE ledger_schema (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version  INTEGER NOT NULL,
    id       TEXT    NOT NULL -- the ledger's own name, with which its chain begins
) STRICT;
INSERT INTO "ledger_schema" VALUES(1,3,'ce66fb82b6df7443b98fc1aeadce5926');
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
