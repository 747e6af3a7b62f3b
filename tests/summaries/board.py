"""A dashboard of twelve charts with slicers in SQL, on people of the shape of a census, and its truth."""

from __future__ import annotations

import random
from pathlib import Path

import duckdb
import numpy as np

import dpduck
from benchmarks.accuracy.synthetic import populations

STARTS = (8, 13, 18, 28, 38, 48, 58, 68)  # of bands of 85 ages, of which the first begins with 0
_WHENS = " ".join(f"WHEN age < {start} THEN {number}" for number, start in enumerate(STARTS))
BAND = f"CASE {_WHENS} ELSE {len(STARTS)} END"
CREATE = f"""CREATE PRIVACY SUMMARY board ON census
    (age BANDS ({", ".join(map(str, STARTS))}), education, marital, sex) WORKLOAD (ALL 4 WAY) EPSILON 1"""
POLICIES = """
ALTER TABLE census ADD PRIVACY_KEY (id);
ALTER TABLE census ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 84);
ALTER TABLE census ALTER COLUMN education SET PRIVACY DOMAIN BETWEEN (0, 15);
ALTER TABLE census ALTER COLUMN marital SET PRIVACY DOMAIN BETWEEN (0, 6);
ALTER TABLE census ALTER COLUMN sex SET PRIVACY DOMAIN BETWEEN (0, 1);
CREATE PRIVACY BUDGET everyone LIMIT 1000
"""
# Each chart: its keys, its own condition, and the columns that it mentions.
CHARTS: tuple[tuple[str, str, str], ...] = (
    ("", "", ""),
    ("", "age BETWEEN 8 AND 27", "age"),
    ("sex", "", "sex"),
    ("education", "", "education"),
    ("marital", "", "marital"),
    (BAND, "", "age"),
    ("education, sex", "", "education sex"),
    ("marital, sex", "", "marital sex"),
    ("education", "age < 13 AND sex = 0", "education age sex"),
    ("marital", "age < 13", "marital age"),
    (BAND, "marital IN (0, 1) AND sex = 1", "age marital sex"),
    (f"{BAND}, education", "sex = 1", "age education sex"),
)
TOTALS = (2, 3, 4, 5, 6, 7)  # charts of which the groups add up to the first one


def make(file: Path) -> None:
    """Make the people, with policies. `id`: of whom; one row each."""
    counts = populations()["adult4"].counts.astype(int)
    ends = (0, *STARTS, 85)
    with duckdb.connect(str(file)) as con:
        con.execute("CREATE TABLE cells (low INT, high INT, e INT, m INT, s INT, n INT)")
        for (band, e, m, s), n in zip(np.ndindex(*counts.shape), counts.reshape(-1).tolist(), strict=True):
            cell = [ends[band], ends[band + 1], e, m, s, n]
            con.execute("INSERT INTO cells VALUES (?, ?, ?, ?, ?, ?)", cell)
        con.execute(
            "CREATE TABLE census AS SELECT row_number() OVER () AS id, "
            "e AS education, m AS marital, s AS sex, (low + i % (high - low))::INTEGER AS age "
            "FROM cells, range(0, n) AS r(i); "
            "DROP TABLE cells; "
            + "".join(
                f"ALTER TABLE census ALTER COLUMN {name} SET NOT NULL; "
                for name in ("age", "education", "marital", "sex")
            )
            + "ALTER TABLE census ADD PRIMARY KEY (id)"
        )
    with dpduck.connect(file) as db:
        db.execute(POLICIES)


def slicers(draw: random.Random) -> dict[str, str]:
    """Random filters, by the column that each is on; none, one or two."""
    values = {"marital": draw.randrange(7), "sex": draw.randrange(2), "education": draw.randrange(16)}
    kinds = {
        "marital": f"marital = {values['marital']}",
        "sex": f"sex = {values['sex']}",
        "education": f"education >= {values['education']}",
    }
    return {name: kinds[name] for name in draw.sample(sorted(kinds), draw.choice([0, 1, 1, 2]))}


def charts(filters: dict[str, str], *, ends: bool = False) -> list[str]:
    """The charts, each with the filters on columns that it does not mention. `ends`: and their intervals."""
    found = []
    for keys, condition, mentioned in CHARTS:
        wheres = [condition] * bool(condition)
        wheres += [one for name, one in filters.items() if name not in mentioned.split()]
        where = f" WHERE {' AND '.join(wheres)}" if wheres else ""
        group = f" GROUP BY {keys} ORDER BY {keys}" if keys else ""
        shown = ", ".join(["count(*) AS n", *(["dp_low(n)", "dp_high(n)"] if ends else [])])
        found.append(f"SELECT {f'{keys}, ' if keys else ''}{shown} FROM census{where}{group}")
    return found


def alike(answers: list[list[tuple[object, ...]]], filters: dict[str, str]) -> list[int]:
    """The charts of which the groups do not add up to the first one, but for rounding."""
    total = int(str(answers[0][0][0]))
    wrong = []
    for place in TOTALS:
        if any(name in CHARTS[place][2].split() for name in filters):
            continue  # it has other filters than the first
        cells = [int(str(row[-1])) for row in answers[place]]
        if abs(sum(cells) - total) > len(cells) / 2 + 1:
            wrong.append(place)
    return wrong
