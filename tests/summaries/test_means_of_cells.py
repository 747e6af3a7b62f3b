"""Averages of columns whose values are cells: quotients of two sums of the same noisy cells."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import dpduck
from dpduck.summaries.design import Design, Kind
from dpduck.summaries.kept import Contents
from dpduck.summaries.linear_queries import CellQuery, Grouping, LinearQuery, ProductQuery
from dpduck.summaries.measures import CellSpread, means, of_difference, quantile_of
from dpduck.summaries.release import noised
from dpduck.summaries.workload import tables_of as ways
from tests.depth import depth
from tests.sources import Seeded
from tests.summaries.asking import plain, refusal, rows, told
from tests.summaries.simulated import KINDS, designed_for

QUERIES = [
    "SELECT avg(grade) AS a FROM people",
    "SELECT region, avg(grade) AS a FROM people GROUP BY region ORDER BY region",
    "SELECT member, avg(grade) AS a FROM people WHERE region IN ('n', 'e') GROUP BY member ORDER BY member",
    "SELECT avg(member::INT) AS a FROM people WHERE grade > 1",
    "SELECT avg(grade) FILTER (WHERE member OR region = 's') AS a FROM people",
    "SELECT avg(month(joined)) AS a FROM people WHERE NOT member",
    "SELECT avg(grade * 2 - 1) AS a FROM people WHERE member",
    "SELECT grade, avg(month(joined)) AS a FROM people GROUP BY grade ORDER BY grade",
]


@pytest.mark.parametrize("query", QUERIES)
def test_it_is_what_plain_sql_computes(board: dpduck.Connection, file: Path, query: str) -> None:
    board.execute("SET dp_summaries = only")
    asked = query.replace(" AS a", " AS a, dp_low(a), dp_high(a)")
    answer, said, charged = rows(board, asked), told(board), board.charged
    board.close()
    assert "This is from summary board" in said
    assert charged == "0"
    truth = plain(file, query)
    assert [row[:-3] for row in answer] == [row[:-1] for row in truth]
    for (*_, found, low, high), (*_, known) in zip(answer, truth, strict=True):
        assert float(str(low)) <= float(str(known)) <= float(str(high))
        assert float(str(found)) == pytest.approx(
            float(str(known)), abs=0.05 * (float(str(high)) - float(str(low)))
        )


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT avg(age) FROM people", "bands or groups of age"),
        ("SELECT avg(CASE WHEN hidden = 0 THEN 1 ELSE 2 END) FROM people", "no column hidden"),
        (
            "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population') avg(grade) FROM people",
            "population",
        ),
    ],
)
def test_other_averages_are_refused(board: dpduck.Connection, query: str, reason: str) -> None:
    board.execute("SET dp_summaries = only")
    assert reason in str(refusal(board, query))


VALUES = np.array([0.0, 25.0, 100.0])
COUNTS = np.array([[400, 90, 30], [20, 800, 20], [150, 150, 150]])
EACH = ProductQuery((0, 1), (Grouping(np.zeros(3, dtype=np.int64), 1, VALUES), Grouping.each(3)))
CELLS = np.broadcast_to(np.arange(3), (3, 3)).copy()
AS_CELLS = CellQuery((0, 1), CELLS, np.repeat(VALUES, 3).reshape(3, 3), 3)


def numbers_of(query: LinearQuery) -> LinearQuery:
    """The same groups, in which each cell weighs 1."""
    if isinstance(query, CellQuery):
        return CellQuery(query.columns, query.group, np.ones(query.group.shape), query.groups)
    return ProductQuery((0, 1), (Grouping(np.zeros(3, dtype=np.int64), 1), Grouping.each(3)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("query", [EACH, AS_CELLS], ids=["product", "cells"])
def test_intervals_hold_as_often_as_they_say(kind: Kind, query: LinearQuery) -> None:
    sizes = (3, 3)
    plain_design = designed_for(ways(2, sizes), sizes, kind, most=1)
    own: Any = SimpleNamespace(sizes=sizes, measures=())
    design = Design(own, 1, plain_design.shares, plain_design.gaussian)
    tables = {
        table: COUNTS.sum(axis=tuple({0, 1} - {*table})).astype(np.int64) * np.array(1)
        for table in design.tables
    }
    number, entropy = numbers_of(query), Seeded("means of cells", kind, isinstance(query, CellQuery))
    spread = CellSpread.of(query, number, design)
    truth = VALUES @ COUNTS / COUNTS.sum(axis=0)
    hits, sums = 0.0, []
    runs = depth(2000, 400)
    for _ in range(runs):
        contents = Contents.of(design, [noised(tables, design, entropy)])
        total, counted = (one.estimates(contents.residuals, sizes) for one in (query, number))
        _, low, high = means((0.0, 100.0), total, counted, spread, quantile_of(design))
        hits += ((low <= truth) & (truth <= high)).mean()
        sums.append(total - 40 * counted)
    assert 0.93 < hits / runs < 0.975
    assert np.var(sums, axis=0) == pytest.approx(of_difference(spread, 40.0), rel=0.3)
