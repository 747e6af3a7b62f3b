"""A shop as Parquet, CSV and DuckDB file, and a way to run the command in the folder that holds them."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from dpduck.doors.cli import main
from tests.cli.processes import Done, Run

# 2000 baskets; item i is in every (i + 1)-th of them. A basket comes with a day and a buyer's sex.
SHOP = """
CREATE TABLE baskets AS
SELECT basket, item, DATE '2024-01-01' + (basket % 300)::INTEGER AS day,
    CASE WHEN basket % 4 = 0 THEN 'm' ELSE 'f' END AS sex, basket / 7 AS weight
FROM range(2000) AS a(basket), range(20) AS b(item)
WHERE basket % (item + 1) = 0
"""


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three files, made once."""
    folder = tmp_path_factory.mktemp("shop")
    with duckdb.connect(str(folder / "shop.duckdb")) as db:
        db.execute(SHOP)
        db.execute(f"COPY baskets TO '{folder}/baskets.parquet'")
        db.execute(f"COPY baskets TO '{folder}/baskets.csv'")
    return folder


@pytest.fixture
def folder(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own with the three files, which is the working directory."""
    for file in shop.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process."""

    def run_main(*arguments: str) -> Done:
        capfd.readouterr()
        code = main(arguments)
        printed = capfd.readouterr()
        return Done(code, printed.out, printed.err)

    return run_main
