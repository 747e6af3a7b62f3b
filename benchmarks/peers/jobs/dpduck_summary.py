"""dpduck: a private summary of all tables of up to three columns, asked by SQL, or read as synthetic rows.

Questions are in a file beside the table: see `benchmarks/peers/tables.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from typing import Any

# user: every job
import duckdb

import dpduck

# end

PACKAGE = "dpduck"
_STARTS = (8, 13, 18, 28, 38, 48, 58, 68)  # of bands of age, of which the first begins with 0
_WHENS = " ".join(f"WHEN age < {start} THEN {number}" for number, start in enumerate(_STARTS))
_BAND = f"CASE {_WHENS} ELSE {len(_STARTS)} END"
_LABELS = ["below 8", *(f"{a} to below {b}" for a, b in pairwise(_STARTS)), "from 68"]


def laplace_answers(file: str, size: int) -> dict[str, Any]:  # noqa: ARG001
    """Pure epsilon; the answers to all questions."""
    return _answers(_summary(file, "EPSILON 1 NOISE laplace"), file)


def laplace_rows(file: str, size: int) -> dict[str, Any]:  # noqa: ARG001
    """Pure epsilon; the synthetic rows."""
    return _rows(_summary(file, "EPSILON 1 NOISE laplace"))


def gaussian_answers(file: str, size: int) -> dict[str, Any]:  # noqa: ARG001
    """With delta; the answers to all questions."""
    return _answers(_summary(file, "EPSILON 1 DELTA 1e-6 NOISE gaussian"), file)


def gaussian_rows(file: str, size: int) -> dict[str, Any]:  # noqa: ARG001
    """With delta; the synthetic rows."""
    return _rows(_summary(file, "EPSILON 1 DELTA 1e-6 NOISE gaussian"))


def _summary(file: str, price: str) -> dpduck.Connection:
    # user: every job
    con = duckdb.connect()
    con.execute(f"CREATE TABLE people AS FROM '{file}'")
    con.execute("ALTER TABLE people ADD PRIMARY KEY (id)")
    db = dpduck.connect(con)
    db.execute("ALTER TABLE people ADD PRIVACY_KEY (id)")
    for column, most in {"age": 84, "education": 15, "marital": 6, "sex": 1}.items():
        db.execute(f"ALTER TABLE people ALTER COLUMN {column} SET PRIVACY DOMAIN BETWEEN (0, {most})")
    columns = "age BANDS (8, 13, 18, 28, 38, 48, 58, 68), education, marital, sex"
    db.execute(f"CREATE PRIVACY SUMMARY board ON people ({columns}) WORKLOAD (ALL 3 WAY) {price}")
    # end
    return db


def _answers(db: dpduck.Connection, file: str) -> dict[str, Any]:
    """Counts by columns in the order of cells, and of ranges."""
    db.execute("SET dp_summaries = 'only'")
    asked = json.loads(Path(file).with_suffix(".json").read_text())
    tables = [_table(db, by) for by in asked["tables"]]
    ranges = [_asked(db, f"SELECT count(*) FROM people WHERE {where}") for where in asked["ranges"]]
    return {"tables": tables, "ranges": [n for [(n,)] in ranges]}


def _asked(db: dpduck.Connection, query: str) -> list[Any]:
    # user: laplace_answers, gaussian_answers
    return db.execute(query).fetchall()
    # end


def _table(db: dpduck.Connection, sizes: dict[str, int]) -> list[int]:
    keys = ", ".join(f"{_BAND} AS band" if name == "age" else name for name in sizes)
    found = _asked(db, f"SELECT {keys}, count(*) AS n FROM people GROUP BY ALL")
    counts = {tuple(int(str(value)) for value in row[:-1]): row[-1] for row in found}
    return [counts[cell] for cell in product(*map(range, sizes.values()))]


def _rows(db: dpduck.Connection) -> dict[str, Any]:
    """The rows, counted by cell."""
    # user: laplace_rows, gaussian_rows
    rows = db.execute("SELECT * FROM board").fetchall()
    # end
    counts = Counter(rows)
    return {"cells": [counts[cell] for cell in product(_LABELS, range(16), range(7), range(2))]}
