"""Folders whose Parquet files are parts of a table of another format, which alone says which of them count.

A Delta or Iceberg table keeps files of earlier versions, and rows that were deleted, beside those of today.
To read all files of its folder would count people who are gone.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dpduck.errors import PolicyError


def check_no_table(files: Iterable[str]) -> None:
    """Check the folders that files are in, by names alone: a table has its log beside or above them.

    Errors: PolicyError if one is of a Delta or Iceberg table.
    """
    folders = {folder for file in files for folder in Path(file).resolve().parents}
    for folder in sorted(folders):
        kind = _kind(folder)
        if kind is not None:
            raise PolicyError(
                f"the files in {folder} are of a table of {kind}",
                detail="Which of them count, and which of their rows are deleted, only its log says.",
                hint="Copy the table to a DuckLake, or to Parquet files in a folder of their own.",
            )


def _kind(folder: Path) -> str | None:
    if (folder / "_delta_log").is_dir():
        return "Delta"
    if next((folder / "metadata").glob("*.metadata.json"), None) is not None:
        return "Iceberg"
    return None
