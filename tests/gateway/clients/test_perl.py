"""Perl's DBI with DBD::Pg: placeholders, hashes of rows, and what it says of tables and columns."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.gateway.clients.contract import Served
from tests.gateway.clients.languages import PROGRAMS, check_program

if (
    shutil.which("perl") is None
    or subprocess.run(["perl", "-MDBD::Pg", "-e", "1"], capture_output=True).returncode
):
    pytest.skip("DBD::Pg is missing (Debian: apt-get install libdbd-pg-perl)", allow_module_level=True)


def test_contract_types_and_schema(served: Served) -> None:
    said = check_program(served, "perl", ["perl", str(PROGRAMS / "client.pl")])
    kinds = said["kinds"]
    assert kinds["big"] == 9007199254740993
    assert kinds["huge"] == str(2**127 - 1)
    assert kinds["list"] == [1, None, 3]
    assert kinds["names"] == ["a", None, 'it\'s, "so"']
    assert kinds["span"] == "1 mon 2 days 03:00:00"
    assert said["tables"] == ["kinds", "pages", "visits"]
    assert said["columns"]["visitor"] == ["bigint", 0]
    assert said["columns"]["amount"] == ["numeric", 1]
    assert said["key"] == ["page"]
