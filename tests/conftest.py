"""Under CI a skipped test is a failure: there everything that a test needs is installed."""

import os
from pathlib import Path

import duckdb
import pytest

from dpduck.cli import checks

# DuckDB's extensions can be had as packages for DuckDB 1.5, not yet for DuckDB 2.
_WITH_EXTENSIONS = ["engines/test_addresses.py", "engines/test_lakes.py", "gateway/test_lake_served.py"]
collect_ignore = [] if duckdb.__version__.startswith("1.") else _WITH_EXTENSIONS

# Superset has a job of its own.
if os.environ.get("CI") and "SUPERSET" not in os.environ:
    collect_ignore.append("gateway/superset/test_superset.py")


@pytest.fixture
def on_a_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All files seem to be on a disk, also where those of the tests are in memory (.ci/run)."""
    mounts = tmp_path / "mounts"
    mounts.write_text("disk / ext4 rw 0 0\n")
    monkeypatch.setattr(checks, "_MOUNTS", mounts)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on Spark come first: they are the longest, and one process with a Spark is to have them all."""
    items.sort(key=lambda item: "spark" not in getattr(item, "fixturenames", ()))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print("\nskipped tests are failures under CI")
