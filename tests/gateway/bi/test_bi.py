"""What BI tools send, replayed over real connections: the rows, the refusals, and what each is charged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from dpduck.kernel.ledger import open_ledger
from tests.cli.processes import ROOT
from tests.gateway.bi.shop import PASSWORD, make_shop
from tests.gateway.bi.transcript import Step, Transcript, read, tools
from tests.gateway.serving import serving

psycopg = pytest.importorskip("psycopg")
pq = psycopg.pq

EPSILON = "0.5"  # of each query, where a transcript does not set another
OIDS = {"int4": 23, "int8": 20, "varchar": 1043, "date": 1082, "timestamp": 1114, "timestamptz": 1184}


@dataclass(frozen=True)
class Served:
    """A server that runs, and the file that it serves."""

    file: Path
    port: int

    def charges(self, analyst: str) -> list[Fraction]:
        """Epsilon of each charge of an analyst, oldest first."""
        with open_ledger(f"{self.file}.ledger") as ledger:
            return [e.epsilon for e in ledger.entries() if e.analyst == analyst and e.epsilon]


@dataclass(frozen=True)
class Reply:
    """What came back. `rows`: None if there are none to come; `error`: sqlstate, message, detail, hint."""

    rows: int | None
    error: tuple[str, str, str, str] | None = None

    @property
    def outcome(self) -> str:
        """As transcripts write it."""
        if self.error is not None:
            return f"refused {self.error[0]}"
        return "done" if self.rows is None else f"{self.rows} row{'' if self.rows == 1 else 's'}"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    file = tmp_path_factory.mktemp("bi") / "shop.duckdb"
    make_shop(file, tools())
    with serving(file, "--epsilon", EPSILON, "--quantum", "0", "--quiet") as (port, _):
        yield Served(file, port)


def test_transcripts(served: Served) -> None:
    """One tool after another; each asks with more epsilon, so that none is answered from what others got."""
    wrong = []
    for number, tool in enumerate(tools()):
        wrong += _replay(read(tool), served, Fraction(EPSILON) + Fraction(number, 100))
    assert not wrong, "\n".join(wrong)


def _replay(transcript: Transcript, served: Served, epsilon: Fraction) -> list[str]:
    """Input: what stands for EPSILON. Output: what was not as the transcript says."""
    wrong = []
    with _connected(served, transcript.tool, f"-c dp_epsilon={float(epsilon)}") as connection:
        before = served.charges(transcript.tool)
        for step in transcript.steps:
            reply = _send(connection.pgconn, transcript, step)
            after = served.charges(transcript.tool)
            expected = [] if step.epsilon is None else [Fraction(step.epsilon)]
            expected = [epsilon if charge == Fraction(EPSILON) else charge for charge in expected]
            faults = _faults(step, reply, expected, after[len(before) :])
            wrong += [f"{transcript.tool}, {step.what}: {fault}" for fault in faults]
            before = after
    return wrong


def _connected(served: Served, user: str, options: str = "") -> psycopg.Connection:
    return psycopg.connect(
        host="127.0.0.1",
        port=served.port,
        user=user,
        password=PASSWORD,
        dbname="shop",
        options=options,
        autocommit=True,
    )


def _faults(step: Step, reply: Reply, expected: list[Fraction], charged: list[Fraction]) -> Iterator[str]:
    """What is not as the transcript says."""
    if step.outcome != reply.outcome and not (step.outcome == "rows" and reply.rows):
        yield f"{reply.outcome}, not {step.outcome}: {reply.error}"
    if charged != expected:
        yield f"charged {charged}, not {expected}"
    if reply.error is not None:
        _, message, detail, hint = reply.error
        if not message or not hint or not detail.endswith("Nothing was charged."):
            yield f"an error that does not teach: {reply.error}"


def _send(connection: psycopg.pq.PGconn, transcript: Transcript, step: Step) -> Reply:
    """Send a statement as the tool's driver does: in one message, or parsed, bound and executed."""
    if transcript.protocol == "simple":
        result = connection.exec_(step.sql.encode())
    else:
        values = [value.encode() for _, value in step.parameters]
        types = [OIDS[kind] for kind, _ in step.parameters]
        form = pq.Format.BINARY if transcript.protocol == "binary" else pq.Format.TEXT
        result = connection.exec_params(step.sql.encode(), values, types, result_format=form)
    if result.status == pq.ExecStatus.TUPLES_OK:
        return Reply(result.ntuples)
    if result.status == pq.ExecStatus.COMMAND_OK:
        return Reply(None)
    fields = (
        pq.DiagnosticField.SQLSTATE,
        pq.DiagnosticField.MESSAGE_PRIMARY,
        pq.DiagnosticField.MESSAGE_DETAIL,
        pq.DiagnosticField.MESSAGE_HINT,
    )
    state, message, detail, hint = ((result.error_field(field) or b"").decode() for field in fields)
    return Reply(None, (state, message, detail, hint))


def test_every_tool_is_charged_refused_and_refreshed() -> None:
    """Each transcript has charts, a preview that is refused, and a question that is asked again for free."""
    for tool in tools():
        steps = read(tool).steps
        questions = [step.what for step in steps if step.epsilon is not None]
        again = [
            step for step in steps if "again" in step.what or "refreshed" in step.what or "same" in step.what
        ]
        assert len(questions) >= 3, tool
        assert any(step.outcome == "refused 0A000" for step in steps), tool
        assert any(step.epsilon is None and not step.outcome.startswith("refused") for step in again), tool


def test_page_about_bi_tools(served: Served) -> None:
    """The SQL on the page is answered, by a server that has the tables of the transcripts."""
    text = (ROOT / "docs" / "BI.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```sql\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    statements = [
        statement.strip() for block in blocks for statement in block.split(";") if statement.strip()
    ]
    assert len(statements) >= 5
    with _connected(served, tools()[0]) as connection:
        for statement in statements:
            assert connection.execute(statement.encode()).fetchall(), statement
