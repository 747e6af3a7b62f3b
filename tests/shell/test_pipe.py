"""`dpduck shell` with statements from a pipe, as a process."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from dpduck.doors.cli import main
from dpduck.kernel.ledger import open_ledger
from tests.cli.processes import Done, finish, start
from tests.sources import HALF, Quiet

EPSILON = ("--epsilon", "0.5")
COUNT = "SELECT count(*) AS n FROM visits"

# A query that takes for ever, interrupted once it runs: after the charge.
# A job in the background of a script would ignore Ctrl-C, and so would all that it starts.
ENDLESS = """
import os, signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
import dpduck.engines.duckdb.engine as engine
from dpduck.engines.duckdb.engine import DuckReader
def endless(self, query, given=None):
    engine.sql = str
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    return read(self, "SELECT count(*) FROM range(100000000) a(i), range(100000000) b(j) WHERE i * j % 7 = 3")
read, DuckReader.read = DuckReader.read, endless
"""
WITHOUT_EXTRAS = """
import sys
sys.modules["prompt_toolkit"] = sys.modules["rich"] = None
"""


Pipe = Callable[..., Done]


def process(folder: Path, text: str, *arguments: str, script: str = "") -> Done:
    """The command as a process of its own."""
    started = start("shell", "shop.duckdb", *arguments, folder=folder, script=script, stdin=subprocess.PIPE)
    return finish(started, text.encode())


@pytest.fixture
def piped(folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Pipe:
    """The command in this process."""

    def run(text: str | bytes, *arguments: str, file: str = "shop.duckdb") -> Done:
        content = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), "utf-8"))
        code = main(["shell", file, *arguments])
        return Done(code, *capfd.readouterr())

    return run


def test_statements_run_in_order_and_data_alone_is_printed(folder: Path) -> None:
    text = (
        f"{COUNT};\nSELECT ';' AS a; SET dp_epsilon = 0.25;\nSELECT count(*) AS m\nFROM visits WHERE age > 30"
    )
    done = process(folder, text, *EPSILON, "--format", "json", script=WITHOUT_EXTRAS)
    assert done.code == 0
    assert [line.partition(",")[0] for line in done.err.splitlines()] == [
        line
        for n, error in (("n", 6), ("m", 12))
        for line in (f"{n} ± {error} (95 %)", f"{n} counts distinct visitor")
    ]
    first, second, third = (json.loads(line) for line in done.out.splitlines())
    assert (list(first[0]), second, list(third[0])) == (["n"], [{"a": ";"}], ["m"])
    with open_ledger("shop.duckdb.ledger") as ledger:
        assert [entry.epsilon for entry in ledger.entries("cli")] == [Fraction(1, 2), Fraction(1, 4)]


def test_it_stops_at_the_first_error(piped: Pipe) -> None:
    done = piped("SELECT 1 AS a; SELECT max(nix) FROM visits; SELECT 2 AS b;", "--format", "csv")
    assert (done.code, done.out) == (1, "a\r\n1\r\n")
    assert done.err.startswith("table visits has no column nix\nLINE 1: SELECT max(nix) FROM visits\n")


def test_a_share_makes_it_refuse(piped: Pipe) -> None:
    done = piped(f".confirm 0.2\n{COUNT};", *EPSILON, "--budget", "1")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("query takes more than 20 % of what is left\n")


def test_nothing_is_asked_of_a_pipe(piped: Pipe) -> None:
    done = piped(f"{COUNT};", *EPSILON, "--budget", "0.5", "--format", "csv")
    assert (done.code, done.err.count("\n")) == (0, 2)  # the error, and a notice of what is counted
    again = piped("SELECT median(age) FROM visits;", *EPSILON)
    assert (again.code, again.err.splitlines()[0]) == (1, "query needs epsilon 0.5 but none remains")


def test_an_answer_that_is_noise_says_so(piped: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpduck.answers.service.SystemEntropy", lambda: Quiet(HALF))
    mean = "SELECT avg(age) AS mean FROM visits WHERE visitor < 0;"
    done = piped(f"{mean}\n.why", *EPSILON, "--format", "csv")
    mean, whole = done.out.splitlines()[0], " ".join(done.out.split()[1:])
    assert (done.code, mean) == (0, "mean")
    assert "Noise hides mean. (.why)" in done.err.replace("\n", " ")
    assert whole.startswith("NULL stands for mean, as noise is as large as the number of values. ")


def test_a_question_that_was_answered_costs_nothing(piped: Pipe) -> None:
    done = piped(f"{COUNT}; {COUNT};", *EPSILON, "--budget", "0.5", "--format", "csv")
    first, again = done.out.split("n\r\n")[1:]
    assert (done.code, first) == (0, again)
    assert "; nothing was charged. n counts" in done.err


def test_an_analyst_sets_no_policies(piped: Pipe) -> None:
    done = piped("ALTER TABLE visits SET PUBLIC;", "--analyst", "ana")
    assert (done.code, done.err.splitlines()[0]) == (1, "only the data owner sets policies")


def test_a_file_says_whose_rows_it_has(piped: Pipe, folder: Path) -> None:
    (folder / "visits.csv").write_text("visitor,page\n1,home\n2,news\n")
    done = piped("SELECT 1;", *EPSILON, file="visits.csv")
    assert (done.code, done.out) == (2, "")
    assert "HINT: Add --unit COLUMN" in done.err
    pages = "SELECT page, count(*) FROM visits GROUP BY page;"
    done = piped(pages, "--unit", "visitor", *EPSILON, file="visits.csv")
    as_text = "if its numbers are read as text of a CSV file, with --decimal , for 1,5"
    number = f"(--type page=DOUBLE, {as_text})"
    assert (
        f"HINT: Start again with --domain page=...,... {number}, or SET dp_delta = 1e-6 and --groups 5. "
        "Write values that are known without looking at the data." in done.err
    )
    done = piped("ALTER TABLE visits SET PUBLIC;", "--unit", "visitor", file="visits.csv")
    assert done.err.startswith("no policy can be stored in visits\n")


def test_text_that_is_not_utf_8(piped: Pipe) -> None:
    done = piped(b"SELECT '\xff';")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("the text on standard input is not UTF-8\n")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_stops_the_query_and_the_charge_stays(folder: Path) -> None:
    done = process(folder, f"{COUNT}; SELECT 1;", *EPSILON, script=ENDLESS)
    assert (done.code, done.out) == (130, "")
    assert done.err == (
        "cancelled\nDETAIL: The charge stays: how much was read before it stopped can no longer be told. "
        "Epsilon 0.5 was charged.\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")
def test_without_the_extra_the_prompt_says_what_to_install(folder: Path) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "r+b", buffering=0) as terminal:
        started = start(
            "shell",
            "shop.duckdb",
            folder=folder,
            script=WITHOUT_EXTRAS,
            stdin=terminal.fileno(),
            stdout=terminal,
        )
        done = finish(started)
    os.close(ours)
    assert (done.code, done.err) == (
        1,
        "the interactive shell needs prompt_toolkit\n"
        "DETAIL: It is not installed; statements from a pipe need nothing more. Nothing was charged.\n"
        "HINT: pip install 'dpduck[shell]'\n",
    )
    assert not list(folder.glob("*.ledger"))
