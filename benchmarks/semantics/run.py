"""Draws expressions, asks them at all places, compares each with plain DuckDB, and counts."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import duckdb

from benchmarks.semantics.doors import Door, Failed, Refused, opened
from benchmarks.semantics.grammar import HOLE, Form, aggregates, scalars
from benchmarks.semantics.known import Difference, known
from benchmarks.semantics.places import PLACES, PUBLIC, Place
from benchmarks.semantics.plain import UNREADABLE, Expected, expected, grouped
from benchmarks.semantics.rows import COLUMNS
from benchmarks.semantics.shapes import filled
from tests.query.samples import read

AT_ONCE = 2  # expressions of one plain query: many have no value on some row
EVERY_AGGREGATE = 2  # expressions for each aggregate of public rows
GROUPS = 4
PUBLIC_AGGREGATE = "aggregate of public rows"
EVERY_REFUSED = 24  # of those that should be refused, one in so many is asked


# By place, the forms of which an expression was refused: the next is asked alone, not with others.
_REFUSED_FORMS: set[tuple[str, str]] = set()


@dataclass
class Tally:
    """What became of the comparisons, by place and outcome; what differs."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    shapes: Counter[str] = field(default_factory=Counter)
    entries: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add what another has counted."""
        for name in ("outcomes", "shapes", "entries", "refusals"):
            getattr(self, name).update(getattr(other, name))
        self.differences += other.differences

    def total(self, outcome: str) -> int:
        """How many comparisons had this outcome, at all places."""
        return sum(count for (_, name), count in self.outcomes.items() if name == outcome)

    def differ(self, difference: Difference) -> None:
        """Note a difference, whether or not it is written down."""
        self.outcomes[difference.place, "different"] += 1
        self.outcomes[difference.place, "written down"] += known(difference) is not None
        self.differences.append(difference)


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


def run(seed: str, count: int, door: str = "Python", places: Sequence[Place] = PLACES) -> Tally:
    """Ask so many expressions at each place by a door; the same seed asks the same ones."""
    tally = Tally()
    texts = drawn(seed, count, tally)
    with opened(door) as (connection, asked):
        compare(texts, connection, asked, places, tally)
        if door == "Python":
            for text in drawn(seed, count // EVERY_AGGREGATE, tally, aggregates()):
                compare_aggregate(text, connection, asked, tally)
    return tally


def compare_aggregate(text: str, connection: duckdb.DuckDBPyConnection, door: Door, tally: Tally) -> None:
    """Ask for an aggregate of each of some groups of public rows, and compare it with plain DuckDB."""
    query = f"SELECT i % {GROUPS} AS i, ({text}) AS v0 FROM shown GROUP BY ALL"
    plain = grouped(query, connection)
    if plain is None:
        tally.outcomes[PUBLIC_AGGREGATE, "refused by DuckDB"] += 1
        return
    try:
        answer = door.ask(query)
    except Refused as error:
        tally.outcomes[PUBLIC_AGGREGATE, "refused"] += 1
        tally.refusals[str(error)] += 1
        return
    except Failed as error:
        tally.differ(Difference(PUBLIC_AGGREGATE, door.name, "failed", text, str(error), ""))
        return
    tally.outcomes[PUBLIC_AGGREGATE, "answered"] += 1
    kind, cells = plain
    if answer.types[0] != kind:
        tally.differ(Difference(PUBLIC_AGGREGATE, door.name, "type", text, answer.types[0], kind))
        return
    found = {row: values[0] for row, values in answer.rows.items()}
    wrong = [row for row in cells if found.get(row) != cells[row]]
    if wrong:
        pair, rows = (str(found.get(wrong[0])), cells[wrong[0]]), tuple(map(int, wrong))
        tally.differ(Difference(PUBLIC_AGGREGATE, door.name, "value", text, *pair, rows))


def compare(
    forms: Mapping[str, str],
    connection: duckdb.DuckDBPyConnection,
    door: Door,
    places: Iterable[Place],
    tally: Tally,
) -> None:
    """Ask the expressions at each place, and compare them with plain DuckDB. Input: each with its form."""
    found: list[Expected | None] = []
    texts = list(forms)
    for first in range(0, len(texts), AT_ONCE):
        found += expected(texts[first : first + AT_ONCE], connection, "shown")
    nulls = _nulls(connection)
    plain = [replace(one, nulls=nulls) for one in found if one and one.type != UNREADABLE]
    unknown = [text for text, one in zip(texts, found, strict=True) if one is None]
    for place in places:
        taken = [one for one in plain if place.takes(one)][:: place.every]
        likely = [one for one in taken if _is_likely(one.text, forms[one.text], place)]
        rest = [one for one in taken if one not in likely][:: EVERY_REFUSED if place.of_people else 1]
        for first in range(0, len(likely), place.size):
            for one in _ask(likely[first : first + place.size], place, door, tally):
                _REFUSED_FORMS.add((place.name, forms[one.text]))
        for one in rest:
            _ask([one], place, door, tally)
        if place.name in ("WHERE", PUBLIC):
            nothing = [Expected(text, "BOOLEAN", ()) for text in unknown]
            nothing += [one for one in plain if one.raised and place.name == PUBLIC]
            for one in nothing[::EVERY_REFUSED]:
                _expect_refusal(one, place, door, tally)


def _is_likely(text: str, form: str, place: Place) -> bool:
    """Whether an expression is likely answered, so that it may be asked with others."""
    if place.of_people:
        return is_row_expression(text)
    return not any((name, form) in _REFUSED_FORMS for name in (place.name, PUBLIC))


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
            tally.outcomes[place.name, "refused"] += 1
            tally.refusals[str(error)] += 1
        else:
            tally.differ(Difference(place.name, door.name, "failed", pack[0].text, str(error), ""))
        return list(pack)
    for turn, one in enumerate(pack):
        tally.outcomes[place.name, "answered"] += 1
        if answer.types[turn] != door.type_of(place.type_of(one)):
            types = answer.types[turn], door.type_of(place.type_of(one))
            tally.differ(Difference(place.name, door.name, "type", one.text, *types))
            continue
        cells = place.cells(one, door)
        rows = {row: cells_of[turn] for row, cells_of in answer.rows.items()}
        wrong = [row for row, cell in cells.items() if not place.is_same(rows.get(row), cell)]
        if wrong:
            pair, numbers = (str(rows.get(wrong[0])), str(cells[wrong[0]])), tuple(map(int, wrong))
            plain = tuple(one.values[row] for row in numbers)
            is_raised = one.raised.issuperset(numbers)
            tally.differ(
                Difference(place.name, door.name, "value", one.text, *pair, numbers, plain, is_raised)
            )
    return []


def _expect_refusal(one: Expected, place: Place, door: Door, tally: Tally) -> None:
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
    tally.differ(Difference(place.name, door.name, "answered", one.text, shown, "refused by DuckDB"))
