"""R's DBI and dbplyr, by RPostgreSQL, which shows an error as text; Debian has no package of RPostgres."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.gateway.clients.contract import Refusal, Served, check_hidden
from tests.gateway.clients.languages import PROGRAMS, check_program

_LOADED = "for (name in c('dbplyr', 'RPostgreSQL', 'jsonlite')) loadNamespace(name)"
if (
    shutil.which("Rscript") is None
    or subprocess.run(["Rscript", "-e", _LOADED], capture_output=True).returncode
):
    pytest.skip(
        "R or a package is missing: apt-get install r-cran-dbplyr r-cran-rpostgresql r-cran-jsonlite",
        allow_module_level=True,
    )


def test_contract_and_verbs(served: Served) -> None:
    said = check_program(served, "r", ["Rscript", str(PROGRAMS / "client.R")], hides=["sqlstate"])
    assert said["columns"] == ["visitor", "page", "age", "day", "amount", "member"]
    assert said["tables"] == ["kinds", "numbers", "pages", "visits"]
    check_hidden(Refusal.of_text(said["head"]), hides=["sqlstate"])
