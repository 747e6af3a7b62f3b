-- The tables of the ledger in SQLite, version 1.
--
-- Amounts are exact integers: epsilon in units of 1e-9, delta in units of 1e-18. What was charged is
-- written once and never changed: the triggers refuse it, whoever opens the file. The script may run
-- again, since several processes may find the same empty file.

CREATE TABLE IF NOT EXISTS ledger_schema (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version  INTEGER NOT NULL
) STRICT;

INSERT OR IGNORE INTO ledger_schema (only_row, version) VALUES (1, 1);

-- Whose loss is counted. A NULL limit means not capped; has_cap tells that from "nobody has said".
CREATE TABLE IF NOT EXISTS account (
    id            INTEGER PRIMARY KEY,
    scope         TEXT    NOT NULL CHECK (scope IN ('session', 'analyst', 'budget', 'table', 'people')),
    name          TEXT    NOT NULL,
    has_cap       INTEGER NOT NULL DEFAULT 0 CHECK (has_cap IN (0, 1)),
    epsilon_limit INTEGER CHECK (epsilon_limit >= 0),
    delta_limit   INTEGER CHECK (delta_limit >= 0),
    epsilon_spent INTEGER NOT NULL DEFAULT 0 CHECK (epsilon_spent >= 0),
    delta_spent   INTEGER NOT NULL DEFAULT 0 CHECK (delta_spent >= 0),
    UNIQUE (scope, name)
) STRICT;

-- One row per charge; epsilon and delta are those of all its evaluations together.
CREATE TABLE IF NOT EXISTS entry (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL, -- microseconds since 1970-01-01, UTC
    session     TEXT    NOT NULL,
    analyst     TEXT,
    mechanism   TEXT    NOT NULL,
    query       TEXT    NOT NULL,
    evaluations INTEGER NOT NULL CHECK (evaluations >= 1),
    epsilon     INTEGER NOT NULL CHECK (epsilon >= 0 AND epsilon % evaluations = 0),
    delta       INTEGER NOT NULL CHECK (delta >= 0 AND delta % evaluations = 0)
) STRICT;

CREATE INDEX IF NOT EXISTS entry_session ON entry (session);

-- Which accounts a charge was charged to, so that what they have spent can be computed again.
CREATE TABLE IF NOT EXISTS entry_account (
    seq     INTEGER NOT NULL REFERENCES entry (seq),
    account INTEGER NOT NULL REFERENCES account (id),
    PRIMARY KEY (seq, account)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER IF NOT EXISTS entry_no_update BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS entry_no_delete BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- INSERT OR REPLACE removes the old row without asking the trigger above.
CREATE TRIGGER IF NOT EXISTS entry_no_replace BEFORE INSERT ON entry
WHEN EXISTS (SELECT 1 FROM entry WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS entry_account_no_update BEFORE UPDATE ON entry_account
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS entry_account_no_delete BEFORE DELETE ON entry_account
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS account_no_delete BEFORE DELETE ON account
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS account_no_replace BEFORE INSERT ON account
WHEN EXISTS (SELECT 1 FROM account WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER IF NOT EXISTS account_no_refund BEFORE UPDATE ON account
WHEN NEW.epsilon_spent < OLD.epsilon_spent OR NEW.delta_spent < OLD.delta_spent
    OR NEW.id <> OLD.id OR NEW.scope <> OLD.scope OR NEW.name <> OLD.name
BEGIN SELECT RAISE(ABORT, 'the ledger refunds nothing'); END;
