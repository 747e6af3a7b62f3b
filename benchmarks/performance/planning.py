"""`python -m benchmarks planning`: from SQL text to plan and score SQL, of queries answered and refused.

Nothing is read from private rows here. What a refusal takes must not exceed what answers take, or the
gate could be kept busy for nothing. The queries of TPC-H are timed beside yardsticks, DuckDB's own plans of
the same queries and Python's parser, as a machine that is slow at one time is slow for all of them.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from pathlib import Path
from statistics import median

import duckdb

from benchmarks.performance.timing import in_turns
from benchmarks.report.results import Record, Run, table
from dpduck import policies
from dpduck.compiler.parse.statements import Select, parse
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.errors import DpduckError
from tests.fuzz.damaged_texts import GOLDEN
from tests.fuzz.gate import plan_select
from tests.query.tpch import open_tpch

MOST = 0.005  # seconds for one plan
HEADER = ["query", "kind", "ms", "parse ms", "slowest ms", "target", "met"]

_ORDERS = "SELECT o_orderpriority, count(*) AS n FROM orders"
_TOP = "SELECT l_shipdate, count(*) AS n FROM lineitem GROUP BY l_shipdate ORDER BY n DESC LIMIT 10"
_BI = """
SELECT c_mktsegment AS c_mktsegment, COUNT(*) AS "COUNT(*)", SUM(c_acctbal) AS total
FROM (SELECT * FROM customer WHERE c_nationkey > 2) AS virtual_table
WHERE c_acctbal >= 0 AND c_mktsegment IN ('BUILDING', 'MACHINERY')
GROUP BY c_mktsegment ORDER BY "COUNT(*)" DESC LIMIT 1000
"""
_JOIN = """
SELECT l_shipmode, count(*) AS n, sum(l_quantity) AS q, avg(l_discount) AS d, median(o_totalprice) AS m
FROM customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON o_orderkey = l_orderkey
WHERE o_orderdate >= '1995-01-01' AND l_tax < 0.05 AND (c_mktsegment = 'BUILDING' OR c_acctbal > 100)
GROUP BY l_shipmode HAVING count(*) > 10 ORDER BY n DESC"""
_Q3 = """
SELECT o_orderdate, o_shippriority, sum(l_extendedprice * (1 - l_discount)) AS revenue, count(*) AS n
FROM customer, orders, lineitem
WHERE c_mktsegment = 'BUILDING' AND c_custkey = o_custkey AND l_orderkey = o_orderkey
    AND o_orderdate < DATE '1995-03-15' AND l_shipdate > DATE '1995-03-15'
GROUP BY o_orderdate, o_shippriority ORDER BY n DESC LIMIT 10
"""
ANSWERED = {
    "count": "SELECT count(*) FROM orders WHERE o_totalprice > 1000",
    "histogram": f"{_ORDERS} GROUP BY o_orderpriority",
    "top 10": _TOP,
    "top 10 without counts": _TOP.replace(", count(*) AS n", "").replace("n DESC", "count(*) DESC"),
    "threshold": f"{_ORDERS} GROUP BY o_orderpriority HAVING count(*) > 100 LIMIT 2",
    "median": "SELECT median(o_totalprice), mode(o_orderpriority) FROM orders",
    "month": "SELECT date_trunc('month', o_orderdate) AS m, count(*) FROM orders GROUP BY 1 ORDER BY 1",
    "four aggregates of a join": _JOIN,
    "query of a BI tool": _BI,
    "TPC-H q1": (GOLDEN / "tpch" / "q01.sql").read_text(encoding="utf-8"),
    "TPC-H q3, by date": _Q3,
    "outer query": f"SELECT t.n * 100.0 / sum(t.n) OVER () FROM ({_ORDERS} GROUP BY 1) AS t ORDER BY 1",
}
REFUSED = {
    "not SQL": "SELECT FROM WHERE GROUP",
    "no table": "SELECT count(*) FROM nothing",
    "no column": "SELECT count(*) FROM orders WHERE o_nothing > 1",
    "rows": "SELECT o_orderkey, o_totalprice FROM orders LIMIT 10",
    "subquery": f"{_ORDERS} WHERE o_totalprice > (SELECT avg(o_totalprice) FROM orders) GROUP BY 1",
    "random": f"{_ORDERS} WHERE random() < 0.5 GROUP BY 1",
    "no domain": "SELECT o_clerk, count(*) FROM orders GROUP BY o_clerk",
    "no range": "SELECT avg(o_orderkey) FROM orders",
    "strangers": "SELECT count(*) FROM customer, orders WHERE c_nationkey = o_shippriority",
    "TPC-H q3": (GOLDEN / "tpch" / "q03.sql").read_text(encoding="utf-8"),
    "join with the last word refused": f"{_JOIN}, random()",
    "file": "SELECT count(*) FROM read_csv('x.csv')",
    "copy": "COPY orders TO 'x'",
    "two statements": f"{_ORDERS} GROUP BY 1; {_ORDERS} GROUP BY 1",
    "1,000 conditions": f"SELECT count(*) FROM orders WHERE {'o_totalprice > 1 AND ' * 1_000}o_nothing",
    "nested 1,000 deep": f"SELECT count(*) FROM orders WHERE {'(' * 1_000}o_totalprice{')' * 1_000} > 1",
    "10,000 constants": f"SELECT count(*) FROM orders WHERE o_orderkey IN ({'1, ' * 9_999}o_custkey)",
}
TPCH = {path.stem: path.read_text(encoding="utf-8") for path in sorted((GOLDEN / "tpch").glob("q*.sql"))}
_OF_LINEITEM = "count(*) / (SELECT count(*) FROM lineitem) AS share"
_BLOCKS = f"""
SELECT l_shipmode, {_OF_LINEITEM}, (SELECT count(*) FROM orders) AS o, (SELECT count(*) FROM customer) AS c
FROM lineitem GROUP BY l_shipmode
"""
_PYTHON = "Python's parser, this file"
# Long texts, for which the target is not meant: their time is to grow with their length and no faster.
_LONG = frozenset({"1,000 conditions", "nested 1,000 deep", "10,000 constants"})


@dataclass
class Gate:
    """Plans queries over the tables of TPC-H, as a service does between loading the catalog and charging."""

    connection: duckdb.DuckDBPyConnection

    def __post_init__(self) -> None:
        self._catalog = policies.load_catalog(self.connection)
        self._numbers = count(1)

    def plan(self, text: str) -> bool:
        """Parse and plan. Returns whether the query is answered."""
        try:
            statement = parse(text)
            if not isinstance(statement, Select):
                return False
            facts = PublicFacts(self.connection)
            with facts.at_once():
                plan_select(statement, self._catalog, facts)
        except DpduckError:
            return False
        return True

    def plan_anew(self, text: str) -> bool:
        """The same with an epsilon that was never asked for, so that no cost is remembered."""
        epsilon = Fraction(next(self._numbers), 10_000) + Fraction(1, 2)
        options = f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = {float(epsilon)}) "
        return self.plan(options + text.removeprefix("SELECT "))

    def explain(self, text: str) -> None:
        """Let DuckDB plan the query without privacy."""
        self.connection.execute(f"EXPLAIN {text}").fetchall()

    def load(self) -> None:
        """Load the catalog, which a service does for each statement."""
        policies.load_catalog(self.connection)


def main(folder: Path, repeat: int) -> None:
    """Time every query, print a table, and add the timings to the result file."""
    run = Run.start("planning", 1.0)
    records = timed(Gate(open_tpch()), repeat)
    path = run.write(folder, records)
    print(
        table(HEADER, rows(records))
        + f"\n\n{verdict(records)}\n\nWritten to {path.name}: run {run.facts['run']}."
    )


def timed(gate: Gate, repeat: int) -> list[Record]:
    """One record per query, with every timing."""
    ways: dict[tuple[str, str], Callable[[], object]] = {}
    for kind, texts in (("answered", ANSWERED), ("refused", REFUSED)):
        for name, text in texts.items():
            if gate.plan(text) != (kind == "answered"):
                raise AssertionError(f"{name} is not {kind}")
            ways[kind, name] = lambda text=text: gate.plan(text)  # type: ignore[misc]
    ways["answered", "four blocks"] = lambda: gate.plan(_BLOCKS)
    for name, text in TPCH.items():
        if gate.plan(text):
            ways["TPC-H", name] = lambda text=text: gate.plan(text)  # type: ignore[misc]
            ways["yardstick", f"DuckDB, {name}"] = lambda text=text: gate.explain(text)  # type: ignore[misc]
    source = Path(__file__).read_text(encoding="utf-8")
    ways["yardstick", _PYTHON] = lambda: ast.parse(source)
    ways["answered", "top 10, a new epsilon"] = lambda: gate.plan_anew(_TOP)
    ways["catalog", "load the catalog"] = gate.load
    names = {f"{kind}/{name}": (kind, name) for kind, name in ways}
    seconds = in_turns({key: ways[pair] for key, pair in names.items()}, repeat)
    return [_record(*names[key], times) for key, times in seconds.items()]


def _record(kind: str, name: str, times: Sequence[float]) -> Record:
    text = {**ANSWERED, **REFUSED, **TPCH, "four blocks": _BLOCKS}.get(name, _TOP)
    is_plan = kind not in ("catalog", "yardstick")
    return {
        "kind": kind,
        "query": name,
        "seconds": [round(t, 6) for t in times],
        "median": round(median(times), 6),
        "parse": round(_parsing(text), 6) if is_plan else None,
        "most_seconds": MOST if is_plan and name not in _LONG else None,
    }


def _parsing(text: str) -> float:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        with suppress(DpduckError):
            parse(text)
        times.append(time.perf_counter() - start)
    return median(times)


def rows(records: Sequence[Record]) -> list[list[str]]:
    """The records as cells of a table."""
    return [_row(r) for r in records]


def _row(r: Record) -> list[str]:
    most = r["most_seconds"]
    parsing = "" if r["parse"] is None else _ms(r["parse"])
    met = "" if most is None else "yes" if r["median"] <= most else "no"
    return [r["query"], r["kind"], _ms(r["median"]), parsing, _ms(max(r["seconds"])), _target(most), met]


def _target(most: float | None) -> str:
    return "" if most is None else f"{most * 1000:g} ms"


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f}"


def verdict(records: Sequence[Record]) -> str:
    """Whether refusals are dearer than answers, and how plans of TPC-H compare with the yardsticks."""
    dearest = {
        kind: max(r["median"] for r in records if r["kind"] == kind and r["query"] not in _LONG)
        for kind in ("answered", "refused")
    }
    word = "cheaper" if dearest["refused"] <= dearest["answered"] else "dearer"
    return (
        f"The dearest refusal takes {_ms(dearest['refused'])} ms, {word} than the dearest answer with "
        f"{_ms(dearest['answered'])} ms.{_of_tpch(records)}"
    )


def _of_tpch(records: Sequence[Record]) -> str:
    """How long the plans of TPC-H take, in ms and beside the yardsticks; empty if they were not timed."""
    took = {(r["kind"], r["query"]): r["median"] for r in records}
    plans = {name: seconds for (kind, name), seconds in took.items() if kind == "TPC-H"}
    if not plans:
        return ""
    times = median(seconds / took["yardstick", f"DuckDB, {name}"] for name, seconds in plans.items())
    middle = median(plans.values())
    return (
        f" The median of the {len(plans)} queries of TPC-H that are answered takes {_ms(middle)} ms: "
        f"{times:.1f} times what DuckDB takes to explain the same query, and "
        f"{middle / took['yardstick', _PYTHON]:.1f} times what Python takes to parse the benchmark's file."
    )
