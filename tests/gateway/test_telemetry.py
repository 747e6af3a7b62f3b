"""The log and the counts: what they say, and that neither holds a value."""

from __future__ import annotations

import logging
import urllib.request

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpduck.compiler.parse.split import split
from dpduck.doors.gateway.execution import StatementOutcome
from dpduck.doors.gateway.telemetry import MOST_TEXT, Telemetry, masked
from dpduck.kernel.errors import UNKNOWN, SqlSyntaxError


def shown(text: str) -> str:
    return " ; ".join(masked(piece) for piece in split(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('SELECT a.b, "C d" FROM t', 'SELECT a.b, "C d" FROM t'),
        ("SELECT  count(*)\n\tFROM t\n GROUP  BY x", "SELECT count(*) FROM t GROUP BY x"),
        ("SELECT x -- Ana\n, /* Bob */ y", "SELECT x , y"),
        ("SELECT 1, 2.5, .5, 5., 1e5, 1.5e-3, -3", "SELECT ?, ?, .?, ?, ?, ?, -?"),
        ("SELECT 1_000, 0x1F, 0b101, 0o17, 12abc", "SELECT ?, ?, ?, ?, ?"),
        ("SELECT 'a', 'it''s', E'it\\'s', x'AB', b'01'", "SELECT ?, ?, ?, x?, b?"),
        ("SELECT $$a$$, $t$a; b$t$, N'a', r'a'", "SELECT ?, ?, ?, r?"),
        ("SELECT 'a' 'b', 'a'::INT, ['a'], {'k': 'v'}", "SELECT ? ?, ?::INT, [?], {?: ?}"),
        ("SELECT $1, $2, ?", "SELECT $?, $?, ?"),
        ("SELECT DATE '2020-01-01', INTERVAL 3 DAY", "SELECT DATE ?, INTERVAL ? DAY"),
        ("SET a.b = 'x'; FETCH 7 FROM c", "SET a.b = ? ; FETCH ? FROM c"),
        # $1 makes dollar-quoted texts unreadable: where one begins, the rest is left out.
        ("SELECT $$Ana$$, $1", "SELECT ?"),
        ("SELECT x FROM t WHERE n = $$Ana $5 Bob$$", "SELECT x FROM t WHERE n = ?"),
        ("SELECT $t$Ana$t$ ; SELECT $1", "SELECT ? ; SELECT $?"),
    ],
)
def test_literals_are_masked(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_a_long_text_is_cut() -> None:
    assert len(shown(f"SELECT {', '.join(f'column{n}' for n in range(1_000))}")) == MOST_TEXT


SECRET = "Zaphod7319"
PLACES = [
    "'{}'", "'it''s {}'", "E'{}'", "E'\\'{}'", "N'{}'", "x'{}'", "b'{}'", "U&'{}'", "$${}$$", "$tag${}$tag$",
    "'{}'::VARCHAR", "DATE '{}'", "['{}']", "{{'{}': 1}}", "7319", "7319.5", "0.7319", "7_319", "0x7319",
    "1e7319", "-7319", "7319Zaphod", "7319e5Zaphod", "/* {} */ 1", "1 -- {}\n", "'a' '{}'", "('{}')",
]  # fmt: skip
AROUND = [
    "SELECT {}",
    "SELECT count(*) FROM people WHERE name = {}",
    "SELECT $1, {}",
    "SELECT {}, $2 ",
    "SET a.b = {}",
    "FETCH {} FROM c",
    "CALL f({})",
    "COPY (SELECT {}) TO STDOUT",
    "SHOW {}",
    "PREPARE s AS SELECT {}",
    "SELECT 1; SELECT {}; SELECT 2",
    "EXPLAIN ANALYZE SELECT {}",
    "SELECT '$1' || {}",
]


@pytest.mark.parametrize("around", AROUND)
def test_a_secret_is_in_no_log_line(around: str) -> None:
    for place in PLACES:
        for more in ("", ", $3", ", $$x$$", ", 'y'"):
            text = around.format(place.format(SECRET) + more)
            try:
                said = shown(text)
            except SqlSyntaxError:
                continue  # such a text is not logged at all
            assert "Zaphod" not in said, text
            assert "319" not in said, text


@given(
    st.lists(
        st.sampled_from(
            ["SELECT", "x", '"y"', "$1", ",", "(", ")", "=", ";", "$", "--\n", "/*", "*/", "'", "\\", " "]
        )
        | st.sampled_from(PLACES).map(lambda place: place.format(SECRET)),
        max_size=12,
    )
)
def test_a_secret_in_a_literal_is_in_no_log_line(parts: list[str]) -> None:
    try:
        pieces = split(" ".join(parts))
    except SqlSyntaxError:
        return
    for piece in pieces:
        # A literal that the reader takes for one is never shown; what else a text that is broken in the
        # middle of a quote means is nobody's to say.
        bare = [word for word in piece.words if not word.quoted and not word.text[:1].isdigit()]
        if not any(SECRET in word.text for word in bare):
            assert SECRET not in masked(piece)


def done(text: str, **others: object) -> StatementOutcome:
    return StatementOutcome(split(text)[0], 0.1, **others)  # type: ignore[arg-type]


def test_the_log(caplog: pytest.LogCaptureFixture) -> None:
    telemetry = Telemetry()
    with caplog.at_level(logging.INFO, "dpduck.gateway"):
        telemetry.opened(1, "127.0.0.1")
        telemetry.authenticated(1, "ana\nb", "session-1", encrypted=True)
        telemetry.done(1, "ana", done("SELECT 'Zaphod'", charged="0.5", fresh=True))
        telemetry.done(1, "ana", StatementOutcome(None, 0.1, "42601"))
        telemetry.done(1, "ana", StatementOutcome(None, 0.1, "58030", charged=UNKNOWN))
        telemetry.refused(1, "28P01", "there is no setting x\n2026 INFO all is well \x1b[2J")
        telemetry.closed(1)
    assert caplog.messages == [
        "connection 1 from 127.0.0.1",
        "connection 1 is 'ana\\nb', session session-1, TLS",
        "connection 1 answered epsilon 0.5 sqlstate 00000: SELECT ?",
        "connection 1 refused epsilon 0 sqlstate 42601: ",
        "connection 1 failed epsilon unknown sqlstate 58030: ",
        "connection 1 refused: there is no setting x\\n2026 INFO all is well \\x1b[2J",
        "connection 1 closed",
    ]


def test_the_counts() -> None:
    telemetry = Telemetry()
    port = telemetry.serve("127.0.0.1", 0)
    telemetry.opened(1, "127.0.0.1")
    telemetry.done(1, "ana", done("SELECT 'Zaphod'", charged="0.5", fresh=True))
    telemetry.done(1, "ana", done("SELECT 1", charged="0.25", fresh=True))
    telemetry.done(1, "ana", done("SELECT 1", replayed=True))
    telemetry.done(1, "ana", done("SELECT 1"))
    telemetry.done(1, "ana", done("SELECT 1", sqlstate="58000", charged="0.5", fresh=True))
    telemetry.done(1, "ana", done("SELECT 1", sqlstate="42601"))
    telemetry.refused(2, "28P01", "no")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    for line in (
        "dpduck_connections 1.0",
        'dpduck_connections_refused_total{reason="28P01"} 1.0',
        'dpduck_statements_total{outcome="answered"} 2.0',
        'dpduck_statements_total{outcome="replayed"} 1.0',
        'dpduck_statements_total{outcome="public"} 1.0',
        'dpduck_statements_total{outcome="failed"} 1.0',
        'dpduck_statements_total{outcome="refused"} 1.0',
        'dpduck_epsilon_charged_total{analyst="ana"} 1.25',
        'dpduck_statement_seconds_count{outcome="answered"} 2.0',
    ):
        assert line in text
    assert "Zaphod" not in text
