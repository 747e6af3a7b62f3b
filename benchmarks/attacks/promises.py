"""`python -m benchmarks promises`: is an answer as near to the truth as EXPLAIN says, in 95 of 100 runs?

Each shape of query is asked many times. A promise is kept by a number that is as near as was said beforehand.
Of the numbers shown 95 % should keep it, whatever the rows are. More may: where a bound must hold for the
worst rows, or for all that noise may choose, and then the shape says so. Fewer must not. Where noise decides
how many numbers there are, an answer without any keeps its promise.
"""

from __future__ import annotations

import math
import re
import time
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import duckdb

import dpduck
from benchmarks.attacks.promise_shapes import Shape, market, shapes
from benchmarks.report.results import Record, Run, table

HEADER = ("query", "mechanism", "shown", "promised", "real 95 %", "kept", "by noise alone", "verdict")
HOLDS, CONSERVATIVE, BROKEN = "holds", "conservative", "broken"

RUNS = 300  # of each shape
_KEPT = 0.95
_MOST = 0.98  # what keeps its promise more often is conservative
_PROMISED = re.compile(r"(?:within|at most|at least \S+ -) ([\d,.e+]+)(?:.*; ([\d,.e+]+) where)?")

Errors = Callable[[Sequence[Any]], float]
Answers = Sequence[Sequence[float]]  # the errors of the numbers of each


def main(folder: Path, runs: int, only: Sequence[str] = ()) -> int:
    """Ask each shape, print what was kept, and add it to the result file. Exit code: 1 if one is broken."""
    run = Run.start("promises", min(1.0, runs / RUNS))
    found = []
    for record in records(runs, only):
        found.append(record)
        print("  ".join(row_of(record)), flush=True)
    path = run.write(folder, found)
    print("\n" + table(HEADER, rows(found)) + f"\n\nWritten to {path.name}: run {run.facts['run']}.")
    return int(any(record["verdict"] == BROKEN for record in found))


def records(runs: int, only: Sequence[str] = ()) -> Iterator[Record]:
    """A record for each shape, or for those named."""
    for shape in shapes():
        if not only or shape.name in only:
            with duckdb.connect() as database, market(database, shape.query) as con:
                truth = database.execute(shape.truth).fetchall()
                yield _asked(con, shape, error_of(shape, truth), runs)


def _asked(con: dpduck.Connection, shape: Shape, error: Errors, runs: int) -> Record:
    begin = time.perf_counter()
    con.execute(f"SET dp_delta = {shape.delta}")
    explained = con.explain(shape.query)
    promised, own = promise(explained.promises)
    answers = [list(map(error, con.execute(shape.query).fetchall())) for _ in range(runs)]
    kept, word = judged(answers, promised)
    return {
        "shape": shape.name,
        "query": shape.query,
        "mechanism": explained.mechanism,
        "runs": runs,
        "numbers": sum(map(len, answers)),
        "promised": promised,
        "noise": own,
        "real": real_width(answers),
        "kept": kept,
        "kept_by_noise": judged(answers, own)[0],
        "reason": shape.reason,
        "verdict": word,
        "seconds": round(time.perf_counter() - begin, 2),
    }


def promise(promises: Sequence[str]) -> tuple[float, float]:
    """What the error of the last number stays within, and what its noise alone does.

    >>> promise(["n is within 1,204 of the truth with probability 95 %; 12 where noise is not why"])
    (1204.0, 12.0)
    """
    found = _PROMISED.search(promises[-1])
    assert found is not None
    width, own = (float((text or found[1]).replace(",", "")) for text in found.groups())
    return width, own


def judged(answers: Answers, width: float) -> tuple[float, str]:
    """The share of numbers that are within a width, and the verdict, with three standard errors of doubt.

    >>> judged([[1.0, 5.0]] * 20, 4.0), judged([[1.0]] * 20, 4.0), judged([[5.0], *[[]] * 19], 4.0)
    ((0.5, 'broken'), (1.0, 'conservative'), (0.95, 'holds'))
    """
    broken = [sum(one > width for one in found) for found in answers]
    kept = 1 - sum(broken) / _places(answers)
    # The numbers of an answer have noise in common.
    squares = sum((b - (1 - kept) * len(found)) ** 2 for b, found in zip(broken, answers, strict=True))
    doubt = math.sqrt(max(squares, len(answers) * _KEPT * (1 - _KEPT))) / _places(answers)
    word = BROKEN if kept < _KEPT - 3 * doubt else HOLDS if kept <= _MOST else CONSERVATIVE
    return round(kept, 4), word


def real_width(answers: Answers) -> float:
    """The width that 95 % of the numbers are within.

    >>> real_width([[1.0, 2.0]] * 19 + [[8.0, 9.0]])
    2.0
    """
    errors = sorted((one for found in answers for one in found), reverse=True)
    return round([*errors, 0.0][min(int((1 - _KEPT) * _places(answers) + 1e-9), len(errors))], 4)


def _places(answers: Answers) -> int:
    """How many numbers promises are kept for: an answer that shows none breaks none."""
    return max(sum(map(len, answers)), len(answers))


# --- the errors ------------------------------------------------------------------------------------


def error_of(shape: Shape, truth: Sequence[Sequence[Any]]) -> Errors:
    """The error of an answer's row. Input: `truth`: rows of keys, a value and its weight."""
    groups: dict[tuple[Any, ...], list[tuple[Any, float]]] = defaultdict(list)
    for *keys, value, weight in truth:
        groups[tuple(keys)].append((value, float(weight)))
    if shape.mode:
        return lambda row: _below_the_largest(groups[tuple(row[:-1])], row[-1])
    if shape.quantile is not None:
        share = float(shape.quantile)
        ranked = {keys: _ranked(values) for keys, values in groups.items()}
        return lambda row: _off_rank(*ranked[tuple(row[:-1])], row[-1], share)
    return lambda row: abs(float(row[-1]) - float(groups[tuple(row[:-1])][0][0]))


def _below_the_largest(values: Sequence[tuple[Any, float]], mode: Any) -> float:
    counts: dict[Any, float] = defaultdict(float)
    for value, weight in values:
        counts[value] += weight
    return max(counts.values()) - counts[mode]


def _ranked(values: Sequence[tuple[Any, float]]) -> tuple[list[Any], list[float]]:
    """The values in order, and the weight of all before each place."""
    ordered = sorted(values)
    return [value for value, _ in ordered], [0.0, *accumulate(weight for _, weight in ordered)]


def _off_rank(ordered: Sequence[Any], before: Sequence[float], value: Any, share: float) -> float:
    """By how much weight a value misses the quantile.

    >>> _off_rank([1, 2, 3, 4], [0, 1, 2, 3, 4], 4, 0.5), _off_rank([1, 2, 3, 4], [0, 1, 2, 3, 4], 2, 0.5)
    (1.0, 0.0)
    """
    wanted = share * before[-1]
    below, up_to = before[bisect_left(ordered, value)], before[bisect_right(ordered, value)]
    return max(below - wanted, wanted - up_to, 0.0)


# --- tables ----------------------------------------------------------------------------------------


def row_of(record: Record) -> list[str]:
    """A line of the table."""
    mechanism = record["mechanism"]
    verdict = record["verdict"]
    return [
        record["shape"],
        mechanism if isinstance(mechanism, str) else ", ".join(mechanism),
        f"{record['numbers']:,}",
        f"{record['promised']:,.4g}",
        f"{record['real']:,.4g}",
        f"{record['kept']:.1%}",
        "" if record["noise"] == record["promised"] else f"{record['kept_by_noise']:.1%}",
        f"{verdict}: {record['reason']}" if verdict == CONSERVATIVE and record["reason"] else verdict,
    ]


def rows(records: Sequence[Record]) -> list[list[str]]:
    """The table."""
    return [row_of(record) for record in records]


def summary(records: Sequence[Record]) -> str:
    """How many promises were kept, and how, in a sentence."""
    counts = {name: sum(r["verdict"] == name for r in records) for name in (HOLDS, CONSERVATIVE, BROKEN)}
    return (
        f"Of {len(records)} shapes of queries {counts[HOLDS]} keep what EXPLAIN promises in 95 of 100 cases, "
        f"{counts[CONSERVATIVE]} in more than 98, each for the reason given, and {counts[BROKEN]} do not."
    )
