"""Draws expressions, asks them at all places, compares each with plain DuckDB, and counts."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf, isclose

import duckdb

from benchmarks.semantics.doors import Answer, Door, Failed, Refused, opened
from benchmarks.semantics.grammar import HOLE, Form, aggregates, scalars
from benchmarks.semantics.known import Difference
from benchmarks.semantics.places import PLACES, PUBLIC, Place
from benchmarks.semantics.plain import UNREADABLE, Expected, expected, grouped, shown
from benchmarks.semantics.rows import COLUMNS
from benchmarks.semantics.shapes import filled
from benchmarks.semantics.tally import Tally
from benchmarks.semantics.values import compare_values, takes
from tests.query.samples import read

AT_ONCE = 2  # expressions of one plain query: many have no value on some row
EVERY_AGGREGATE = 1  # expressions for each aggregate of public rows
EVERY_VALUE = 8  # of the expressions of numbers, whose sums and the like are asked for
GROUPS = 4
_PART = 96  # expressions that are drawn, asked and compared before the time is looked at
_AGGREGATES = 24  # aggregates of one query
PUBLIC_AGGREGATE = "aggregate of public rows"
EVERY_REFUSED = 24  # of those that should be refused, one in so many is asked


_OF_CONSTANT = re.compile(r"\(SELECT ((?:[^()]|\([^()]*\))*)\)")

# By place, the forms of which an expression was refused: the next is asked alone, not with others.
_REFUSED_FORMS: set[tuple[str, str]] = set()


def drawn(seed: str, count: int, tally: Tally, forms: Sequence[Form] | None = None) -> dict[str, str]:
    """Expressions, each once, and their forms: every form in its turn, arguments by chance."""
    chance, found = random.Random(seed), dict[str, str]()
    order = list(forms or scalars())
    chance.shuffle(order)
    for turn in range(count):
        form = order[turn % len(order)]
        text, names = _filled(form, chance)
        if text not in found:
            found[text] = form.text
            tally.shapes.update(set(names))
            tally.entries[form.entry] += 1
    return found


def _filled(form: Form, chance: random.Random) -> tuple[str, list[str]]:
    """The form with arguments, and their shapes."""
    shapes = list[str]()

    def argument(hole: re.Match[str]) -> str:
        text, shape = filled(hole[1], chance)
        shapes.append(shape)
        return text

    text = HOLE.sub(argument, form.text.replace("{{", "\0").replace("}}", "\1"))
    return text.replace("\0", "{").replace("\1", "}"), shapes


def run(
    seed: str, count: int, door: str = "Python", places: Sequence[Place] = PLACES, end: float = inf
) -> Tally:
    """Ask so many expressions at each place by a door, or fewer; the same seed asks the same ones.

    Input: `end`: the time, as of `time.time`, from which on no more are asked.
    """
    tally = Tally()
    texts = list(drawn(seed, count, tally).items())
    of_groups = list(drawn(seed, count // EVERY_AGGREGATE, tally, aggregates()) if door == "Python" else ())
    with opened(door) as (connection, asked):
        for first in range(0, count, _PART):
            if time.time() >= end:
                break
            plain = compare(dict(texts[first : first + _PART]), connection, asked, places, tally)
            part = slice(first // EVERY_AGGREGATE, (first + _PART) // EVERY_AGGREGATE)
            compare_aggregates(of_groups[part], connection, asked, tally)
            if door == "Python":
                rows = [one for one in plain if takes(one) and is_row_expression(one.text)]
                compare_values(rows[::EVERY_VALUE], connection, asked, tally)
    return tally


def compare_aggregates(
    texts: Sequence[str], connection: duckdb.DuckDBPyConnection, door: Door, tally: Tally
) -> None:
    """Ask for aggregates of some groups of public rows, and compare them with plain DuckDB."""
    known_texts = {text: plain for text in texts if (plain := grouped(_of_groups([text]), connection))}
    tally.outcomes[PUBLIC_AGGREGATE, "refused by DuckDB"] += len(texts) - len(known_texts)
    asked = list(known_texts)
    for first in range(0, len(asked), _AGGREGATES):
        pack = {text: known_texts[text] for text in asked[first : first + _AGGREGATES]}
        _ask_aggregates(pack, connection, door, tally)


def _is_tied(text: str, group: str, found: str | None, connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether what is found in place of the mode of a group is a value that none is more frequent than."""
    if not text.startswith("mode("):
        return False
    counts = f"SELECT {text.removeprefix('mode')}, count(*) FROM shown WHERE i % {GROUPS} = {group}"
    most = f"SELECT v FROM ({counts} GROUP BY ALL) t(v, n) WHERE v IS NOT NULL QUALIFY n = max(n) OVER ()"
    return found in {shown(value) for (value,) in connection.execute(most).fetchall()}


def _of_groups(texts: Iterable[str]) -> str:
    items = ", ".join(f"({text}) AS v{turn}" for turn, text in enumerate(texts))
    return f"SELECT i % {GROUPS} AS i, {items} FROM shown GROUP BY ALL"


def _ask_aggregates(
    pack: Mapping[str, tuple[str, dict[str, str]]],
    connection: duckdb.DuckDBPyConnection,
    door: Door,
    tally: Tally,
) -> None:
    """Ask aggregates together, or, where that is refused, apart. Input: each with its type and values."""
    try:
        answer = door.ask(_of_groups(pack))
    except (Refused, Failed) as error:
        (text, *more), middle = list(pack), len(pack) // 2
        if more:
            pairs = list(pack.items())
            _ask_aggregates(dict(pairs[:middle]), connection, door, tally)
            _ask_aggregates(dict(pairs[middle:]), connection, door, tally)
        elif isinstance(error, Refused):
            tally.refuse(PUBLIC_AGGREGATE, str(error))
        else:
            tally.differ(Difference(PUBLIC_AGGREGATE, door.name, "failed", text, str(error), ""))
        return
    for turn, (text, (kind, cells)) in enumerate(pack.items()):
        tally.outcomes[PUBLIC_AGGREGATE, "answered"] += 1
        if answer.types[turn] != kind:
            tally.differ(Difference(PUBLIC_AGGREGATE, door.name, "type", text, answer.types[turn], kind))
            continue
        found = {row: values[turn] for row, values in answer.rows.items()}
        wrong = _differing(found, cells)
        if wrong:
            pair, rows = (str(found.get(wrong[0])), str(cells.get(wrong[0]))), tuple(map(int, wrong))
            one = Difference(PUBLIC_AGGREGATE, door.name, "value", text, *pair, rows)
            is_tied = all(_is_tied(text, row, found.get(row), connection) for row in wrong)
            tally.differ(replace(one, is_tied=is_tied))


def _differing(found: Mapping[str, str], expected: Mapping[str, str]) -> list[str]:
    """The rows that are only in one of them, or not the same."""
    every = dict.fromkeys((*expected, *found))
    return [row for row in every if not _is_same(found.get(row), expected.get(row))]


def _is_same(found: str | None, expected: str | None) -> bool:
    """Whether values are equal, but for the order in which floats are added: DuckDB's own is not fixed."""
    if found == expected:
        return True
    try:
        return isclose(float(str(found)), float(str(expected)), rel_tol=1e-12) and "." in str(found)
    except ValueError:
        return False


def compare(
    forms: Mapping[str, str],
    connection: duckdb.DuckDBPyConnection,
    door: Door,
    places: Iterable[Place],
    tally: Tally,
) -> list[Expected]:
    """Ask the expressions at each place, and compare them with plain DuckDB. Input: each with its form.

    Output: what they are to plain DuckDB.
    """
    found: list[Expected | None] = []
    texts = list(forms)
    for first in range(0, len(texts), AT_ONCE):
        found += expected(texts[first : first + AT_ONCE], connection, "shown")
    nulls = _nulls(connection)
    plain = [replace(one, nulls=nulls) for one in found if one and one.type != UNREADABLE]
    unknown = [text for text, one in zip(texts, found, strict=True) if one is None]
    for place in places:
        taken = [one for one in plain if place.takes(one)]
        is_likely = {one.text: _is_likely(one.text, forms[one.text], place) for one in taken}
        likely = [one for one in taken if is_likely[one.text]][:: place.every]
        every = max(place.every, EVERY_REFUSED if place.of_people else 1)
        rest = [one for one in taken if not is_likely[one.text]][::every]
        for first in range(0, len(likely), place.size):
            for one in _ask(likely[first : first + place.size], place, door, tally):
                _REFUSED_FORMS.add((place.name, forms[one.text]))
        for one in rest:
            _ask([one], place, door, tally)
        if place.name in ("WHERE", PUBLIC):
            nothing = [Expected(text, "BOOLEAN", ()) for text in unknown]
            nothing += [one for one in plain if one.raised and place.name == PUBLIC]
            _expect_refusals(nothing[::EVERY_REFUSED], connection, place, door, tally)
    return plain


def _is_likely(text: str, form: str, place: Place) -> bool:
    """Whether an expression is likely answered, so that it may be asked with others."""
    if place.of_people:
        return is_row_expression(text)
    return not any((name, form) in _REFUSED_FORMS for name in (place.name, PUBLIC))


@lru_cache(4096)
def is_row_expression(text: str) -> bool:
    """Whether an expression is one that private rows may have."""
    try:
        return bool(read(text))
    except Exception:
        return False


def _nulls(connection: duckdb.DuckDBPyConnection) -> dict[str, frozenset[int]]:
    """The rows in which each column is NULL."""
    asked = "SELECT i FROM shown WHERE {} IS NULL"
    return {
        name: frozenset(row for (row,) in connection.execute(asked.format(name)).fetchall())
        for name in COLUMNS
    }


def _ask(pack: Sequence[Expected], place: Place, door: Door, tally: Tally) -> list[Expected]:
    """Ask expressions together, or, where that is refused, apart. Output: those that are refused."""
    query = place.query(pack)
    try:
        answer = door.ask(query)
    except (Refused, Failed) as error:
        if len(pack) > 1:
            middle = len(pack) // 2
            halves = (_ask(half, place, door, tally) for half in (pack[:middle], pack[middle:]))
            return [one for half in halves for one in half]
        if isinstance(error, Refused):
            tally.refuse(place.name, str(error))
        else:
            tally.differ(Difference(place.name, door.name, "failed", pack[0].text, str(error), ""))
        return list(pack)
    for turn, one in enumerate(pack):
        tally.outcomes[place.name, "answered"] += 1
        if answer.types[turn] != door.type_of(place.type_of(one)):
            types = answer.types[turn], door.type_of(place.type_of(one))
            tally.differ(Difference(place.name, door.name, "type", one.text, *types))
            continue
        cells = place.cells(one, pack, door)
        rows = {row: cells_of[turn] for row, cells_of in answer.rows.items()}
        wrong = _wrong(rows, cells, pack, place)
        if wrong:
            pair, numbers = (str(rows.get(wrong[0])), str(cells.get(wrong[0]))), tuple(map(int, wrong))
            plain = tuple(one.values[row] for row in numbers)
            is_raised = one.raised.issuperset(numbers)
            tally.differ(
                Difference(place.name, door.name, "value", one.text, *pair, numbers, plain, is_raised)
            )
    return []


def _wrong(
    rows: Mapping[str, str], cells: Mapping[str, str | None], pack: Sequence[Expected], place: Place
) -> list[str]:
    """The rows that differ from what is expected, are missing, or should not be there."""
    return [
        row
        for row in dict.fromkeys((*cells, *rows))
        if not place.is_same(rows.get(row), cells.get(row))
        and not (row not in rows and place.may_lack(pack, int(row)))
    ]


def _is_of_constant(
    text: str, answer: Answer, connection: duckdb.DuckDBPyConnection, place: Place, door: Door
) -> bool:
    """Whether DuckDB gives an answer where each query of a constant is that constant."""
    bare = text
    while (inner := _OF_CONSTANT.sub(r"(\1)", bare)) != bare:
        bare = inner
    (one,) = expected([bare], connection, "shown")
    if one is None or bare == text or answer.types[0] != door.type_of(place.type_of(one)):
        return False
    rows = {row: cells[0] for row, cells in answer.rows.items()}
    return not _wrong(rows, place.cells(one, [one], door), [one], place)


def _expect_refusals(
    pack: Sequence[Expected],
    connection: duckdb.DuckDBPyConnection,
    place: Place,
    door: Door,
    tally: Tally,
) -> None:
    for one in pack:
        _expect_refusal(one, connection, place, door, tally)


def _expect_refusal(
    one: Expected, connection: duckdb.DuckDBPyConnection, place: Place, door: Door, tally: Tally
) -> None:
    """What plain DuckDB refuses, or fails on for a row, is refused."""
    try:
        answer = door.ask(place.query([one]))
    except (Refused, Failed) as error:
        kind = "refused" if isinstance(error, Refused) else "different"
        if kind == "different":
            tally.differ(
                Difference(place.name, door.name, "failed", one.text, str(error), "refused by DuckDB")
            )
        else:
            tally.outcomes[place.name, "refused"] += 1
        return
    tally.outcomes[place.name, "answered"] += 1
    shown = str(list(answer.rows.items())[:1])
    is_of_constant = _is_of_constant(one.text, answer, connection, place, door)
    found = Difference(place.name, door.name, "answered", one.text, shown, "refused by DuckDB")
    tally.differ(replace(found, is_of_constant=is_of_constant))
