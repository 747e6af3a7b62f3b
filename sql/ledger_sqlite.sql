-- The tables of the ledger in SQLite, version 5.
--
-- Amounts are exact integers: epsilon in units of 1e-9, delta in units of 1e-18, rho and mu_squared in units of 1e-12.
-- What was written is never changed: the triggers refuse it, whoever opens the file. The script may run
-- again, since several processes may find the same empty file.

CREATE TABLE IF NOT EXISTS ledger_schema (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version  INTEGER NOT NULL,
    id       TEXT    NOT NULL -- the ledger's own name, with which its chain begins
) STRICT;

INSERT OR IGNORE INTO ledger_schema (only_row, version, id) VALUES (1, 5, lower(hex(randomblob(16))));

-- The record, a chain: each hash seals its entry and all before it. A 'charge' is numbered in seq too;
-- 'settle' says what a charge (about) gave back, and seals its answer (detail); 'cap' sets a cap (detail);
-- 'policy' says (query) and seals (detail) how a policy was changed after another such entry (about).
-- The event of a charge says what was released, and that of a settlement what of it was used. Entries of older
-- versions have no event (before 4), and neither mu_squared nor keys_delta (before 5), and are sealed so.
CREATE TABLE IF NOT EXISTS entry (
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

CREATE INDEX IF NOT EXISTS entry_about ON entry (about, kind) WHERE about IS NOT NULL;
CREATE INDEX IF NOT EXISTS entry_policy ON entry (number) WHERE kind = 'policy';
CREATE INDEX IF NOT EXISTS entry_session ON entry (session);

-- What follows from the record, and makes a charge quick. Both amounts only grow.
CREATE TABLE IF NOT EXISTS account (
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

-- Names compare without case, and were once stored as they were spelled.
CREATE INDEX IF NOT EXISTS account_key ON account (lower(name), period);

CREATE TABLE IF NOT EXISTS cap (
    scope TEXT NOT NULL,
    name  TEXT NOT NULL,
    terms TEXT NOT NULL, -- JSON, or '' where a cap was dropped
    PRIMARY KEY (scope, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS cap_key ON cap (lower(name));

-- Released answers, which may be given again. They are public.
CREATE TABLE IF NOT EXISTS answer (
    seq         INTEGER PRIMARY KEY,
    subject     TEXT    NOT NULL,
    version     TEXT    NOT NULL,
    description TEXT    NOT NULL,
    contents    TEXT    NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS answer_subject ON answer (subject, version);

CREATE TRIGGER IF NOT EXISTS entry_no_update BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS entry_no_delete BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- INSERT OR REPLACE removes the old row without asking the trigger above.
CREATE TRIGGER IF NOT EXISTS entry_no_replace BEFORE INSERT ON entry
WHEN EXISTS (SELECT 1 FROM entry WHERE number = NEW.number OR seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS answer_no_update BEFORE UPDATE ON answer
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS answer_no_delete BEFORE DELETE ON answer
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS answer_no_replace BEFORE INSERT ON answer
WHEN EXISTS (SELECT 1 FROM answer WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS account_no_delete BEFORE DELETE ON account
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS account_no_refund BEFORE UPDATE ON account
WHEN NEW.epsilon_spent < OLD.epsilon_spent OR NEW.delta_spent < OLD.delta_spent
    OR NEW.rho_spent < OLD.rho_spent OR NEW.epsilon_returned < OLD.epsilon_returned
    OR NEW.delta_returned < OLD.delta_returned OR NEW.rho_returned < OLD.rho_returned
    OR NEW.mu_squared_spent < OLD.mu_squared_spent OR NEW.keys_delta_spent < OLD.keys_delta_spent
    OR NEW.scope <> OLD.scope OR NEW.name <> OLD.name OR NEW.period <> OLD.period
BEGIN SELECT RAISE(ABORT, 'the ledger refunds nothing'); END;
