"""Completion of the word at the cursor: a pure function of the text and the public catalog.

.command  -> commands and their arguments      FROM, JOIN -> tables       t.  -> the columns of t
SET, SHOW -> settings, what can be shown       c = '      -> the public values of c
elsewhere -> columns of the tables that the statement names, functions, tables, keywords
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from dpduck.compiler.parse.settings import CLAMPS, COUNTS, DISTINCT, ENDS, INTERVALS, NOISES, SUMMARIES
from dpduck.doors.shell.keywords import FUNCTIONS, KEYWORDS, SETTINGS
from dpduck.doors.shell.scanning import Lexeme, scan
from dpduck.kernel.catalog.model import Catalog, Column, Table, ValuesDomain, View, fold, written

_MOST_VALUES = 200
_SHOWN = (
    "PRIVACY",
    "PRIVACY FOR",
    "PRIVACY BUDGETS",
    "PRIVACY BUDGETS FOR",
    "PRIVACY SUMMARIES",
    "PRIVACY SUMMARY",
)
_BEFORE_TABLES = ("FROM", "JOIN", "TABLE", "FOR")
# The last of these keywords before the cursor says which clause it is in.
_CLAUSES = ("SELECT", "FROM", "WHERE", "GROUP", "HAVING", "QUALIFY", "ORDER", "LIMIT", "ON", "USING")
_COMPARISONS = ("=", "<", ">", "!")


class Suggestion(NamedTuple):
    """A text that may replace the last `replaces` characters before the cursor."""

    text: str
    kind: str
    replaces: int


class _Place(NamedTuple):
    """The cursor's context: the lexemes `before` it, the `prefix` of the word it ends, and its statement."""

    before: Sequence[Lexeme]
    prefix: str
    statement: Sequence[Lexeme]

    @property
    def last(self) -> str:
        return self.before[-1].word if self.before else ""


def complete(
    text: str, cursor: int, catalog: Catalog, commands: Sequence[tuple[str, str]] = ()
) -> list[Suggestion]:
    """Completions at the cursor, the most likely first.

    Input: `commands`: names and arguments, such as ('.timer', 'on|off').

    >>> [suggestion.text for suggestion in complete("SET dp_r", 8, Catalog(()))]
    ['dp_replay']
    """
    if text.lstrip().startswith((".", "\\")):
        return _of_command(text[:cursor].lstrip(), catalog, commands)
    pieces, inside = _statement(_scan_at(text, cursor), cursor)
    if inside is not None and inside.kind in ("comment", "string"):
        return (
            [] if inside.kind == "comment" else _values(text[inside.start : cursor], inside, pieces, catalog)
        )
    prefix = "" if inside is None else text[inside.start : cursor]
    end = cursor - len(prefix)
    place = _Place([p for p in pieces if p.end <= end], prefix, pieces)
    found = [(name, kind) for name, kind in _candidates(place, catalog) if _begins(name, prefix)]
    return [Suggestion(name, kind, len(prefix)) for name, kind in dict.fromkeys(found)]


def _scan_at(text: str, cursor: int) -> list[Lexeme]:
    """The lexemes of a text. A quote that is open at the cursor is taken to end there."""
    pieces = scan(text)
    if not any(p.is_open and p.kind != "comment" and p.start < cursor for p in pieces):
        return pieces
    after = [piece._replace(start=piece.start + cursor) for piece in scan(text[cursor:])]
    return [*scan(text[:cursor]), *after]


def _statement(pieces: Sequence[Lexeme], cursor: int) -> tuple[list[Lexeme], Lexeme | None]:
    """The lexemes of the statement at the cursor, without comments, and the one that the cursor is in."""
    own: list[Lexeme] = []
    for piece in pieces:
        if piece.text == ";":
            if piece.start >= cursor:
                break
            own = []
        else:
            own.append(piece)
    inside = next((p for p in own if p.start < cursor <= p.end and _holds(p, cursor)), None)
    return [p for p in own if p.kind != "comment"], inside


def _holds(piece: Lexeme, cursor: int) -> bool:
    """Whether text typed at the cursor would belong to the lexeme that begins before it."""
    return piece.kind in ("word", "quoted") or cursor < piece.end or piece.is_open


def _begins(name: str, prefix: str) -> bool:
    typed = fold(prefix).removeprefix('"')
    return fold(name).removeprefix('"').startswith(typed)


# --- commands ------------------------------------------------------------------------------------


def _of_command(text: str, catalog: Catalog, commands: Sequence[tuple[str, str]]) -> list[Suggestion]:
    name, space, typed = text.partition(" ")
    if not space:
        return [Suggestion(known, "command", len(text)) for known, _ in commands if known.startswith(text)]
    takes = dict(commands).get(name, "").strip("[]")
    if takes == "SQL":
        return complete(typed, len(typed), catalog)
    words = [table.name for table in _relations(catalog)] if "TABLE" in takes else takes.split("|")
    found = [word for word in words if word.islower() or "TABLE" in takes]
    return [Suggestion(word, "", len(typed)) for word in found if _begins(word, typed)]


# --- statements ----------------------------------------------------------------------------------


def _candidates(place: _Place, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """All candidates at a place, with their kinds."""
    first = place.before[0].word if place.before else ""
    if place.last == ".":
        yield from _of_qualifier(place, catalog)
    elif first == "SET":
        yield from _of_set(place)
    elif place.last == "SHOW":
        yield from ((words, "keyword") for words in _SHOWN)
    elif place.last in _BEFORE_TABLES or (place.last == "," and _clause(place) == "FROM"):
        yield from _tables(catalog)
    elif first == "ALTER":
        yield from _columns(place, catalog)
        yield from _keywords(place)
    else:
        yield from _of_expression(place, catalog)


def _of_expression(place: _Place, catalog: Catalog) -> Iterator[tuple[str, str]]:
    if place.before:
        yield from _columns(place, catalog)
        yield from ((f"{name}(", "function") for name in FUNCTIONS)
    yield from _keywords(place)
    if place.before:
        yield from _tables(catalog)


def _of_qualifier(place: _Place, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Candidates after a dot: columns of a table or alias, or tables of a schema."""
    name = fold(place.before[-2].name) if len(place.before) > 1 else ""
    tables = [table for alias, table in _named(place.statement, catalog) if fold(alias) == name]
    yield from _columns_of(tables)
    if not tables:
        yield from ((written(t.name), "table") for t in _relations(catalog) if fold(t.schema) == name)


_VALUES: Mapping[str, Sequence[str]] = {  # of settings that take one of a few
    "dp_replay": ("on", "off"),
    "dp_noisy_averages": ("on", "off"),
    "dp_noise": NOISES,
    "dp_interval": INTERVALS,
    "dp_intervals": ENDS,
    "dp_count": COUNTS,
    "dp_clamp": CLAMPS,
    "dp_distinct": DISTINCT,
    "dp_summaries": SUMMARIES,
    "dp_max_groups_contributed": ("'private'", "'all'"),
    "dp_preview": ("empty", "off"),
}


def _of_set(place: _Place) -> Iterator[tuple[str, str]]:
    if place.last == "SET":
        yield from ((setting, "setting") for setting in SETTINGS)
    elif place.last == "=":
        yield from ((value, "value") for value in _VALUES.get(place.before[-2].text.lower(), ()))


def _keywords(place: _Place) -> Iterator[tuple[str, str]]:
    """Keywords, in lower case if the prefix is."""
    small = place.prefix[-1:].islower()
    yield from ((word.lower() if small else word, "keyword") for word in KEYWORDS)


def _tables(catalog: Catalog) -> Iterator[tuple[str, str]]:
    yield from ((_shown(relation), "table") for relation in _relations(catalog))


def _shown(relation: Table | View) -> str:
    schema = "" if relation.schema == "main" else f"{written(relation.schema)}."
    return schema + written(relation.name)


def _columns(place: _Place, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Columns of the tables that the statement names, or of all tables if it names none yet."""
    named = [table for _, table in _named(place.statement, catalog)]
    yield from _columns_of(named or _relations(catalog))


def _columns_of(tables: Iterable[Table | View]) -> Iterator[tuple[str, str]]:
    yield from ((written(column.name), "column") for table in tables for column in table.columns)


def _relations(catalog: Catalog) -> list[Table | View]:
    return [*catalog.tables, *catalog.views]


def _named(pieces: Sequence[Lexeme], catalog: Catalog) -> list[tuple[str, Table | View]]:
    """The tables that a statement reads, each under its name and its alias."""
    known = {fold(relation.name): relation for relation in _relations(catalog)}
    found: list[tuple[str, Table | View]] = []
    for i, piece in enumerate(pieces):
        table = known.get(fold(piece.name))
        if table is not None and i and pieces[i - 1].word in (*_BEFORE_TABLES, ",", "."):
            following = [p for p in pieces[i + 1 : i + 3] if p.word != "AS"]
            alias = following[0].name if following and following[0].word not in KEYWORDS else ""
            found += [(name, table) for name in (piece.name, alias) if name]
    return found


def _clause(place: _Place) -> str:
    """The clause that the cursor is in."""
    return next((piece.word for piece in reversed(place.before) if piece.word in _CLAUSES), "")


# --- public values -------------------------------------------------------------------------------


def _values(typed: str, inside: Lexeme, pieces: Sequence[Lexeme], catalog: Catalog) -> list[Suggestion]:
    """The public values of the column that a string is compared with."""
    before = [piece for piece in pieces if piece.end <= inside.start]
    while before and (before[-1].kind == "string" or before[-1].text in (",", "(")):
        before.pop()
    compared = before and before[-1].text in (*_COMPARISONS, "IN", "in")
    while before and (before[-1].text in _COMPARISONS or before[-1].word in ("IN", "NOT")):
        before.pop()
    if not compared or not before or not inside.text.startswith("'"):
        return []
    tables = [table for _, table in _named(pieces, catalog)]
    columns = [c for table in tables for c in table.columns if fold(c.name) == fold(before[-1].name)]
    quoted = ["'" + value.replace("'", "''") + "'" for value in _texts(columns)]
    return [Suggestion(text, "value", len(typed)) for text in dict.fromkeys(quoted) if text.startswith(typed)]


def _texts(columns: Iterable[Column]) -> Iterator[str]:
    for column in columns:
        if isinstance(column.domain, ValuesDomain):
            yield from (v for v in column.domain.values[:_MOST_VALUES] if isinstance(v, str))
