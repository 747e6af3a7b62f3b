"""dpduck: protected SQL for the top 10; its SQL functions where each row is a unit."""

from __future__ import annotations

from collections.abc import Iterator

# user: every job
import duckdb

import dpduck

# end

PACKAGE = "dpduck"
_TOGETHER = 20  # draws per query


def top_10(file: str, size: int) -> list[list[float]]:
    """The budget's cap, replay and the ledger are as they are by default."""
    # user: top_10
    con = duckdb.connect()
    con.execute(f"CREATE TABLE baskets AS FROM '{file}'")
    db = dpduck.connect(con, epsilon="1")
    db.execute("ALTER TABLE baskets ADD PRIVACY_KEY (basket_id)")
    db.execute(f"ALTER TABLE baskets ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, {size - 1})")
    top = "SELECT item, count(DISTINCT basket_id) AS n FROM baskets GROUP BY item ORDER BY n DESC LIMIT 10"
    answer = db.execute(top).fetchall()
    # end
    return [list(row) for row in answer]


def top_10_draws(file: str, size: int) -> Iterator[list[list[float]]]:
    """`dp_top_k_counts` is the same mechanism with the same split, over counts made once."""
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE counts AS "
        "SELECT item, count(DISTINCT basket_id) AS n FROM read_parquet(?) GROUP BY item",
        [file],
    )
    assert con.execute("SELECT count(*) FROM counts").fetchone() == (size,)
    dpduck.register(con)
    call = "SELECT dp_top_k_counts(item, n, 10, 1) FROM counts, range(?) AS t(draw) GROUP BY draw"
    while True:
        for (answer,) in con.execute(call, [_TOGETHER]).fetchall():
            yield [[row["key"], row["count"]] for row in answer]


def median(file: str, size: int) -> float:
    """Each row is a unit."""
    # user: median
    con = duckdb.connect()
    dpduck.register(con)
    answer = con.execute(f"SELECT dp_median(i, 1, lo := 0, hi := {size}) FROM '{file}'").fetchone()
    # end
    return float(answer[0])


def mode(file: str, size: int) -> int:
    """Each row is a unit."""
    # user: mode
    con = duckdb.connect()
    dpduck.register(con)
    answer = con.execute(f"SELECT dp_mode(item, 1, domain := range({size})) FROM '{file}'").fetchone()
    # end
    return int(answer[0])
