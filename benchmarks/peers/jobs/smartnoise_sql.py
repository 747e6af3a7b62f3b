"""SmartNoise SQL over SQLite: docs.smartnoise.org, SQL, `from_connection`, metadata and `execute`.

`from_df` copies a data frame into SQLite as well, more slowly and with five times the memory. It demands
a bound on what a basket may touch (`max_ids`): 100, above the size of all but one basket in some thousands,
so that the sample it draws leaves the counts nearly as they are. Keys are public, hence no `censor_dims`.
"""

from __future__ import annotations

# user: every job
import sqlite3
from collections.abc import Iterator

import duckdb
import snsql

# end

PACKAGE = "smartnoise-sql"
# user: top_10
_BOUND = 100
_TOP = "SELECT item, COUNT(DISTINCT basket_id) AS n FROM main.baskets GROUP BY item ORDER BY n DESC LIMIT 10"
# end


def top_10(file: str, size: int) -> list[list[float]]:  # noqa: ARG001
    """All keys present are counted and sorted: there is no noisy top k."""
    # user: top_10
    con = sqlite3.connect(":memory:")
    con.execute("CREATE TABLE baskets (basket_id INTEGER, item INTEGER)")
    rows = duckdb.execute("SELECT basket_id, item FROM read_parquet(?)", [file])
    while some := rows.fetchmany(100_000):
        con.executemany("INSERT INTO baskets VALUES (?, ?)", some)
    [_, *answer] = _reader(con).execute(_TOP)
    # end
    return answer


def top_10_draws(file: str, size: int) -> Iterator[list[list[float]]]:  # noqa: ARG001
    """Noise on counts of a sample made once: `pre_aggregated` takes exact counts from elsewhere."""
    numbered = "SELECT item, row_number() OVER (PARTITION BY basket_id ORDER BY hash(item, basket_id)) AS r"
    counts = duckdb.execute(
        f"SELECT item, count(*) FROM ({numbered} FROM read_parquet(?)) WHERE r <= {_BOUND} GROUP BY item",
        [file],
    ).fetchall()
    header = ("item", "count_distinct_basket_id")
    reader = _reader(sqlite3.connect(":memory:"))
    while True:
        [_, *answer] = reader.execute(_TOP, pre_aggregated=[header, *counts])
        yield answer


def _reader(con: sqlite3.Connection) -> snsql.PrivateReader:
    # user: top_10
    columns = {"basket_id": {"type": "int", "private_id": True}, "item": {"type": "int"}}
    options = {"max_ids": _BOUND, "censor_dims": False, "clamp_counts": False}
    metadata = {"": {"main": {"baskets": {**options, **columns}}}}
    privacy = snsql.Privacy(epsilon=1.0)
    return snsql.from_connection(con, privacy=privacy, metadata=metadata, engine="sqlite")
    # end


def mode(file: str, size: int) -> int:  # noqa: ARG001
    """Each row is a unit."""
    # user: mode
    con = sqlite3.connect(":memory:")
    con.execute("CREATE TABLE clicks (item INTEGER)")
    rows = duckdb.execute("SELECT item FROM read_parquet(?)", [file])
    while some := rows.fetchmany(100_000):
        con.executemany("INSERT INTO clicks VALUES (?)", some)
    options = {"row_privacy": True, "censor_dims": False, "clamp_counts": False}
    metadata = {"": {"main": {"clicks": {**options, "item": {"type": "int"}}}}}
    privacy = snsql.Privacy(epsilon=1.0)
    reader = snsql.from_connection(con, privacy=privacy, metadata=metadata, engine="sqlite")
    query = "SELECT item, COUNT(*) AS n FROM main.clicks GROUP BY item ORDER BY n DESC LIMIT 1"
    [_, (item, _)] = reader.execute(query)
    # end
    return int(item)
