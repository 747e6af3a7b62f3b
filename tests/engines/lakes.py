"""DuckLakes for tests: a process that writes to one, and the extensions that read it.

The extensions must be of the version of the package duckdb. They are looked for in the folder that
DUCKDB_SHELL names (pip install --no-deps --target FOLDER duckdb-extension-ducklake==1.5.5
duckdb-extension-sqlite-scanner==1.5.5), then among the packages.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path

import duckdb

NAMES = ("ducklake", "sqlite_scanner")
_FOLDERS = (Path(os.environ.get("DUCKDB_SHELL", "nowhere")), Path(sysconfig.get_path("purelib")))

PEOPLE = """
CREATE TABLE people (id BIGINT NOT NULL, city VARCHAR, age INTEGER);
INSERT INTO people
SELECT range, ['aachen', 'bonn', 'celle'][1 + range % 3], (range % 90)::INTEGER FROM range(600);
CREATE TABLE cities AS SELECT unnest(['aachen', 'bonn', 'celle']) AS city, unnest([1, 2, 3]) AS size
"""
POLICIES = (
    "ALTER TABLE people ADD PRIVACY_KEY (id)",
    "ALTER TABLE people ALTER COLUMN city SET PRIVACY DOMAIN IN ('aachen', 'bonn', 'celle')",
    "ALTER TABLE cities SET PUBLIC",
    "CREATE PRIVACY BUDGET everyone LIMIT 100000",
)


def find(name: str) -> Path | None:
    """An extension as a package has it."""
    pattern = f"duckdb_extension_{name}/extensions/v{duckdb.__version__}/*"
    return next((found for folder in _FOLDERS for found in folder.glob(pattern)), None)


def install(home: Path, *names: str) -> None:
    """Let DuckDB find extensions in a folder that is the home of this process."""
    with duckdb.connect() as db:
        kind = str(db.sql("PRAGMA platform").fetchall()[0][0])
    place = home / ".duckdb" / "extensions" / f"v{duckdb.__version__}" / kind
    place.mkdir(parents=True, exist_ok=True)
    for name in names:
        found = find(name)
        assert found is not None
        shutil.copy(found, place)


class Writer:
    """Whoever writes to a lake, by DuckDB alone, in the folder of its catalog.

    Input: the catalog; `store`: sqlite or duckdb. `files`: where its files are, from that folder.
    """

    def __init__(self, catalog: Path, store: str = "sqlite") -> None:
        self.catalog, self.store = catalog, store
        self.files = Path(f"{catalog.stem}_files")

    def write(self, *statements: str) -> None:
        """Run statements on the lake, and let go of it. Each is a snapshot of its own."""
        with self.open() as lake:
            for sql in statements:
                lake.execute(sql)

    def open(self) -> duckdb.DuckDBPyConnection:
        """A connection whose database is the lake."""
        lake = duckdb.connect()
        for name in NAMES:
            lake.execute(f"LOAD {name}")
        place = f"ducklake:{'sqlite:' if self.store == 'sqlite' else ''}{self.catalog}"
        lake.execute(f"ATTACH '{place}' AS lake (DATA_PATH '{self.files}/')")
        lake.execute("USE lake")
        return lake
