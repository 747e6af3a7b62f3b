"""Under CI a skipped test is a failure: there everything that a test needs is installed.

Noise is a function of a test's name, so that a test that may fail by chance fails each time or never.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copyfile
from threading import Lock

import duckdb
import pytest
from hypothesis import settings

from dpduck.doors.cli import checks
from dpduck.engines.source import Source
from dpduck.kernel.noise import SystemEntropy
from dpduck.kernel.noise.entropy import Words
from dpduck.policies import decisions
from tests.depth import FULL
from tests.sources import Seeded

# How long an example takes depends on what else the machine does.
settings.register_profile("dpduck", deadline=None)
settings.load_profile("dpduck")

# DuckDB's extensions can be had as packages for DuckDB 1.5, not yet for DuckDB 2.
_WITH_EXTENSIONS = ["engines/test_addresses.py", "engines/test_lakes.py", "gateway/test_lake_served.py"]
collect_ignore = [] if duckdb.__version__.startswith("1.") else _WITH_EXTENSIONS


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """What this process draws from the system is drawn from a stream that the test's name is the key of.

    Processes that a test starts have the system's noise, as have all at full depth.
    """
    if FULL:
        return (yield)
    stream, turn = Seeded(item.nodeid), Lock()

    def words(_: SystemEntropy, count: int) -> Words:
        with turn:
            return stream.words(count)

    with pytest.MonkeyPatch.context() as patch:
        if not item.get_closest_marker("system_noise"):
            patch.setattr(SystemEntropy, "words", words)
        return (yield)


# One test of these takes half a minute, so that none is to be the last one.
_LONG = (
    *("test_two_gateways", "test_site", "test_quality", "test_rust", "test_reload_under_load", "test_bounds"),
    *(
        "test_summaries",
        "test_bi",
        "test_log_in",
        "test_crash",
        "test_tutorials",
        "test_screen",
        "test_jupyter",
    ),
)

Make = Callable[[Path], object]  # writes a database to a path

_originals: dict[Make, Path] = {}


@pytest.fixture
def copied(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Make], Path]:
    """A database with its ledger that is made once in this process, and copied into the folder of the test.

    To the ledger the copy is where the original is, whose policies it has on record.
    """

    def copy(make: Make, name: str = "shop.duckdb") -> Path:
        if make not in _originals:
            _originals[make] = tmp_path_factory.mktemp("original") / name
            make(_originals[make])
        original, place, where = _originals[make], tmp_path / name, decisions._where
        for file in original.parent.iterdir():
            copyfile(file, tmp_path / file.name)

        def as_if(source: Source) -> str:
            found = where(source)
            return str(original.resolve()) if found == str(place.resolve()) else found

        monkeypatch.setattr(decisions, "_where", as_if)
        return place

    return copy


@pytest.fixture
def on_a_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All files seem to be on a disk, also where those of the tests are in memory (.ci/run)."""
    mounts = tmp_path / "mounts"
    mounts.write_text("disk / ext4 rw 0 0\n")
    monkeypatch.setattr(checks, "_MOUNTS", mounts)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on Spark come first, as one process with a Spark is to have them all, and then the longest."""
    items.sort(
        key=lambda item: ("spark" not in getattr(item, "fixturenames", ()), item.path.stem not in _LONG)
    )


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print("\nskipped tests are failures under CI")
