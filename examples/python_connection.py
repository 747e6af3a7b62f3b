"""Ordinary SQL behind a policy: the owner says what is private, then an analyst asks.

python -m examples.python_connection
"""

import tempfile
from pathlib import Path

import duckdb

import dpduck

VISITS = """
CREATE TABLE visits AS
SELECT visitor, page, 20 + visitor % 41 AS age
FROM range(1, 4001) AS v(visitor), (VALUES ('home', 1), ('news', 2), ('shop', 4)) AS p(page, every)
WHERE visitor % every = 0
"""
POLICIES = (
    "ALTER TABLE visits ADD PRIVACY_KEY (visitor)",
    "ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'news', 'shop')",
    "ALTER TABLE visits ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120)",
)


def make_shop(file: Path) -> None:
    """Write a database with one private table, and what its owner declares."""
    with duckdb.connect(str(file)) as con:
        con.execute(VISITS)
    with dpduck.connect(file) as owner:
        for policy in POLICIES:
            owner.execute(policy)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "shop.duckdb"
        make_shop(file)
        with dpduck.connect(file, analyst="ana", epsilon="0.5", budget="1") as db:
            query = "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 2"
            print("expected error:", db.explain(query).expected_error)  # free: reads no private row
            print("most visited:", db.execute(query).fetchall())
            print("median age:", db.execute("SELECT median(age) FROM visits").fetchone())
            try:
                db.execute("SELECT count(*) FROM visits WHERE age < 30")
            except dpduck.BudgetExceededError as error:
                print("refused:", str(error).splitlines()[0])


if __name__ == "__main__":
    main()
