"""A shop whose file is replaced while it is served, version by version."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import duckdb

import dpduck
from tests.gateway import wiring as w

SECONDS = 1_600_000_000  # of the first version's time of writing; each later one is a second younger


class Shop:
    """The served file and its ledger, and later versions of the file beside it."""

    def __init__(self, folder: Path, limit: str = "100000") -> None:
        self.file = w.make_shop(folder / "shop.duckdb", limit)
        os.utime(self.file, (SECONDS, SECONDS))
        w.add_analyst(self.file)
        self._next = folder / "next.duckdb"
        self.number = 0

    def version(self, *statements: str, policies: tuple[str, ...] = ()) -> Path:
        """A copy of the file, changed by SQL and by policy statements, that is not served yet."""
        self.number += 1
        shutil.copy(self.file, self._next)
        with duckdb.connect(str(self._next)) as db:
            for sql in statements:
                db.execute(sql)
        if policies:
            with dpduck.connect(self._next, ledger=f"{self.file}.ledger") as owner:
                for statement in policies:
                    owner.execute(statement)
        os.utime(self._next, (SECONDS + self.number, SECONDS + self.number))
        return self._next

    def take(self, file: Path) -> None:
        file.rename(self.file)
