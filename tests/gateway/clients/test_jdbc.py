"""pgJDBC, in one Java process: questions, prepared statements, rows a few at a time, types and metadata."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.clients.contract import (
    MEDIAN,
    NOISE,
    Answer,
    Refusal,
    Served,
    check_contract,
    check_counts,
)
from tests.gateway.clients.shop import BROKE, PASSWORD

JAR = Path("/usr/share/java/postgresql.jar")
SOURCE = Path(__file__).with_name("Client.java")

if shutil.which("javac") is None or not JAR.exists():
    pytest.skip(
        "Java or pgJDBC is missing (Debian: apt-get install default-jdk-headless libpostgresql-jdbc-java)",
        allow_module_level=True,
    )


def java(served: Served, questions: Sequence[str]) -> dict[str, Any]:
    """What the Java process says of everything that it tries. Input: the questions it asks."""
    url = f"jdbc:postgresql://127.0.0.1:{served.port}/shop"
    quick = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
    done = subprocess.run(
        ["java", *quick, "-cp", str(JAR), str(SOURCE), url, PASSWORD, "jdbc", BROKE, *questions, MEDIAN],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_contract_and_metadata(served: Served) -> None:
    """All in one test: Java takes seconds to start."""
    said: dict[str, Any] = {}
    extra = 1 + 2 + 1  # the last question, a prepared statement twice, one whose rows are fetched in parts

    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        if user == BROKE:
            return [_answer(said["exhausted"])]
        before = served.count("jdbc")
        said.update(java(served, questions))
        assert served.count("jdbc") == before + 3 + extra
        return [_answer(answer) for answer in said["answers"][: len(questions)]]

    check_contract(served, "jdbc", ask, more=extra)
    _check_rows(said)
    _check_types(said)
    _check_metadata(said)


def _answer(said: Any) -> Answer:
    return Refusal(**said) if isinstance(said, dict) else said


def _check_rows(said: dict[str, Any]) -> None:
    assert said["columns"] == "text int8"
    for answer in (said["first"], said["second"]):
        assert [page for page, _ in answer] == ["home", "shop"]
        assert abs(int(answer[0][1]) - 2571) < NOISE
    assert said["quoted"] == [["1"]]
    assert said["fetched"] == 1000
    check_counts(said["few"], ["help", "home", "jobs", "news", "shop"])


def _check_types(said: dict[str, Any]) -> None:
    assert said["big"] == 9007199254740993
    assert said["huge"] == str(2**127 - 1)
    assert said["moment"] == "2024-02-29T12:30:00.123456"
    assert said["instant"] == "2024-02-29T12:30:00Z"
    assert said["day"] == "2024-02-29"
    assert said["code"] == "12345678-1234-5678-1234-567812345678"
    assert said["bytes"] == 4
    assert said["list"] == "[1, null, 3]"
    assert said["null"] is None


def _check_metadata(said: dict[str, Any]) -> None:
    assert said["product"] == "PostgreSQL 15"
    assert said["tables"] == [
        ["kinds", "public"],
        ["pages", "What the site has; public"],
        ["visits", "private: unit visitor"],
    ]
    assert said["details"][:3] == [
        ["visitor", "int8", "-5", "1", "privacy unit"],
        ["page", "text", "12", "2", "domain: IN (home, news, shop, help, jobs)"],
        ["age", "int4", "4", "3", "domain: BETWEEN (0, 120) STEP 1"],
    ]
    assert len(said["details"]) == 6
    assert said["keys"] == [["page", "pages_pkey"]]
    assert {"bool", "int8", "text", "numeric", "timestamptz", "json"} <= {name for (name,) in said["kinds"]}
    assert {"archive", "public", "pg_catalog"} <= {name for (name,) in said["schemas"]}
    assert said["catalogs"] == [["shop"]]
    assert said["indexes"] == [["page"]]
    assert said["foreign"] == []
    assert {"dp_gap", "dp_low"} <= {name for (name,) in said["functions"]}
