"""A limit of memory is kept: what does not fit is kept on disk meanwhile, where nobody else reads it."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.engines.duckdb.temp_directory import spill_folder
from dpduck.engines.source import open_source
from dpduck.kernel.errors import ParameterError
from tests.depth import part

ROOT = Path(__file__).parents[2]
PERSONS = 6_000_000
LIMIT = 250  # MB, of which the grouping of all persons would take several times as much
BOUND = LIMIT + 300  # MB: Python, DuckDB and pyarrow alone take 130, and DuckDB's limit is not of all it has
# A key of 32 bytes for each person and row. Without a limit the peak is 870 MB.
ROWS = f"SELECT md5(range::VARCHAR) AS person, range % 3 AS page FROM range({PERSONS})"
SCRIPT = """
import os, stat, sys, threading
from pathlib import Path
import dpduck
from dpduck.engines.duckdb.temp_directory import spill_folder
from dpduck.kernel.catalog.statements import AddPrivacyKey, DomainValues, SetPrivacyDomain, TableName

path, memory = sys.argv[1:]
folder, modes, spilled, done = spill_folder().parent, set(), [0], threading.Event()

def watch():
    while not done.wait(0.02):
        modes.add(stat.S_IMODE(folder.stat().st_mode))
        found = [os.path.getsize(file) for file in folder.rglob("*.tmp") if file.exists()]
        spilled[0] = max(spilled[0], sum(found))

threading.Thread(target=watch, daemon=True).start()
t = TableName("data")
policies = [AddPrivacyKey(t, "person"), SetPrivacyDomain(t, "page", DomainValues(("0", "1", "2")))]
try:
    given = policies if not path.endswith("duckdb") else ()
    with dpduck.connect(path, epsilon=1, policies=given, memory=memory) as db:
        db.execute("SET dp_replay = off")
        rows = db.execute("SELECT page, count(*) FROM data GROUP BY page").fetchall()
        print("rows", sum(n for _, n in rows))
except dpduck.DpduckError as error:
    print(error)
done.set()
print("spilled", spilled[0] // 2**20, "modes", *map(oct, modes))
(peak,) = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line]
print("peak", int(peak) // 1024)
print("left", sum(1 for file in folder.rglob("*") if file.is_file()), "folder", folder)
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="peaks are measured as on Linux"),
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same rows as a folder of Parquet files, a Parquet file and a database."""
    folder = tmp_path_factory.mktemp("memory")
    with duckdb.connect(str(folder / "data.duckdb")) as db:
        db.execute(f"CREATE TABLE data AS {ROWS}")
        db.execute(f"COPY data TO '{folder}/data.parquet'")
        (folder / "data").mkdir()
        for page in range(3):
            db.execute(f"COPY (FROM data WHERE page = {page}) TO '{folder}/data/{page}.parquet'")
    with dpduck.connect(folder / "data.duckdb") as owner:
        owner.execute("ALTER TABLE data ADD PRIVACY_KEY (person)")
        owner.execute("ALTER TABLE data ALTER COLUMN page SET PRIVACY DOMAIN IN (0, 1, 2)")
    return folder


def measured(path: Path, memory: str, temporary: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), str(path), memory],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def number(name: str, text: str) -> int:
    found = re.search(rf"^{name} (\d+)", text, re.MULTILINE)
    assert found is not None, text
    return int(found[1])


@pytest.mark.parametrize("source", part(["data", "data.parquet", "data.duckdb"], 3))
def test_a_grouping_larger_than_the_limit_keeps_it(data: Path, tmp_path: Path, source: str) -> None:
    said = measured(data / source, f"{LIMIT}MB", tmp_path)
    assert abs(number("rows", said) - PERSONS) < 200
    assert number("spilled", said) > 50
    assert "modes 0o700" in said
    assert number("peak", said) < BOUND
    assert number("left", said) == 0
    assert list(tmp_path.iterdir()) == []  # and the folder is gone with the process


# DuckDB 1.5 reads all texts of a file when it is opened, and needs some memory for that already.
LITTLE = "50MB" if duckdb.__version__.startswith("1.") else "20MB"


def test_a_limit_that_is_too_small_says_so_and_the_charge_stays(data: Path, tmp_path: Path) -> None:
    said = measured(data / "data", LITTLE, tmp_path)
    assert said.startswith(
        "query failed while reading private data\n"
        "DETAIL: The cause is withheld because it may quote a private value. Epsilon 1 was charged.\n"
        f"HINT: If {LITTLE} of memory may be too little, raise that limit. Ask the data owner, "
    )
    assert list(tmp_path.iterdir()) == []


def test_the_folder_is_for_its_owner_only_and_each_database_has_its_own() -> None:
    one, two = spill_folder(), spill_folder()
    assert one != two
    assert one.parent == two.parent
    assert stat.S_IMODE(one.parent.stat().st_mode) == 0o700


def test_the_limit_and_the_folder_are_set(tmp_path: Path) -> None:
    with duckdb.connect() as db:
        db.sql("SELECT 1 AS person").write_parquet(str(tmp_path / "a.parquet"))
    db = open_source(tmp_path / "a.parquet", read_only=True, memory="1GB").connection
    limit, folder = db.execute(
        "SELECT current_setting('memory_limit'), current_setting('temp_directory')"
    ).fetchall()[0]
    assert limit == "953.6 MiB"
    assert Path(folder).parent == spill_folder().parent


@pytest.mark.parametrize("size", ["", "0GB", "2", "2 GB", "-1GB", "2gb", "1e3MB"])
def test_what_is_no_size_is_refused(tmp_path: Path, size: str) -> None:
    with duckdb.connect() as db:
        db.sql("SELECT 1 AS person").write_parquet(str(tmp_path / "a.parquet"))
    with pytest.raises(ParameterError, match="is not a size of memory"):
        dpduck.connect(tmp_path / "a.parquet", memory=size)


def test_to_import_it_takes_little_more_than_what_it_is_made_of() -> None:
    peaks = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    alone, whole = (
        int(subprocess.check_output([sys.executable, "-c", f"import {names}; {peaks}"], cwd=ROOT))
        for names in ("duckdb, numpy, pyarrow, sqlglot, flint", "dpduck")
    )
    assert whole < alone + 50  # MB
