-- The tables of the ledger in PostgreSQL, version 5: those of ledger_sqlite.sql, in a schema of their own.
--
-- Text compares by its code points (COLLATE "C"), so that no index depends on the server's libraries.
-- Functions and triggers are written as PostgreSQL prints them: `verify` compares the two.
--
-- The owner of the tables can rewrite them; whoever only charges needs no more than
--     GRANT USAGE ON SCHEMA dpduck TO ana;
--     GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA dpduck TO ana;
--     GRANT UPDATE ON dpduck.account, dpduck.cap TO ana;
-- and, once there is a summary, GRANT DELETE ON dpduck.summary to free those that are dropped or replaced.

-- CREATE SCHEMA IF NOT EXISTS would ask for a right on the whole database even where the schema is there.
DO $$
BEGIN
    IF to_regnamespace('dpduck') IS NULL THEN
        CREATE SCHEMA dpduck;
    END IF;
END
$$;

CREATE TABLE dpduck.ledger_schema (
    only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
    version  BIGINT NOT NULL,
    id       TEXT   NOT NULL -- the ledger's own name, with which its chain begins
);

INSERT INTO dpduck.ledger_schema (only_row, version, id)
VALUES (1, 5, replace(gen_random_uuid()::text, '-', ''));

-- The record, a chain: each hash seals its entry and all before it. A 'charge' is numbered in seq too;
-- 'settle' says what a charge (about) gave back, and seals its answer (detail); 'cap' sets a cap (detail);
-- 'policy' says (query) and seals (detail) how a policy was changed after another such entry (about).
-- The event of a charge says what was released, and that of a settlement what of it was used. Entries of older
-- versions have no event (before 4), and neither mu_squared nor keys_delta (before 5), and are sealed so.
CREATE TABLE dpduck.entry (
    number      BIGINT PRIMARY KEY,
    kind        TEXT   NOT NULL COLLATE "C",
    seq         BIGINT UNIQUE CHECK ((seq IS NULL) = (kind <> 'charge')),
    at          BIGINT NOT NULL, -- microseconds since 1970-01-01, UTC, by the clock of the server
    session     TEXT   NOT NULL COLLATE "C",
    analyst     TEXT,
    mechanism   TEXT   NOT NULL,
    query       TEXT   NOT NULL,
    evaluations BIGINT NOT NULL CHECK (evaluations >= 1),
    epsilon     BIGINT NOT NULL CHECK (epsilon >= 0),
    delta       BIGINT NOT NULL CHECK (delta >= 0),
    rho         BIGINT NOT NULL CHECK (rho >= 0),
    accounts    TEXT   NOT NULL, -- JSON: [[scope, name, period], ...]
    about       BIGINT,
    detail      TEXT   NOT NULL,
    event       TEXT, -- JSON
    hash        TEXT   NOT NULL,
    mu_squared  BIGINT CHECK (mu_squared >= 0),
    keys_delta  BIGINT CHECK (keys_delta >= 0) -- that part of delta which counts beside rho and mu_squared
);

-- The indexes of text are by hash, since a tree refuses text of more than 2,700 bytes.
CREATE INDEX entry_about ON dpduck.entry (about, kind) WHERE about IS NOT NULL;
CREATE INDEX entry_policy ON dpduck.entry (number) WHERE kind = 'policy';
CREATE INDEX entry_session ON dpduck.entry USING hash (session);

-- What follows from the record, and makes a charge quick. Both amounts only grow.
CREATE TABLE dpduck.account (
    scope            TEXT   NOT NULL COLLATE "C"
        CHECK (scope IN ('session', 'analyst', 'budget', 'table', 'people')),
    name             TEXT   NOT NULL COLLATE "C",
    period           TEXT   NOT NULL COLLATE "C", -- of a cap with a window, else ''
    epsilon_spent    BIGINT NOT NULL CHECK (epsilon_spent >= 0),
    delta_spent      BIGINT NOT NULL CHECK (delta_spent >= 0),
    rho_spent        BIGINT NOT NULL CHECK (rho_spent >= 0),
    epsilon_returned BIGINT NOT NULL DEFAULT 0 CHECK (epsilon_returned BETWEEN 0 AND epsilon_spent),
    delta_returned   BIGINT NOT NULL DEFAULT 0 CHECK (delta_returned BETWEEN 0 AND delta_spent),
    rho_returned     BIGINT NOT NULL DEFAULT 0 CHECK (rho_returned BETWEEN 0 AND rho_spent),
    mu_squared_spent BIGINT NOT NULL DEFAULT 0 CHECK (mu_squared_spent >= 0),
    keys_delta_spent BIGINT NOT NULL DEFAULT 0 CHECK (keys_delta_spent >= 0),
    PRIMARY KEY (scope, name, period)
);

-- Names compare without case, and were once stored as they were spelled.
CREATE INDEX account_key ON dpduck.account (lower(name), period);

CREATE TABLE dpduck.cap (
    scope TEXT NOT NULL COLLATE "C",
    name  TEXT NOT NULL COLLATE "C",
    terms TEXT NOT NULL, -- JSON, or '' where a cap was dropped
    PRIMARY KEY (scope, name)
);

CREATE INDEX cap_key ON dpduck.cap (lower(name));

-- Released answers, which may be given again. They are public.
CREATE TABLE dpduck.answer (
    seq         BIGINT PRIMARY KEY,
    subject     TEXT   NOT NULL COLLATE "C",
    version     TEXT   NOT NULL COLLATE "C",
    description TEXT   NOT NULL,
    contents    TEXT   NOT NULL
);

CREATE INDEX answer_subject ON dpduck.answer USING hash (subject);

CREATE OR REPLACE FUNCTION dpduck.refuse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END
$function$;

CREATE TRIGGER entry_is_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON dpduck.entry
    FOR EACH STATEMENT EXECUTE FUNCTION dpduck.refuse('the ledger is append-only');

CREATE TRIGGER answer_is_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON dpduck.answer
    FOR EACH STATEMENT EXECUTE FUNCTION dpduck.refuse('the ledger is append-only');

CREATE TRIGGER account_is_kept BEFORE DELETE OR TRUNCATE ON dpduck.account
    FOR EACH STATEMENT EXECUTE FUNCTION dpduck.refuse('the ledger is append-only');

CREATE TRIGGER account_grows BEFORE UPDATE ON dpduck.account
    FOR EACH ROW WHEN (((new.epsilon_spent < old.epsilon_spent) OR (new.delta_spent < old.delta_spent)
    OR (new.rho_spent < old.rho_spent) OR (new.epsilon_returned < old.epsilon_returned)
    OR (new.delta_returned < old.delta_returned) OR (new.rho_returned < old.rho_returned)
    OR (new.mu_squared_spent < old.mu_squared_spent) OR (new.keys_delta_spent < old.keys_delta_spent)
    OR (new.scope <> old.scope) OR (new.name <> old.name) OR (new.period <> old.period)))
    EXECUTE FUNCTION dpduck.refuse('the ledger refunds nothing');

-- Always: else a session that calls itself a replica would pass them by.
ALTER TABLE dpduck.entry ENABLE ALWAYS TRIGGER entry_is_kept;
ALTER TABLE dpduck.answer ENABLE ALWAYS TRIGGER answer_is_kept;
ALTER TABLE dpduck.account ENABLE ALWAYS TRIGGER account_is_kept;
ALTER TABLE dpduck.account ENABLE ALWAYS TRIGGER account_grows;
