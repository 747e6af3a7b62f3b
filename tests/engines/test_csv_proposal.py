"""What is proposed for a CSV file is counted for many columns in one pass over its first lines."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from dpduck.engines.duckdb import csv_proposal
from dpduck.engines.duckdb.csv_proposal import ProposedFormat, propose_format
from dpduck.kernel.catalog.csv_format import CsvWords

VALUES = ("7", "007", "31/12/2024", "1,5", "31.12.2024 10:30", "yes", "Köln", "NA")


class Counted:
    """A connection that counts its passes over the lines."""

    def __init__(self) -> None:
        self._connection = duckdb.connect()
        self.passes = 0

    def execute(self, sql: str, *values: object) -> duckdb.DuckDBPyConnection:
        self.passes += "count(" in sql
        return self._connection.execute(sql, *values)

    @property
    def description(self) -> list[tuple[str, ...]]:
        return self._connection.description


def proposed(folder: Path, values: list[str]) -> tuple[ProposedFormat, int]:
    """What is proposed for a file of such columns, and in how many passes."""
    names = ";".join(f"c{place}" for place in range(len(values)))
    (folder / "t.csv").write_text("\n".join([names, *[";".join(values)] * 40]), encoding="utf-8")
    counted = Counted()
    found = propose_format(counted, str(folder / "t.csv"), CsvWords())  # type: ignore[arg-type]
    assert found is not None
    return found, counted.passes


@pytest.mark.parametrize(("value", "passes"), [("7", 1), ("1.5", 0), ("31/12/2024", 1), ("Köln", 8)])
def test_a_hundred_columns_take_few_passes(tmp_path: Path, value: str, passes: int) -> None:
    found, taken = proposed(tmp_path, [value] * 100)
    assert (len(found.format.columns), taken) == (100, passes)


def test_in_few_passes_the_same_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [value for value in VALUES for _ in range(9)]
    few = proposed(tmp_path, columns)
    monkeypatch.setattr(csv_proposal, "_MOST_WAYS", 1)
    alone = proposed(tmp_path, columns)
    assert few[0] == alone[0]
    assert few[0].remarks and few[1] < 12 < 72 <= alone[1]
