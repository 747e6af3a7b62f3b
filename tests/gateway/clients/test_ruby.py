"""Ruby's pg: prepared statements, types by its map, and COPY."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.gateway.clients.contract import Served
from tests.gateway.clients.languages import PROGRAMS, check_program

if (
    shutil.which("ruby") is None
    or subprocess.run(["ruby", "-rpg", "-e", "1"], capture_output=True).returncode
):
    pytest.skip("Ruby's pg is missing (Debian: apt-get install ruby-pg)", allow_module_level=True)


def test_contract_types_and_copy(served: Served) -> None:
    said = check_program(served, "ruby", ["ruby", str(PROGRAMS / "client.rb")])
    kinds = said["kinds"]
    assert kinds["big"] == 9007199254740993
    assert float(kinds["price"]) == 1234.5
    assert kinds["flag"] is True
    assert kinds["day"] == "2024-02-29"
    assert kinds["list"] == [1, None, 3]
    assert kinds["names"] == ["a", None, 'it\'s, "so"']
    assert said["copied"] == ["home", "news", "shop"]
