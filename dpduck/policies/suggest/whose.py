"""Whose rows each table holds: by foreign keys, by unique keys, and by the names of columns. Pure.

Tables of people come first, then what is linked to them, step by step; a table that nothing links gets a key
of its own if a column is named like a person's. Any other stays closed, and is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dpduck.kernel.catalog.model import Catalog, Column, Table, fold, written
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    AddPrivacyLink,
    DomainReference,
    SetPrivacyDomain,
    SetPublic,
    TableName,
)
from dpduck.kernel.catalog.types import parse_type
from dpduck.policies.privacy_keys import can_be_unit
from dpduck.policies.suggest.constraints import Constraints
from dpduck.policies.suggest.names import LIKELY, SURE, is_an_id, is_of_people, names_a_person, says_the_same
from dpduck.policies.wording import sql_of

_Place = tuple[str, str]
_Asked = tuple[str, tuple[str, ...]]  # a question, and statements with gaps
_MOST_ASKED = 5  # columns that a question names


@dataclass(frozen=True)
class WhoseRows:
    """A statement that says whose rows a table holds, and why."""

    statement: AddPrivacyKey | AddPrivacyLink
    why: str


@dataclass
class Decided:
    """The choice for each table that has one, by its place; `order`: all tables, each after what it needs."""

    order: list[Table] = field(default_factory=list)
    choices: dict[_Place, WhoseRows] = field(default_factory=dict)
    asked: dict[_Place, list[_Asked]] = field(default_factory=dict)

    def questions_of(self, table: Table) -> list[_Asked]:
        """What to ask about a table."""
        return self.asked.get(_place(table), [])


@dataclass(frozen=True)
class _Link:
    """A way in which a column may say whose rows a table holds."""

    column: Column
    target: Table
    target_column: Column
    is_enforced: bool

    def statement(self, table: Table) -> AddPrivacyLink:
        return AddPrivacyLink(_name(table), self.column.name, _name(self.target), self.target_column.name)

    @property
    def why(self) -> str:
        if self.is_enforced:
            return f"its foreign key says which row of {written(self.target.name)} each row belongs to"
        return (
            f"{written(self.column.name)} is named like the key of {written(self.target.name)}: is it that?"
        )


def decide(catalog: Catalog, constraints: Constraints) -> Decided:
    """Decide for each table that has no policy yet."""
    links = {_place(table): list(_links(catalog, table, constraints)) for table in catalog.tables}
    roots = _people(catalog, links)
    decided = Decided()
    private = {_place(table) for table in catalog.tables if table.private}
    waiting = []
    for table in catalog.tables:
        if table.private or table.public:
            decided.order.append(table)
        elif _place(table) in roots:
            _add_key(decided, private, table, roots[_place(table)], "one row for each of them, by its key")
        else:
            waiting.append(table)
    while waiting:
        following = _next_linked(waiting, private, links) or _next_keyed(waiting)
        if following is None:
            break
        waiting.remove(following)
        found = [one for one in links[_place(following)] if _place(one.target) in private]
        if found:
            _add_link(decided, private, following, found)
        else:
            column, *_ = _units(following)
            _add_key(decided, private, following, column, "its name says whose row it is")
            decided.asked[_place(following)] += _ask_if_linked(catalog, decided, following, column)
    for table in waiting:
        decided.order.append(table)
        referring = [
            (other, link)
            for other in catalog.tables
            for link in links[_place(other)]
            if link.is_enforced and link.target is table and _place(other) in private
        ]
        decided.asked[_place(table)] = [_ask_if_public(table, referring) if referring else _ask_whose(table)]
    return decided


def _add_key(decided: Decided, private: set[_Place], table: Table, column: Column, why: str) -> None:
    decided.order.append(table)
    decided.choices[_place(table)] = WhoseRows(AddPrivacyKey(_name(table), column.name), why)
    private.add(_place(table))
    asked = decided.asked.setdefault(_place(table), [])
    others = [one for one in _units(table, LIKELY) if one is not column]
    if others and not any(fold(column.name) == fold(unique) for unique in table.unique_columns):
        asked.append(_ask_which(table, column, others))


def _add_link(decided: Decided, private: set[_Place], table: Table, found: list[_Link]) -> None:
    best = max(found, key=lambda one: (names_a_person(one.column.name), one.is_enforced))
    decided.order.append(table)
    decided.choices[_place(table)] = WhoseRows(best.statement(table), best.why)
    private.add(_place(table))
    others = [one for one in found if one is not best]
    if others:
        names = ", ".join(written(one.column.name) for one in others[:_MOST_ASKED])
        text = (
            f"Rows of {written(table.name)} are also linked by {names}. Only one unit is protected: whose "
            f"rows are they, rather than those of {written(best.column.name)}?"
        )
        decided.asked.setdefault(_place(table), []).append(
            (text, tuple(f"{sql_of(one.statement(table))};" for one in others[:_MOST_ASKED]))
        )


def _people(catalog: Catalog, links: Mapping[_Place, list[_Link]]) -> dict[_Place, Column]:
    """The tables with one row for each person, and their keys; not those that are linked to another one."""
    keyed = {}
    for table in catalog.tables:
        unique = [table.column(name) for name in table.unique_columns]
        fit = [one for one in unique if can_be_unit(one)]
        named = [one for one in fit if names_a_person(one.name) == SURE]
        if fit and is_of_people(table.name):
            primary = [one for one in fit if (one.name,) == table.primary_key]
            keyed[_place(table)] = (primary or named or fit)[0]
        elif named:
            keyed[_place(table)] = named[0]
    return {
        place: column
        for place, column in keyed.items()
        if not any(_leads_on(one, place, keyed, links) for one in links[place])
    }


def _leads_on(
    link: _Link, place: _Place, keyed: Mapping[_Place, Column], links: Mapping[_Place, list[_Link]]
) -> bool:
    """Whether a link makes a table one of another table of people: not if that leads back in the same way."""
    target = _place(link.target)
    if target not in keyed:
        return False
    back = any(_place(one.target) == place and one.is_enforced == link.is_enforced for one in links[target])
    return not back or (is_of_people(target[1]) and not is_of_people(place[1]))


def _links(catalog: Catalog, table: Table, constraints: Constraints) -> Iterator[_Link]:
    """The links that a table may have: by foreign keys, then by names."""
    seen = set()
    places = {fold(one.name): place for place, one in enumerate(table.columns)}
    keys = constraints.of(table.schema, table.name)
    for key in sorted(keys, key=lambda one: places.get(fold(one.column), 0)):
        target = _target(catalog, table, key.target)
        column = table.part(key.column)
        target_column = None if target is None else target.part(key.target_column)
        if target is None or column is None or target_column is None:
            continue
        if _fits(column, target, target_column):
            seen.add(fold(column.name))
            yield _Link(column, target, target_column, is_enforced=True)
    for target in catalog.tables:
        for name in target.unique_columns if target is not table else ():
            for column in table.columns:
                is_named = says_the_same(column.name, name, target.name)
                if is_named and fold(column.name) not in seen and _fits(column, target, target.column(name)):
                    yield _Link(column, target, target.column(name), is_enforced=False)


def _fits(column: Column, target: Table, target_column: Column) -> bool:
    is_unique = fold(target_column.name) in map(fold, target.unique_columns)
    return is_unique and column.type == target_column.type and can_be_unit(column)


def _target(catalog: Catalog, table: Table, name: str) -> Table | None:
    """The table that a foreign key refers to: of its own schema, or else the only one of that name."""
    named = [one for one in catalog.tables if one.name == name and one is not table]
    own = [one for one in named if one.schema == table.schema]
    return (own or named)[0] if own or len(named) == 1 else None


def _next_linked(
    waiting: list[Table], private: set[_Place], links: Mapping[_Place, list[_Link]]
) -> Table | None:
    """The next table with a link to a private one; those with a person's own column before others."""
    linked = [one for one in waiting if any(_place(link.target) in private for link in links[_place(one)])]
    return linked[0] if linked else None


def _next_keyed(waiting: list[Table]) -> Table | None:
    return next((table for table in waiting if _units(table)), None)


def _units(table: Table, least: int = SURE) -> list[Column]:
    """The columns that are named like a person, the surest first; likely ones only if none is sure."""
    able = [one for one in table.columns if can_be_unit(one) and parse_type(one.type).kind != "boolean"]
    fit = [(names_a_person(one.name), one) for one in able]
    best = max((how for how, _ in fit), default=0)
    return [one for how, one in sorted(fit, key=lambda pair: -pair[0]) if how >= min(least, best) and how]


def _ask_which(table: Table, column: Column, others: list[Column]) -> _Asked:
    names = ", ".join(written(one.name) for one in others[:_MOST_ASKED])
    text = (
        f"{names} may name a person too. Only one unit is protected: whose rows are they, rather than those "
        f"of {written(column.name)}?"
    )
    forms = (f"{sql_of(AddPrivacyKey(_name(table), one.name))};" for one in others[:_MOST_ASKED])
    return text, tuple(forms)


def _ask_if_linked(catalog: Catalog, decided: Decided, table: Table, column: Column) -> Iterator[_Asked]:
    """The question whether a key is that of another table, which no constraint lets a link lead to.

    A table of people that the key is named after, as customer_id after customers, comes before one that has a
    key of the same name.
    """
    others = [one for one in catalog.tables if one is not table]
    found = [(other, key) for other in others for key in _named_after(column, other)]
    for other in others:
        choice = decided.choices.get(_place(other))
        key = choice.statement.column if choice is not None else other.unit
        if key is not None and other.column(key).type == column.type:
            same = fold(key) == fold(column.name) or says_the_same(column.name, key, other.name)
            found += [(other, key)] if same else []
    for other, key in found:
        if fold(key) not in map(fold, other.unique_columns):
            text = (
                f"Are these the people of {written(other.name)}? By keys of their own, what is spent on them "
                f"counts apart. If each {written(key)} is one row there: ALTER TABLE {written(other.name)} "
                f"ADD PRIMARY KEY ({written(key)}) in DuckDB, and in place of this key"
            )
            link = AddPrivacyLink(_name(table), column.name, _name(other), key)
            is_keyed = other.private or _place(other) in decided.choices
            own = () if is_keyed else (f"{sql_of(AddPrivacyKey(_name(other), key))};",)
            yield text, (*own, f"{sql_of(link)};")
            return


def _named_after(column: Column, other: Table) -> list[str]:
    """The keys of a table of people that a column is named after; none of a public one."""
    if other.public or not is_of_people(other.name):
        return []
    able = [one for one in other.columns if can_be_unit(one) and one.type == column.type]
    return [one.name for one in able if says_the_same(column.name, one.name, other.name)]


def _ask_if_public(table: Table, referring: list[tuple[Table, _Link]]) -> _Asked:
    """The question about a table that private ones refer to, such as a list of products."""
    names = dict.fromkeys(written(other.name) for other, _ in referring)
    text = (
        f"Is {written(table.name)} a list that everybody may read, and that holds nothing private? Until it "
        f"is said, no query reads it. Then its values may be keys of {', '.join(names)}."
    )
    domains = (
        SetPrivacyDomain(
            _name(other), link.column.name, DomainReference(_name(table), link.target_column.name)
        )
        for other, link in referring[:_MOST_ASKED]
    )
    public = sql_of(SetPublic(_name(table)))
    return text, (f"{public};", *(f"{sql_of(one)};" for one in domains))


def _ask_whose(table: Table) -> _Asked:
    """The question about a table of which nothing says whose rows it holds."""
    fit = [one for one in table.columns if can_be_unit(one)]
    likely = [one for one in fit if is_an_id(one.name)] or fit[:1]
    forms = [f"{sql_of(AddPrivacyKey(_name(table), one.name))};" for one in likely[:_MOST_ASKED]]
    name = written(table.name) if table.schema == "main" else f"{written(table.schema)}.{written(table.name)}"
    text = (
        f"Whose rows does {name} hold? Until it is said, no query reads it. SET PUBLIC only if nothing in it "
        "is private."
    )
    return text, (*forms, f"ALTER TABLE {name} SET PUBLIC;")


def _place(table: Table) -> _Place:
    return table.schema, table.name


def _name(table: Table) -> TableName:
    return TableName(table.name, None if table.schema == "main" else table.schema)
