"""Texts of several statements, cut into them and into words."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpduck.compiler.parse.split import StatementText, split
from dpduck.kernel.errors import SqlSyntaxError


def texts(sql: str) -> list[str]:
    return [piece.text for piece in split(sql)]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("", []),
        (" ; ;; \n", []),
        ("-- only this", []),
        ("/* ; */ ;", []),
        ("SELECT 1", ["SELECT 1"]),
        ("a;b ; c ;", ["a", "b", "c"]),
        ("SELECT ';'; SELECT ''';'", ["SELECT ';'", "SELECT ''';'"]),
        ('SELECT "a;b"; c', ['SELECT "a;b"', "c"]),
        ("SELECT $$a;b$$; c", ["SELECT $$a;b$$", "c"]),
        ("SELECT $t$a;$$;$t$; c", ["SELECT $t$a;$$;$t$", "c"]),
        ("SELECT E'\\';'; c", ["SELECT E'\\';'", "c"]),
        ("a -- ; b\n; c", ["a", "c"]),
        ("a /* ; */ b; c", ["a /* ; */ b", "c"]),
        ("/* x */ a /* y */ ; b", ["a", "b"]),
        ("RESET ALL; FETCH 'a;' FROM b; c", ["RESET ALL", "FETCH 'a;' FROM b", "c"]),
        ("SELECT $1; SELECT $2", ["SELECT $1", "SELECT $2"]),
        ("SELECT 'ä€𝄞;'; b", ["SELECT 'ä€𝄞;'", "b"]),
    ],
)
def test_statements(sql: str, expected: list[str]) -> None:
    assert texts(sql) == expected
    for piece in split(sql):
        assert sql[piece.start : piece.start + len(piece.text)] == piece.text


def test_words() -> None:
    [piece] = split("SELECT  \"A b\", 'it''s', 1.5 -- more\n FROM t")
    assert [(word.text, word.quoted) for word in piece.words] == [
        ("SELECT", False),
        ("A b", True),
        (",", False),
        ("it's", True),
        (",", False),
        ("1.5", False),
        ("FROM", False),
        ("t", False),
    ]
    assert [piece.text[word.start : word.end] for word in piece.words][1:4:2] == ['"A b"', "'it''s'"]


def test_words_after_one_that_begins_a_command_are_words_too() -> None:
    [piece] = split("RESET ALL -- 'x'")
    assert [(word.text, word.quoted) for word in piece.words] == [("RESET", False), ("ALL", False)]
    assert piece.starts("RESET", "ALL")
    [piece] = split("FETCH 7 FROM 'a;' ")
    assert [piece.text[word.start : word.end] for word in piece.words] == ["FETCH", "7", "FROM", "'a;'"]
    [quoted] = split("SHOW 'x'")
    assert quoted.words[1].quoted


def test_how_a_statement_starts() -> None:
    [piece] = split("Begin  WORK")
    assert piece.starts("BEGIN")
    assert piece.starts("BEGIN", "WORK")
    assert not piece.starts("BEGIN", "WORK", "NOW")
    assert not split('"BEGIN"')[0].starts("BEGIN")


@pytest.mark.parametrize("sql", ["SELECT 'a", 'SELECT "a', "/* a", "a; b; 'c", "FETCH 'a"])
def test_what_has_no_end_is_refused(sql: str) -> None:
    with pytest.raises(SqlSyntaxError) as caught:
        split(sql)
    assert caught.value.__context__ is None


def test_a_text_that_is_too_long_is_refused_at_once() -> None:
    with pytest.raises(SqlSyntaxError, match="longer than 1000000 characters"):
        split("1," * 600_000)


def test_only_short_texts_are_remembered() -> None:
    assert split("SELECT 1") is split("SELECT 1")
    long = f"SELECT {'1, ' * 2_000}1"
    assert split(long) is not split(long)
    assert split(long) == split(long)


PARTS = [
    "SELECT",
    "a",
    ";",
    "'x;'",
    '"y;"',
    "$$z;$$",
    "1",
    ",",
    "/* ; */",
    "-- ;\n",
    "E'\\';'",
    "''''",
    "$t$;$t$",
]


@given(st.lists(st.sampled_from(PARTS), max_size=14))
def test_semicolons_count_where_they_stand_alone(parts: list[str]) -> None:
    said = [part for part in parts if not part.startswith(("/*", "--"))]
    expected = sum(bool(run) for run in "".join("." if part != ";" else ";" for part in said).split(";"))
    assert len(split(" ".join(parts))) == expected


@given(st.text(max_size=60))
def test_any_text_is_cut_or_refused(text: str) -> None:
    try:
        pieces = split(text)
    except SqlSyntaxError:
        return
    for piece in pieces:
        assert isinstance(piece, StatementText)
        assert text[piece.start :].startswith(piece.text)
        ends = [0, *(place for word in piece.words for place in (word.start, word.end)), len(piece.text)]
        assert ends == sorted(ends)


def test_many_texts_of_odd_characters() -> None:
    words = random.Random(5)
    for _ in range(5_000):
        text = "".join(words.choices("aA1 ;'\"$/*-\\\n.,()eExX_?@:#ä", k=words.randrange(25)))
        try:
            pieces = split(text)
        except SqlSyntaxError:
            continue
        assert all(text[p.start : p.start + len(p.text)] == p.text for p in pieces)
