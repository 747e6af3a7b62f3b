"""node's pg: questions, parameters, prepared statements and types."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.clients.contract import (
    FRESH,
    NOISE,
    TOP,
    Answer,
    Refusal,
    Served,
    check_contract,
    check_counts,
)

SCRIPT = Path(__file__).parent / "node" / "pg.js"


def _is_missing() -> bool:
    node = shutil.which("node")
    return node is None or bool(subprocess.run([node, "-e", "require('pg')"], capture_output=True).returncode)


if _is_missing():
    pytest.skip(
        "node or its package pg is not found: npm install pg, and set NODE_PATH", allow_module_level=True
    )


def node(served: Served, *asked: tuple[str, Sequence[str | dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """Ask with one process. Input: who asks what."""
    where = {"host": "127.0.0.1", "port": served.port, "database": "shop", "options": FRESH}
    runs = [{"connection": {**where, "user": user}, "questions": questions} for user, questions in asked]
    done = subprocess.run(
        ["node", str(SCRIPT)],
        input=json.dumps(runs),
        capture_output=True,
        text=True,
        timeout=30,
        env=os.environ,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_contract(served: Served) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        return [_answer(said) for said in node(served, (user, questions))[0]]

    check_contract(served, "node", ask)


def _answer(said: dict[str, Any]) -> Answer:
    if "code" in said:
        return Refusal(said["code"], said["message"], said.get("detail"), said.get("hint"))
    return [list(row.values()) for row in said["rows"]]


def test_parameters_and_types(served: Served) -> None:
    before = served.count("node")
    counted = "SELECT count(*) AS n FROM visits WHERE age < $1 AND page = ANY($2) AND day >= $3"
    values = [48, ["home", "shop"], "2024-01-01"]
    prepared = {"name": "pages", "text": "SELECT title FROM pages WHERE page = $1", "values": ["shop"]}
    (answers,) = node(
        served,
        (
            "node",
            [
                {"text": counted, "values": values},
                prepared,
                prepared,
                "SELECT * FROM kinds ORDER BY id",
                {"name": "top", "text": TOP},
                "BEGIN",
                "COMMIT",
            ],
        ),
    )
    assert abs(int(answers[0]["rows"][0]["n"]) - 3000) < NOISE
    assert [answer["rows"] for answer in answers[1:3]] == [[{"title": 'Buy "it"'}]] * 2
    first, second = answers[3]["rows"]
    assert first["list"] == [1, None, 3]
    assert first["doc"] == {"a": [1, None]}
    assert first["flag"] is True
    assert first["big"] == "9007199254740993"
    assert first["instant"] == "2024-02-29T12:30:00.000Z"
    assert first["span"] == {"months": 1, "days": 2, "hours": 3}
    assert first["bytes"] == {"type": "Buffer", "data": [0, 255, 97, 98]}
    assert second == {**dict.fromkeys(first), "id": 2}
    check_counts([list(row.values()) for row in answers[4]["rows"]], ["home", "news", "shop"])
    assert [answer["command"] for answer in answers[5:]] == ["BEGIN", "COMMIT"]
    assert served.count("node") == before + 2
