"""Wrong ways to hold candidates where the data is, and to count units, each of which a check catches."""

from __future__ import annotations

from unittest.mock import patch

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from dpduck.compiler.block.privacy_units import Owned
from dpduck.compiler.planner import clamped_values
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.kernel import scores
from dpduck.kernel.arrow import strings
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import RangeDomain, ValuesDomain
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan import materialized_scores as held_sql
from dpduck.kernel.plan.keys import Key
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.release import absent_keys, candidates, domain_keys, quantiles, selections, shown
from tests.mechanisms import checks, test_private_topk
from tests.mechanisms.mutation import Mutant, pair_of_tests
from tests.query import test_null_keys, test_rows_of_units, test_small_decimals
from tests.release import test_quantiles
from tests.release.test_held import both, scored

KEYS = [
    Key("n", "INTEGER", RangeDomain(-3, 31, 1)),
    Key("text", "VARCHAR", ValuesDomain(("b", "a", "c"))),
]
ROWS = [
    (n, t, 1 + (n * n) % 3) for n in range(-3, 32, 2) for t in "abc" if (n, t) not in {(5, "a"), (7, "c")}
]


def check_held() -> None:
    """All candidates are named once with their scores, in large groups and small, of few digits and many."""
    for many, base in ((2, 4), (1 << 16, 1 << 16)):
        with (
            patch.object(selections, "_MANY", many),
            patch.object(absent_keys, "_BASE", base),
            duckdb.connect() as connection,
            DuckEngine(connection).open(Interrupts()) as reader,
        ):
            try:
                listed, kept = both(KEYS, ROWS, reader)
                every = scored(kept)
                groups = sorted((str(n), t, 1) for n in range(-3, 32) for t in "abc")
                same = every == scored(listed) and sorted((n, t, 1) for n, t, _ in every) == groups
            except Exception as error:
                raise AssertionError from error
            assert same


def check_set() -> None:
    """Groups that a set is made of stand in one order, with their numbers, whatever order they come in."""
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        columns = [pa.array([["b", "a", None][i] for i in order]), pa.array([[1, 1, 0][i] for i in order])]
        found, numbers = shown.Shown.by_key(columns, np.array([[7, 8, 9][i] for i in order]))
        rows = list(zip(*(column.to_pylist() for column in found.columns), strict=True))
        assert rows == [("a", 1), ("b", 1), (None, 0)]
        assert numbers.tolist() == [8, 7, 9]


def check_order() -> None:
    """The groups are named in the order asked for."""
    with duckdb.connect() as connection, DuckEngine(connection).open(Interrupts()) as reader:
        _, kept = both(KEYS, ROWS, reader)
        count = kept.scores.count
        numbers = [count - 1, 0, 7, count - 2, 3]
        together = list(zip(*(c.to_pylist() for c in kept.keys(numbers)), strict=True))
        alone = [tuple(str(c[0]) for c in kept.keys([number])) for number in numbers]
        assert [tuple(map(str, group)) for group in together] == alone


def check_privacy_of_the_form() -> None:
    """Whether scores are held follows from public facts: any number of found keys may be there."""
    plan, _ = test_rows_of_units.plan_of(test_rows_of_units.TOP.format("item"), COLUMNS.format("UNIQUE (u)"))
    assert plan.is_held
    plan, _ = test_rows_of_units.plan_of(test_rows_of_units.TOP.format("shop"), COLUMNS.format("UNIQUE (u)"))
    assert not plan.is_held


COLUMNS = test_rows_of_units.COLUMNS


def units() -> None:
    test_rows_of_units.test_a_null_that_repeats_counts_once()
    test_null_keys.test_unique_rows_may_repeat_null()
    for constraint, keys, plain in (
        ("PRIMARY KEY (u, item, shop)", "item", False),
        ("UNIQUE (u, item)", "item", False),
        ("PRIMARY KEY (u, item)", "item", True),
    ):
        test_rows_of_units.test_what_the_schema_says(constraint, keys, plain)


def cut() -> None:
    with pytest.MonkeyPatch.context() as patched:
        test_private_topk.read_only(patched, 1)
        checks.check_private_top_k((2, 2, 5, 4), 1, groups=None)


def totals() -> None:
    """A unit's rows cannot decide whether a query fails."""
    try:
        test_small_decimals.test_no_total_of_a_unit_overflows(2)
    except DpduckError as error:
        raise AssertionError from error


def small_texts() -> None:
    try:
        test_small_decimals.test_small_decimals_go_out_and_come_back()
    except DpduckError as error:
        raise AssertionError from error


def windows() -> None:
    """Scores near the quantile are those of one pass, however narrow the window."""
    try:
        test_quantiles.check_passes("one row", "SELECT median(v) FROM t", test_quantiles.SPREAD, 6, 10**7)
    except Exception as error:
        raise AssertionError from error


MUTANTS = [
    Mutant(
        "held: members of the next score",
        selections.MaterializedGroups._found,
        'side="right"',
        'side="left"',
        check_held,
    ),
    Mutant(
        "held: groups without a row cannot win",
        selections.MaterializedGroups.scores,
        "not self._missing",
        "True",
        check_held,
    ),
    Mutant(
        "held: groups without a row have score 1",
        selections.MaterializedGroups.scores,
        "self._scores, 0",
        "self._scores, 1",
        check_held,
    ),
    Mutant("held: ranks from 1", held_sql._of_given, "digits(1)", "digits(2)", check_held),
    Mutant(
        "held: one rank for all scores", held_sql.members, "_NUMBER, (_SCORE,)", "_NUMBER, ()", check_held
    ),
    Mutant(
        "held: winners of a large group by any score",
        held_sql.members_of,
        'Comparison("=",',
        'Comparison("<>",',
        check_held,
    ),
    Mutant(
        "held: rows as they come",
        selections._in_order,
        "order[np.lexsort((rank, score))] = np.lexsort(found)",
        "order[:] = np.arange(len(score))",
        check_order,
    ),
    Mutant(
        "held: with rows before without",
        candidates.Candidates.keys,
        "next(found) if has else next(missing) for has in has_rows.tolist()",
        "*found, *missing",
        check_order,
    ),
    Mutant(
        "shown: rows as they come",
        shown.Shown.by_key,
        "_order(columns)",
        "pa.array(range(len(columns[0])))",
        check_set,
    ),
    Mutant(
        "shown: numbers as they come", shown.Shown.by_key, "numbers[vector_of(order)]", "numbers", check_set
    ),
    Mutant("missing: occupied places count", absent_keys._descend, "-= sizes", "-= 0 * sizes", check_held),
    Mutant(
        "missing: the rank is not moved on",
        absent_keys._descend,
        "node.rank - before",
        "node.rank",
        check_held,
    ),
    Mutant(
        "missing: one key at a time",
        absent_keys._descend,
        "(ends - starts) * inner",
        "ends - starts",
        check_held,
    ),
    Mutant(
        "missing: another prefix",
        absent_keys._occupied,
        "rows[prefix].append(row)",
        "rows[prefixes.pop()].append(row)",
        check_held,
    ),
    Mutant(
        "domains: keys the other way round",
        domain_keys.at,
        "for factor in reversed(_factors(space)):",
        "for factor in _factors(space):",
        check_held,
    ),
    Mutant(
        "cut: one candidate too many is read",
        scores.GroupedScores.best,
        "self.count - most",
        "self.count - most - 1",
        cut,
    ),
    Mutant(
        "sums: rows count for up to 2^20 whole units",
        clamped_values._span_of,
        ", tick)",
        ", Decimal(1))",
        totals,
    ),
    Mutant(
        "texts: decimals with exponents", strings.text, "isinstance(value, Decimal)", "False", small_texts
    ),
    Mutant("quantiles: ranks of another bin", quantiles._Bins.part, "first - below", "first", windows),
    Mutant(
        "quantiles: bins below are not counted",
        quantiles._Bins.part,
        "last - below, below)",
        "last - below, 0)",
        windows,
    ),
    Mutant("quantiles: the next bin is left out", quantiles._Bins.part, "(high + 1) *", "high *", windows),
    Mutant(
        "units: NULL is no value", Owned.has_one_row_in, "if key.domain is not None", "if True or key", units
    ),
    Mutant("units: NULL of a domain is one row", Owned.has_one_row_in, " and not key.or_null", "", units),
    Mutant("units: any constraint will do", Owned.has_one_row_in, "<= (values", "!= (values", units),
    Mutant(
        "form: found keys are listed", Plan.is_held, "return True", "return False", check_privacy_of_the_form
    ),
]

test_a_mutant_is_caught, test_the_check_passes_without_the_mutant = pair_of_tests(MUTANTS, 2)
