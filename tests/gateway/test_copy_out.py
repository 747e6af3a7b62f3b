"""COPY TO STDOUT, compared with what a real PostgreSQL writes, and read back by it."""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.doors.gateway.encoding.copy_out import CopyOptions, copy_messages
from dpduck.kernel.errors import ParameterError
from tests.gateway.oracle import Session, lines, postgres_session, rows_of

HEADER = b"PGCOPY\n\xff\r\n\0" + b"\0" * 8


@pytest.fixture(scope="module")
def postgres() -> Session:
    return postgres_session()


def sent(
    options: CopyOptions, *columns: Any, types: list[str], names: list[str] | None = None
) -> list[bytes]:
    names = names or [f"c{number}" for number in range(len(columns))]
    batch = pa.record_batch([pa.array(column) for column in columns], names=names)
    return [line for chunk in copy_messages([batch], types, names, options) for line in lines(chunk)]


TEXTS = [
    *("plain", "", "tab\there", "line\nend", "cr\rhere", "back\\slash", "\b\f\v", "\x01\x1f\x7f", 'q"d', "'"),
    *(r"\N", r"\.", ".", "a,b", "a;b", "a|b", "☃", " lead", "NULL", "null", '"', '""', ",", "NA", "xNAx"),
]  # fmt: skip

OPTIONS = [
    CopyOptions(),
    CopyOptions(delimiter="|", null="NA"),
    CopyOptions(delimiter="\b", null=""),
    CopyOptions(delimiter="-", header=True),
    CopyOptions(format="csv"),
    CopyOptions(format="csv", header=True),
    CopyOptions(format="csv", delimiter=";", null="NA", quote="'"),
    CopyOptions(format="csv", escape="\\"),
    CopyOptions(format="csv", quote="|", escape="a", delimiter="\t"),
    CopyOptions(format="csv", force_quote=("*",)),
    CopyOptions(format="csv", force_quote=("b,b",), null="NULL"),
    CopyOptions(format="csv", delimiter="-"),
    CopyOptions(format="csv", delimiter="]", quote="^"),
]


@pytest.mark.parametrize("options", OPTIONS)
def test_lines_are_those_of_postgres(postgres: Session, options: CopyOptions) -> None:
    texts = [*TEXTS, None]
    numbers = [-7, *[None] * (len(texts) - 2), 12]
    postgres.execute('CREATE TEMP TABLE lines (i int4, "b,b" text, "c""\n" int4)')
    for row in zip(range(len(texts)), texts, numbers, strict=True):
        postgres.execute("INSERT INTO lines VALUES (%s, %s, %s)", row)
    columns = {"b,b": (texts, "VARCHAR"), 'c"\n': (numbers, "INTEGER")}
    for names in (["b,b", 'c"\n'], ["b,b"]):
        picked = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
        sql = f"COPY (SELECT {picked} FROM lines ORDER BY i) TO STDOUT ({_written(options)})"
        with postgres.cursor().copy(sql) as copy:
            expected = [bytes(line) for line in copy]
        values, types = zip(*(columns[name] for name in names), strict=True)
        assert sent(options, *values, types=list(types), names=names) == expected
    postgres.execute("DROP TABLE lines")


def _written(options: CopyOptions) -> str:
    parts = [f"FORMAT {options.format}", f"HEADER {options.header}"]
    for name in ("delimiter", "null", "quote", "escape"):
        value = getattr(options, name)
        if value is not None:
            parts.append(f"{name} E'{value.replace(chr(92), chr(92) * 2).replace(chr(39), chr(39) * 2)}'")
    if options.force_quote:
        parts.append("FORCE_QUOTE " + ("*" if options.is_forced("no such") else '("b,b")'))
    return ", ".join(parts)


TABLE = """
    SELECT i, i % 2 = 0 AS flag, i::SMALLINT AS small, i * 10000000000 AS big,
           (i * 1.25)::DECIMAL(12,4) AS amount, ((i::HUGEINT << 100) * -1)::HUGEINT AS huge,
           i / 7 AS ratio, (i / 3)::FLOAT AS single, 'row ' || i AS text,
           ('\\x0' || (i % 10))::BLOB AS bytes, DATE '2000-01-01' - i::INTEGER * 300 AS day,
           TIME '12:00:00' + to_microseconds(i) AS clock,
           TIMESTAMP '2024-01-01' - to_microseconds(i * 997) AS moment,
           TIMESTAMPTZ '2024-01-01 00:00:00+00' AS instant,
           to_months(i::INTEGER) - to_microseconds(i) AS span, md5(i::VARCHAR)::UUID AS id,
           bin(i)::BIT AS bits, [i, NULL] AS list, ['a b', NULL, i::VARCHAR] AS texts, {'a': i} AS record,
           '12:00:00+02'::TIMETZ AS zoned
    FROM range(5000) AS t(i) ORDER BY i
"""
COLUMNS = """
    i int8, flag bool, small int2, big int8, amount numeric(12,4), huge numeric, ratio float8,
    single float4, text text, bytes bytea, day date, clock time, moment timestamp, instant timestamptz,
    span interval, id uuid, bits varbit, list int8[], texts text[], record json, zoned timetz
"""


@pytest.mark.parametrize("form", ["text", "csv", "binary"])
def test_postgres_reads_what_we_write(postgres: Session, form: str) -> None:
    """The values come back, as text, as those that we send in text format, whatever format was read."""
    with duckdb.connect() as connection:
        types, names, read = rows_of(connection, TABLE)
    postgres.execute(f"CREATE TEMP TABLE copied ({COLUMNS})")
    with postgres.cursor().copy(f"COPY copied FROM STDIN (FORMAT {form})") as copy:
        for chunk in copy_messages(read, types, names, CopyOptions(format=form)):
            copy.write(b"".join(lines(chunk)))
    with postgres.cursor().copy("COPY (SELECT * FROM copied ORDER BY i) TO STDOUT") as back:
        returned = [bytes(line) for line in back]
    postgres.execute("DROP TABLE copied")
    assert len(returned) == 5000
    messages = [line for chunk in copy_messages(read, types, names, CopyOptions()) for line in lines(chunk)]
    assert returned == messages


def test_the_binary_signature_comes_with_the_first_row() -> None:
    row = b"\0\x02" + b"\0\0\0\x04\0\0\0\x01" + b"\0\0\0\x01a"
    other = b"\0\x02" + b"\0\0\0\x04\0\0\0\x02" + b"\xff\xff\xff\xff"
    binary = CopyOptions(format="binary")
    batch = pa.record_batch([pa.array([1, 2]), pa.array(["a", None])], names=["a", "b"])
    types = ["INTEGER", "VARCHAR"]
    for cut in ([batch], [batch.slice(0, 0), batch.slice(0, 1), batch.slice(1, 1)]):
        chunks = list(copy_messages(cut, types, ["a", "b"], binary))
        messages = lines(b"".join(chunks))
        assert messages == [HEADER + row, other, b"\xff\xff"]
    assert b"".join(chunks).startswith(b"d\0\0\0\x26PGCOPY\n\xff\r\n\0")


def test_binary_without_rows_is_one_message() -> None:
    empty = pa.record_batch([pa.array([], pa.int32())], names=["a"])
    for given_batches in ([], [empty]):
        (message,) = copy_messages(given_batches, ["INTEGER"], ["a"], CopyOptions(format="binary"))
        assert message == b"d\0\0\0\x19" + HEADER + b"\xff\xff"


def test_exact_lines() -> None:
    assert sent(CopyOptions(), ["a\tb", None], [1, 2], types=["VARCHAR", "INTEGER"]) == [
        b"a\\tb\t1\n",
        b"\\N\t2\n",
    ]
    csv = CopyOptions(format="csv", header=True, force_quote=("c1",))
    assert sent(csv, ['a"b', "", None], [1, 2, None], types=["VARCHAR", "INTEGER"]) == [
        b"c0,c1\n",
        b'"a""b","1"\n',
        b'"","2"\n',
        b",\n",
    ]


@given(
    st.lists(st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"])), min_size=1)
)
@settings(max_examples=100, deadline=None)
def test_text_is_escaped_so_that_it_can_be_undone(texts: list[str]) -> None:
    undone = {"b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "\\": "\\"}
    for line, text in zip(sent(CopyOptions(), texts, types=["VARCHAR"]), texts, strict=True):
        body = line.decode().removesuffix("\n")
        assert not set(body) & {"\n", "\t", "\r"}
        pieces = body.split("\\\\")
        read = [
            "".join(undone[p[0]] + p[1:] if n else p for n, p in enumerate(piece.split("\\")))
            for piece in pieces
        ]
        assert "\\".join(read) == text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"format": "parquet"}, "COPY format must be one of text, csv, binary"),
        ({"encoding": "latin1"}, "COPY encoding must be UTF8"),
        ({"format": "binary", "header": True}, "COPY in binary format takes no other option than encoding"),
        ({"format": "binary", "null": ""}, "COPY in binary format takes no other option than encoding"),
        ({"delimiter": "||"}, "COPY delimiter must be a single one-byte character other than a line end"),
        ({"delimiter": "\n"}, "COPY delimiter must be a single one-byte character other than a line end"),
        ({"delimiter": "é"}, "COPY delimiter must be a single one-byte character other than a line end"),
        ({"delimiter": ""}, "COPY delimiter must be a single one-byte character other than a line end"),
        ({"delimiter": "n"}, "COPY delimiter must not be a lower-case letter, digit, point or backslash"),
        ({"quote": "'"}, "COPY quote, escape and force_quote are options of csv format"),
        ({"force_quote": ("a",)}, "COPY quote, escape and force_quote are options of csv format"),
        ({"format": "csv", "quote": ""}, "COPY quote and escape must each be a single one-byte character"),
        ({"format": "csv", "escape": "ab"}, "COPY quote and escape must each be a single one-byte character"),
        ({"format": "csv", "quote": ","}, "COPY delimiter and quote must be different"),
        ({"null": "a\nb"}, "COPY null cannot hold a line end or NUL"),
        ({"null": "a\tb"}, "COPY delimiter must not appear in null"),
        ({"format": "csv", "null": '"'}, "COPY quote must not appear in null"),
    ],
)
def test_options_that_postgres_refuses(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError) as caught:
        CopyOptions(**options)
    assert caught.value.message == said


def test_options_as_a_statement_writes_them() -> None:
    given_options = {"format": "CSV", "header": "true", "delimiter": ";", "force_quote": "( a , b )"}
    read = CopyOptions(format="csv", header=True, delimiter=";", force_quote=("a", "b"))
    assert CopyOptions.read(given_options) == read
    assert CopyOptions.read({"header": "OFF", "encoding": "utf-8"}) == CopyOptions(encoding="utf-8")
    for wrong in ({"header": "match"}, {"freeze": "true"}, {"__init__": ""}):
        with pytest.raises(ParameterError):
            CopyOptions.read(wrong)
