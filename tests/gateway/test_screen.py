"""The gateway in docs/GATEWAY.md is the gateway: commands are typed at a terminal, queries into psql."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

import dpduck
from tests.gateway.serving import ENVIRONMENT, let_in, serving
from tests.test_readme import NUMBER, PEOPLE, ROOT

PASSWORD = "correct horse"
SURROUNDINGS = {**ENVIRONMENT, "NO_COLOR": "1"}
PAGE = (ROOT / "docs" / "GATEWAY.md").read_text(encoding="utf-8")
BLOCKS = re.search(r"<!-- gateway -->(.*?)<!-- /gateway -->", PAGE, re.DOTALL)


def blocks() -> list[str]:
    assert BLOCKS is not None
    return re.findall(r"^```console\n(.*?)^```$", BLOCKS[1], re.DOTALL | re.MULTILINE)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    file = tmp_path / "shop.duckdb"
    with duckdb.connect(str(file)) as con:
        con.execute(PEOPLE)
        con.execute("ALTER TABLE people RENAME id TO visitor")
        con.execute("ALTER TABLE visits ALTER person SET NOT NULL")
    with dpduck.connect(file) as db:
        for statement in (
            "ALTER TABLE people ADD PRIVACY_KEY (visitor)",
            "ALTER TABLE visits ADD PRIVACY_LINK (person) REFERENCES people(visitor)",
            "ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'news', 'shop', 'jobs')",
        ):
            db.execute(statement)
    return file


def typed(command: list[str], folder: Path, answers: list[str]) -> str:
    """What a command shows at a terminal of its own, where each question is answered."""
    screen, terminal = pty.openpty()
    # setsid makes the terminal the one that a password is asked at.
    with subprocess.Popen(
        ["setsid", "-c", "-w", *command],
        cwd=folder,
        env=SURROUNDINGS,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    ):
        os.close(terminal)
        seen = b""
        with suppress(OSError):  # how Linux says that the other side is closed
            while part := os.read(screen, 1000):
                seen += part
                if answers and seen.rstrip(b" ").endswith(b":"):
                    os.write(screen, answers.pop(0).encode() + b"\n")
    os.close(screen)
    return seen.decode().replace("\r\n", "\n")


def masked(screen: str) -> list[str]:
    """A screen without its random numbers, and without the blanks that depend on how wide they are."""
    lines = [" ".join(NUMBER.sub(" #", line).replace("-", "").split()) for line in screen.splitlines()]
    return [line for line in lines if line]


@pytest.mark.skipif(shutil.which("setsid") is None, reason="setsid is not installed")
def test_the_readme_shows_who_may_log_in(shop: Path) -> None:
    [first, *rest] = blocks()[0].splitlines()
    assert first == "$ dpduck analyst add shop.duckdb ana"
    command = [sys.executable, "-m", "dpduck", *first.split()[2:]]
    seen = typed(command, shop.parent, [PASSWORD, PASSWORD])
    assert [line.rstrip() for line in seen.splitlines()] == rest[:3]


@pytest.mark.clients
@pytest.mark.skipif(shutil.which("psql") is None, reason="psql is not installed")
def test_the_readme_shows_psql(shop: Path) -> None:
    let_in(shop, "ana", PASSWORD)
    assert blocks()[0].splitlines()[-1] == "listening on 127.0.0.1:5433"
    [command, *screen] = blocks()[1].splitlines()
    asked = [line.removeprefix("shop=> ") for line in screen if line.startswith("shop=> ")]
    with serving(shop, "--epsilon", "0.5", "--quiet") as (port, _):
        done = subprocess.run(
            ["psql", "-X", "-P", "pager=off", command.split('"')[1].replace("5433", str(port))],
            input="\n".join(asked) + "\n",
            env={**os.environ, "PGPASSWORD": PASSWORD},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    shown = [line for line in screen if not line.startswith("shop=> ")]
    assert [line for line in masked(done.stdout) if line] == [
        line for line in masked("\n".join(shown)) if line
    ]
