"""Which rows of a CSV file there are depended on the columns of a query, and on the lines of others.

A row with a value that did not fit the type of its column was there, or not, as the query named the column or
not: 40,000 rows, or 30,000. A quote that one person's line does not close took the lines after it away, and
so each of those persons; a carriage return within a line made every query fail.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import dpduck
from dpduck.answers.given_policies import policies_of_files
from dpduck.engines.duckdb.path import DataPath
from dpduck.engines.source import Source, open_source
from dpduck.kernel.catalog.statements import AddPrivacyKey, DomainRange, SetPrivacyDomain, TableName
from tests.depth import part

PEOPLE = 22_000  # DuckDB looks at the first 20,480 lines
HEADER = b"person,age,city\n"
ROWS = b"".join(b"%d,%d,town %d\n" % (i, i % 90, i % 7) for i in range(PEOPLE))
# Lines as one person may write them.
LINES = (
    b'60001,50,"open\n',
    b'60001,50,"op""en\n',
    b'60001,"50,x\n',
    b"60001,fifty,town\n",
    b"60001,50\n",
    b"60001,50,town,more\n",
    b"60001,50,\xff\xfe\n",
    b"60001,50,a\x00b\n",
    b"60001,50,a\x01b\n",
    b"60001,50,a\rb,c\n",
    b"60001,50,town\r\n",
    b"\r\r\n\n",
    b"60001,50," + b"x" * 2_100_000 + b"\n",
    b"60001,50," + b"x" * 5_000_000 + b"\n",
    b'60001,50,"' + b"x" * 2_100_000 + b"\n",
    b"9" * 400 + b",50,town\n",
    b"60001," + b"9" * 400 + b",town\n",
    b"#60001,50,town\n",
    b"'60001',50,'town\n",
    b"60001,50,town\\\n",
)
QUERIES = (
    "SELECT person FROM t WHERE person < 60000 ORDER BY person",
    "SELECT person FROM t WHERE person < 60000 AND age IS NOT NULL ORDER BY person",
    "SELECT person FROM t WHERE person < 60000 AND city LIKE 'town%' ORDER BY person",
    "SELECT person FROM t WHERE person < 60000 AND age >= 0 AND city <> '' ORDER BY person",
)


def opened(content: bytes, folder: Path, name: str = "t.csv") -> Source:
    (folder / name).write_bytes(content)
    return proposed(folder / "t.csv")


def proposed(file: Path) -> Source:
    """The file as it is read by what is proposed for it now."""
    policies = policies_of_files(DataPath(str(file)), (), records=False)
    return open_source(file, read_only=True, policies=policies)


def rows(source: Source, sql: str) -> Sequence[Any]:
    return source.connection.execute(sql).fetchall()


@pytest.mark.parametrize("line", LINES, ids=lambda line: repr(line[:20]))
@pytest.mark.parametrize("place", ["middle", "end"])
def test_no_line_changes_what_others_are(tmp_path: Path, line: bytes, place: str) -> None:
    middle = ROWS.index(b"\n20700,") + 1 if place == "middle" else len(ROWS)
    source = opened(HEADER + ROWS[:middle] + line + ROWS[middle:], tmp_path)
    for query in QUERIES:
        assert rows(source, query) == [(i,) for i in range(PEOPLE)]
    ages = "SELECT sum(age), count(DISTINCT city), count(*) FROM t WHERE person < 60000"
    assert rows(source, ages) == [(sum(i % 90 for i in range(PEOPLE)), 7, PEOPLE)]


@pytest.mark.parametrize("line", part(LINES, 1, 4), ids=lambda line: repr(line[:20]))
def test_compressed_lines_are_read_as_the_same_lines(tmp_path: Path, line: bytes) -> None:
    content = HEADER + ROWS + line + ROWS[: ROWS.index(b"\n", 10_000) + 1]
    with gzip.open(tmp_path / "t.csv.gz", "wb", compresslevel=1) as file:
        file.write(content)
    packed = proposed(tmp_path / "t.csv.gz")
    plain = opened(content, tmp_path)
    for query in (*QUERIES, "SELECT person, age, city FROM t ORDER BY ALL"):
        assert rows(packed, query) == rows(plain, query)


def test_parts_may_be_separated_by_tabs(tmp_path: Path) -> None:
    content = (HEADER + ROWS[: ROWS.index(b"\n", 5_000) + 1]).replace(b",", b"\t")
    (tmp_path / "t.tsv").write_bytes(content)
    source = proposed(tmp_path / "t.tsv")
    count = content.count(b"\n") - 1
    assert rows(source, "SELECT count(*), min(person), max(age), any_value(typeof(age)) FROM t") == [
        (count, 0, 89, "BIGINT")
    ]


@pytest.mark.parametrize("line", part(LINES, 1, 4), ids=lambda line: repr(line[:20]))
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_no_early_line_decides_which_columns_there_are(tmp_path: Path, line: bytes, end: bytes) -> None:
    """What the columns are is found in the first lines, and not for one of them to say."""
    content = HEADER + ROWS[: len(ROWS) // 50].replace(b"\n", b"\n" + line, 1) + ROWS[len(ROWS) // 50 :]
    source = opened(content.replace(b"\n", end), tmp_path)
    [(count,)] = rows(source, "SELECT count(*) FROM (SELECT person, age, city FROM t)")
    assert PEOPLE <= count <= PEOPLE + 3


def test_a_value_that_does_not_fit_is_null_and_its_row_is_there_for_all_queries(tmp_path: Path) -> None:
    later = b"".join(b"%d,unknown,town\n" % i for i in range(PEOPLE, 60_000))
    (tmp_path / "t.csv").write_bytes(HEADER + ROWS + later)
    policies = [
        AddPrivacyKey(TableName("t"), "person"),
        SetPrivacyDomain(TableName("t"), "age", DomainRange("0", "89")),
    ]
    with dpduck.connect(tmp_path / "t.csv", epsilon=1, policies=policies) as db:
        counts = [
            db.execute(f"SELECT count(*) FROM t {where}").fetchall()[0][0]
            for where in ("", "WHERE age IS NULL OR age IS NOT NULL", "WHERE age >= 0", "WHERE city <> ''")
        ]
    assert [round(count, -3) for count in counts] == [60_000, 60_000, PEOPLE, 60_000]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("sign", [b",", b";", b"|", b"\t"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_signs_ends_and_marks_are_as_ever(tmp_path: Path, end: bytes, sign: bytes, start: bytes) -> None:
    lines = [b"person,day,at,ok,price,city", b'1,2024-01-31,2024-01-31 10:00:00,true,1.5,"a,b"']
    lines += [b'"2",,,false,-2,"say ""so"""', b'3,x,y,z,w,""', b"4,2024-02-01,2024-02-01 00:00:00,true,1e3,"]
    text = end.join(line.replace(b",", sign) for line in lines)
    source = opened(start + text, tmp_path)
    text = f"a{sign.decode()}b"
    assert rows(source, "SELECT person, city FROM t ORDER BY 1") == [
        (1, text),
        (2, 'say "so"'),
        (3, None),
        (4, None),
    ]


def test_types_are_those_of_the_first_lines(tmp_path: Path) -> None:
    first = b"person,day,at,ok,price,city\n" + b"1,31/01/2024,2024-01-31 10:00:00,true,1.5,x\n" * PEOPLE
    later = b'"2","01/02/2024","2024-02-01 11:00:00","false","2.25","y"\n3,01/13/2024,never,maybe,cheap,\n'
    source = opened(first + later, tmp_path)
    shown = "person, CAST(day AS VARCHAR), CAST(t.at AS VARCHAR), ok, price, city"
    assert rows(source, f"SELECT {shown} FROM t WHERE person > 1 ORDER BY 1") == [
        (2, "2024-02-01", "2024-02-01 11:00:00", False, 2.25, "y"),
        (3, None, None, None, None, None),
    ]


def test_an_escape_other_than_the_quote(tmp_path: Path) -> None:
    first = b"person,city\n" + b'1,"a\\"b, c"\n' * PEOPLE
    source = opened(first + b'2,"a\\",b"\n3,"a\\\\"\n5,plain\n6,"open\n7,x\n', tmp_path)
    assert rows(source, "SELECT person, city FROM t WHERE person IN (2, 3, 5, 7) ORDER BY 1") == [
        (2, 'a",b'),
        (3, "a\\"),
        (5, "plain"),
        (7, "x"),
    ]
    assert rows(source, "SELECT count(*) FROM t WHERE city = 'a\"b, c'") == [(PEOPLE,)]


def test_a_file_of_one_column_and_of_names_alone(tmp_path: Path) -> None:
    assert rows(opened(b"person\n1\n\n2\n", tmp_path), "SELECT person FROM t ORDER BY 1") == [(1,), (2,)]
    assert rows(opened(b"person,age\n", tmp_path), "SELECT count(*) FROM t") == [(0,)]


def test_lines_before_the_names_are_skipped(tmp_path: Path) -> None:
    for end in (b"\n", b"\r\n"):
        text = end.join([b"made by hand", b"", b"person,age,city", *(b"%d,5,x" % i for i in range(100))])
        source = opened(text, tmp_path)
        assert rows(source, "SELECT count(*), sum(person) FROM t") == [(100, 4950)]
