"""PHP's PDO: statements that the server prepares, and those that PDO writes itself."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.gateway.clients.contract import Served
from tests.gateway.clients.languages import PROGRAMS, check_program

_LOADED = "exit(extension_loaded('pdo_pgsql') ? 0 : 1);"
if shutil.which("php") is None or subprocess.run(["php", "-r", _LOADED], capture_output=True).returncode:
    pytest.skip("PHP's PDO is missing (Debian: apt-get install php-cli php-pgsql)", allow_module_level=True)


def test_contract_types_and_transaction(served: Served) -> None:
    said = check_program(served, "php", ["php", str(PROGRAMS / "client.php")])
    assert said["kinds"] == {
        "id": 1,
        "big": 9007199254740993,
        "price": "1234.500",
        "flag": True,
        "day": "2024-02-29",
        "list": "{1,NULL,3}",
        "names": '{a,NULL,"it\'s, \\"so\\""}',
        "text": 'it\'s "so", \\',
    }
    assert said["meta"] == ["int4", "int8", "numeric", "bool", "date", "_int4", "_text", "text"]
    assert said["emulated"] == "Start"
    assert said["version"] == "15.0 (dpduck)"
