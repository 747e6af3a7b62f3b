"""Tests by weight: what a test needs besides Python is said here, by its path or by what it asks for.

    pytest -m "not (clients or docs or lint or services or slow)"     the README's command
    pytest -m "clients or docs or lint or services or slow"           what it leaves out

    pytest -m nightly                                                 what both leave to the night

A test that is slow, though its neighbours are not, says so itself (`@pytest.mark.slow`); so does one that is
left to the night (`@pytest.mark.nightly`), which DPDUCK_DEPTH=full chooses too.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterable
from fnmatch import translate
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from tests.depth import FULL

pytest_plugins = ["tests.durations"]

ROOT = Path(__file__).parent
MEMORY, ROOM = Path("/dev/shm"), 6 << 30  # noqa: S108 (pytest makes a folder of its own in it)


def is_roomy(folder: Path) -> bool:
    """Whether there is room for files of tests, among which are programs that run."""
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        return False
    return shutil.disk_usage(folder).free >= ROOM and not os.statvfs(folder).f_flag & os.ST_NOEXEC


# Ledgers wait for the disk at each charge: files of tests are in memory where it has room.
if is_roomy(MEMORY):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
# Tests start many a process: what one compiles, others find.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Which files are of which weight, by the first pattern that fits; what is not asked for is not even imported.
WEIGHTS = {
    "slow": (
        "tests/audit/*",
        "tests/benchmarks/*",
        "*/cli/test_audit.py",
        "*/cli/test_console.py",
        "*/cli/test_progress.py",
        "*/cli/test_query.py",
        "*/documents/test_examples.py",
        "*/documents/test_howto.py",
        "*/everyday/test_everyday.py",
        "*/examples/test_frequencies.py",
        "*/examples/test_utility.py",
        "*/gateway/test_bounds.py",
        "*/gateway/test_local_socket.py",
        "*/gateway/test_long_statements.py",
        "*/gateway/test_observation.py",
        "*/gateway/test_reload.py",
        "*/gateway/test_renewal.py",
        "*/gateway/test_roles.py",
        "*/gateway/test_server.py",
        "*/gateway/test_tls_alerts.py",
        "*/gateway/web/test_guard.py",
        "*/gateway/web/test_pages.py",
        "*/ledger/test_crash.py",
        "*/ledger/test_tampering.py",
        "*/mechanisms/test_claims.py",
        "*/mechanisms/test_clamped_sums.py",
        "*/mechanisms/test_clamped_topk.py",
        "*/mechanisms/test_deviations.py",
        "*/mechanisms/test_distinct_values.py",
        "*/mechanisms/test_many_quantiles.py",
        "*/mechanisms/test_mutants*.py",
        "*/mechanisms/test_peeling.py",
        "*/mechanisms/test_quantile.py",
        "*/mechanisms/test_quantile_intervals.py",
        "*/mechanisms/test_quantile_ranks.py",
        "*/mechanisms/test_roundings.py",
        "*/mechanisms/test_selection*.py",
        "*/mechanisms/test_sparse_vector.py",
        "*/mechanisms/test_threshold_estimates.py",
        "*/mechanisms/test_topk_above.py",
        "*/mechanisms/test_topk_counts.py",
        "*/packaging/test_release.py",
        "*/query/test_conditions.py",
        "*/query/test_fuzz.py",
        "*/query/test_one_unit.py",
        "*/query/test_outer_sums.py",
        "*/query/test_property.py",
        "*/query/test_quantile_intervals.py",
        "*/query/test_random_derived.py",
        "*/query/test_tpch.py",
        "*/reach/test_ibis.py",
        "*/reach/test_tpcds.py",
        "*/release/test_mutants.py",
        "*/release/test_quantiles.py",
        "*/replay/test_at_once.py",
        "*/replay/test_replay.py",
        "*/shell/test_pipe.py",
        "*/summaries/test_beside_others.py",
        "*/summaries/test_dashboard.py",
        "*/summaries/test_gaussian_release.py",
        "*/summaries/test_intervals.py",
        "*/summaries/test_projected.py",
        "*/summaries/test_release.py",
        "*/test_oracles.py",
        "tests/test_shown_intervals.py",
        "*/trust/test_aggregates_at_extremes.py",
        "*/trust/test_analysts_apart.py",
        "*/trust/test_claimed_types.py",
        "*/trust/test_csv_rows.py",
        "*/trust/test_every_expression.py",
        "*/trust/test_keys_compared_exactly.py",
        "*/trust/test_large_statements.py",
        "*/trust/test_log_in.py",
        "*/trust/test_memory_of_statements.py",
        "*/trust/test_one_account.py",
        "*/trust/test_one_unit.py",
        "*/trust/test_parquet_values.py",
        "*/trust/test_planning_ends.py",
        "*/trust/test_policies_on_record.py",
        "*/trust/test_public_values.py",
        "*/trust/test_record_of_people.py",
        "*/trust/test_released_types.py",
        "*/trust/test_row_order.py",
        "*/trust/test_rows_that_fail.py",
        "*/trust/test_settings.py",
        "*/trust/test_what_files_say.py",
        "*/web/test_at_once.py",
        "*/web/test_long_ledger.py",
    ),
    "docs": ("tests/documents/test_site.py",),
    "clients": (
        "tests/connection/test_engine_functions.py",
        "tests/connection/test_ibis.py",
        "tests/connection/test_jupyter.py",
        "tests/documents/test_tutorials.py",
        "tests/gateway/bi/*",
        "tests/gateway/clients/*",
        "tests/gateway/superset/*",
    ),
    "services": (
        "*/ledger/test_postgres.py",
        "*/page/test_browser.py",
        "*/web/test_browser.py",
        "*/shell/test_screen.py",
        "*/test_addresses.py",
        "*/test_spark*.py",
    ),
}
# Which slow files are left to the night: statistics of mechanisms whose laws are enumerated elsewhere, and
# benchmarks that need not run each day.
NIGHTLY = (
    "tests/benchmarks/test_accuracy.py",
    "tests/benchmarks/test_audit.py",
    "tests/benchmarks/test_gateway_load.py",
    "tests/benchmarks/test_peer*.py",
    "tests/benchmarks/test_scale*.py",
    "tests/benchmarks/test_summaries.py",
    "tests/examples/test_frequencies.py",
    "tests/examples/test_utility.py",
    "tests/packaging/test_release.py",
    "tests/summaries/test_intervals.py",
    "tests/summaries/test_projected.py",
    "tests/test_shown_intervals.py",
)
MARKERS = ("clients", "docs", "lint", "services", "slow")
# Fixtures of which a program that is installed beside Python is a part.
SERVICES = frozenset({"certificate", "database", "postgres", "spark"})


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, patterns)))


_WEIGHTS = {weight: _any_of(patterns) for weight, patterns in WEIGHTS.items()}
_NIGHTLY = _any_of(NIGHTLY)


@cache
def weight_of(path: Path) -> str | None:
    """The marker of a file, by the table."""
    if path.suffix != ".py" or not path.is_relative_to(ROOT):
        return None
    name = path.relative_to(ROOT).as_posix()
    return next((weight for weight, pattern in _WEIGHTS.items() if pattern.fullmatch(name)), None)


@cache
def is_nightly(path: Path) -> bool:
    """Whether a whole file is left to the night."""
    return path.is_relative_to(ROOT) and _NIGHTLY.fullmatch(path.relative_to(ROOT).as_posix()) is not None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out, before it is imported, what `-m` leaves out: its packages need not be installed."""
    weight, asked = weight_of(collection_path), config.getoption("markexpr")
    return None if weight is None or not asked or may_be_asked(weight, asked) else True


def may_be_asked(weight: str, asked: str) -> bool:
    """Whether a test of this weight, and perhaps of others, meets the expression of `-m`.

    >>> [may_be_asked("slow", asked) for asked in ("not slow", "slow", "services", "not (slow or docs)")]
    [False, True, True, False]
    """
    others = [name for name in (*MARKERS, "nightly") if name != weight]
    for chosen in product((False, True), repeat=len(others)):
        marks = defaultdict(bool, zip(others, chosen, strict=True)) | {weight: True}
        if eval(asked, {"__builtins__": {}}, marks):  # noqa: S307 (what the user typed)
            return True
    return False


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark each test, before `-m` chooses; leave to the night what is for it alone."""
    for item in items:
        weight = weight_of(item.path)
        if is_nightly(item.path):
            item.add_marker("nightly")
        if weight is not None:
            item.add_marker(weight)
        if SERVICES & set(getattr(item, "fixturenames", ())):
            item.add_marker("services")
    if not FULL and "nightly" not in config.getoption("markexpr"):
        left = [item for item in items if item.get_closest_marker("nightly")]
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=left)
