"""What the BI tools are shown: private visits, each with a domain on every column, and public pages."""

from __future__ import annotations

from pathlib import Path

import duckdb

import dpduck
from dpduck.doors.gateway.scram import verifier_of
from dpduck.kernel.ledger import open_ledger

PASSWORD = "correct horse battery"

_TABLES = """
CREATE TABLE pages (name VARCHAR PRIMARY KEY, topic VARCHAR);
INSERT INTO pages VALUES ('home', 'main'), ('news', 'text'), ('shop', 'sale'), ('help', 'text');
CREATE TABLE visits (visitor INTEGER, page VARCHAR, ts TIMESTAMP, day DATE, age INTEGER, amount DOUBLE);
INSERT INTO visits
SELECT i % 500, ['home', 'home', 'news', 'shop'][1 + i * 7 % 4], t, t::DATE, 18 + i % 60, i * 13 % 100
FROM (SELECT i, TIMESTAMP '2024-01-01' + INTERVAL (i * 61) MINUTE AS t FROM range(2000) AS r(i));
"""
_POLICIES = """
ALTER TABLE pages SET PUBLIC;
ALTER TABLE visits ADD PRIVACY_KEY (visitor);
ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 4, rows = 4);
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN REFERENCES pages(name);
ALTER TABLE visits ALTER COLUMN ts SET PRIVACY DOMAIN BETWEEN ('2024-01-01 00:00:00', '2024-03-31 23:59:59');
ALTER TABLE visits ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-03-31');
ALTER TABLE visits ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120);
ALTER TABLE visits ALTER COLUMN amount SET PRIVACY DOMAIN BETWEEN (0, 100);
CREATE PRIVACY BUDGET visitors LIMIT 1000;
"""


def make_shop(file: Path, analysts: list[str]) -> None:
    """Make the database and its policies, and let these analysts log in."""
    with duckdb.connect(str(file)) as connection:
        connection.execute(_TABLES)
    with dpduck.connect(str(file)) as owner:
        for policy in filter(str.strip, _POLICIES.split(";")):
            owner.execute(policy)
    verifier = verifier_of(PASSWORD)
    with open_ledger(f"{file}.ledger") as ledger:
        for name in analysts:
            ledger.put_analyst(name, verifier)
