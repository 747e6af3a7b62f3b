"""Where statements end: quotes, comments, commands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpduck.doors.shell.statements import is_complete, pieces

CUTS = {
    "": [],
    " ;; \n ; ": [],
    "-- nothing;\n/* ; */": [],
    "SELECT 1": ["SELECT 1"],
    "SELECT 1; SELECT 2;": ["SELECT 1", "SELECT 2"],
    "SELECT 'a;b'; SELECT 'it''s;';": ["SELECT 'a;b'", "SELECT 'it''s;'"],
    'SELECT "a;b";': ['SELECT "a;b"'],
    "SELECT $$a;b$$; SELECT $x$ ; $$ $x$;": ["SELECT $$a;b$$", "SELECT $x$ ; $$ $x$"],
    "SELECT 1 -- so; it is\n, 2;": ["SELECT 1 -- so; it is\n, 2"],
    "SELECT /* ; */ 1; -- done;": ["SELECT /* ; */ 1"],
    "SELECT '\U0001f986;' AS d; SELECT 2": ["SELECT '\U0001f986;' AS d", "SELECT 2"],
    "SELECT\n  1\n;\nSELECT 2": ["SELECT\n  1", "SELECT 2"],
    "SELECT 1;\nSELECT 2; SELECT 'open;\n": ["SELECT 1", "SELECT 2; SELECT 'open;"],  # which is an error
    "SELECT 'a\n.help\n';": ["SELECT 'a\n.help\n'"],
    "SELECT 1\n.tables\n;": ["SELECT 1\n.tables"],
    ".mode csv\nSELECT 1;\n .tables": [".mode csv", "SELECT 1", ".tables"],
    "-- first\n.tables\n": [".tables"],
    "SELECT 1; .tables\n.help\n": ["SELECT 1", ".tables", ".help"],
    "SELECT 1;\r\n.tables\r\n": ["SELECT 1", ".tables"],
    "SELECT .5;": ["SELECT .5"],
    "BEGIN; SET a = 1;\nSET b = 2; COMMIT; SELECT 1": ["BEGIN; SET a = 1;\nSET b = 2; COMMIT", "SELECT 1"],
    "SELECT 1; begin;\n SELECT 2; rollback;": ["SELECT 1", "begin;\n SELECT 2; rollback"],
    "BEGIN;\nSELECT 1;": ["BEGIN;\nSELECT 1;"],
}


@pytest.mark.parametrize(("text", "expected"), CUTS.items())
def test_a_text_is_cut(text: str, expected: list[str]) -> None:
    assert list(pieces(text.splitlines(keepends=True))) == expected


def test_statements_come_as_soon_as_they_end() -> None:
    read: list[str] = []

    def lines() -> Iterator[str]:
        for line in ("SELECT 1;\n", "SELECT\n", "2;\n"):
            read.append(line)
            yield line

    found = pieces(lines())
    assert next(found) == "SELECT 1"
    assert read == ["SELECT 1;\n"]


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("", True),
        ("  \n", True),
        ("-- only this", True),
        (";", True),
        ("SELECT 1", False),
        ("SELECT 1;", True),
        ("SELECT 1; -- so", True),
        ("SELECT 1; /* so; */", True),
        ("SELECT 1; SELECT", False),
        ("SELECT 'a;", False),
        ("SELECT $$a;", False),
        ('SELECT "a;', False),
        ("SELECT 1; /* open", False),
        (".tables", True),
        ("  .explain SELECT", True),
        ("SELECT 1 -- ;", False),
    ],
)
def test_enter_runs_what_is_complete(text: str, complete: bool) -> None:
    assert is_complete(text) is complete
