"""Programs in other languages, one for each library: told PORT USER all|only QUESTION..., they print JSON."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.gateway.clients.contract import NOISE, Answer, Refusal, Served, check_contract
from tests.gateway.clients.shop import BROKE

PROGRAMS = Path(__file__).with_name("languages")
SCHEMA = [  # of the table visits, as information_schema has it
    ["visitor", "bigint"],
    ["page", "text"],
    ["age", "integer"],
    ["day", "date"],
    ["amount", "numeric"],
    ["member", "boolean"],
]
COUNTED = 2  # times that each program runs one prepared statement, each charged


def check_program(
    served: Served, user: str, command: Sequence[str], *, hides: Sequence[str] = ()
) -> dict[str, Any]:
    """Check the contract with a program. Output: what else it said, when it was to do all that it can.

    Input: the parts of an error that it does not show.
    """
    said: dict[str, Any] = {}

    def ask(name: str, questions: Sequence[str]) -> list[Answer]:
        what = "only" if name == BROKE else "all"
        done = subprocess.run(
            [*command, str(served.port), name, what, *questions], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        said.update(told)
        return [_answer(one) for one in told["answers"]]

    check_contract(served, user, ask, hides=hides, more=COUNTED)
    looks: dict[str, Any] = said.get("looks", said)
    assert len(looks["counted"]) == COUNTED
    assert all(abs(count - 3000) < NOISE for count in looks["counted"])
    assert looks["title"] == 'Buy "it"'
    assert looks["inside"] == 3
    assert looks["schema"] == SCHEMA
    return looks


def _answer(said: dict[str, Any]) -> Answer:
    if "rows" in said:
        rows: Sequence[Sequence[Any]] = said["rows"]
        return rows
    if "text" in said:
        return Refusal.of_text(said["text"], said.get("sqlstate"))
    return Refusal(said["sqlstate"], said["message"], said["detail"], said["hint"])
