"""Public names are loaded when they are used, and are those that type checkers see."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import dpduck


def declared() -> dict[str, str]:
    """The module of each name, as it is imported for type checkers alone."""
    tree = ast.parse(Path(str(dpduck.__file__)).read_text())
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    return {
        name.name: str(node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }


def test_each_is_what_type_checkers_see() -> None:
    assert {*declared(), "load_ipython_extension"} == set(dpduck.__all__) <= set(dir(dpduck))
    for name, home in declared().items():
        assert getattr(dpduck, name) is getattr(import_module(home), name)
    with pytest.raises(AttributeError, match="has no attribute 'connekt'"):
        dpduck.connekt  # noqa: B018


@pytest.mark.parametrize("name", ["kernel.errors", "doors.connection", "doors.extension", "doors.stream"])
def test_the_modules_that_have_them_are_attributes(name: str) -> None:
    script = f"import sys, dpduck; assert dpduck.{name.partition('.')[2]} is sys.modules['dpduck.{name}']"
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)


def test_one_part_loads_no_other() -> None:
    loaded = "[m for m in sys.modules if m.startswith('dpduck.compiler')]"
    script = f"import sys, dpduck.kernel.ledger.session; print({loaded})"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"[]\n"
