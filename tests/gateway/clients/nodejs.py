"""Tools that run on Node: each is a module in the folder node/, of which run.js makes one process."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.clients.contract import FRESH, Answer, Refusal, Served, check_contract
from tests.gateway.clients.shop import BROKE, PASSWORD

SCRIPTS = Path(__file__).with_name("node")


def need_packages(*names: str) -> None:
    """Skip the module that asks if Node or one of its packages is missing."""
    node = shutil.which("node")
    wanted = "".join(f"require.resolve({name!r});" for name in names)
    if node is None or subprocess.run([node, "-e", wanted], capture_output=True).returncode:
        pytest.skip(
            f"node or a package is not found: npm install {' '.join(names)}, and set NODE_PATH",
            allow_module_level=True,
        )


class NodeTool:
    """One tool, and what it said when it looked around: its module's `looks`, by name."""

    def __init__(self, served: Served, name: str, options: str = FRESH) -> None:
        self._served = served
        self._name = name
        self._options = options
        self._said: dict[str, dict[str, Any]] = {}

    def ask(self, user: str, *questions: str) -> list[Answer]:
        """What it answers to questions of SQL."""
        return [_answer(said) for said in self._run(user, questions, ())["answers"]]

    def check_contract(self, looks: Sequence[str], charged: int, hides: Sequence[str] = ()) -> None:
        """Check the contract, and let the tool look around. Input: how many of the looks are charged."""

        def ask(user: str, questions: Sequence[str]) -> list[Answer]:
            done = self._run(user, questions, () if user == BROKE else looks)
            self._said |= done["looks"]
            return [_answer(said) for said in done["answers"]]

        check_contract(self._served, self._name, ask, hides=hides, more=charged)

    def look(self, looks: Sequence[str]) -> None:
        """Let the tool look around, without the contract's questions."""
        self._said |= self._run(self._name, (), looks)["looks"]

    def saw(self, look: str) -> Any:
        """What a look gave."""
        said = self._said[look]
        assert "error" not in said, said
        return said.get("value")

    def refused(self, look: str) -> Refusal:
        """How a look was refused."""
        said = _answer(self._said[look])
        assert isinstance(said, Refusal), said
        return said

    def _run(self, user: str, questions: Sequence[str], looks: Sequence[str]) -> Any:
        where = {"host": "127.0.0.1", "port": self._served.port, "database": "shop"}
        connection = {**where, "user": user, "password": PASSWORD, "options": self._options}
        done = subprocess.run(
            ["node", str(SCRIPTS / "run.js"), self._name],
            input=json.dumps([{"connection": connection, "questions": questions, "looks": looks}]),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)[0]


def _answer(said: dict[str, Any]) -> Answer:
    error = said.get("error")
    if error is None:
        rows: Sequence[Sequence[Any]] = said["value"]
        return rows
    return Refusal(error.get("code"), error["message"], error.get("detail"), error.get("hint"))
