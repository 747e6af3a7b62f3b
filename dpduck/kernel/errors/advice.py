"""Hints as data: what to type instead, rendered for each audience.

A `Hint` is a sequence of words and actions. An `Action` is a statement of SQL, or the command-line option
that does the same, for users who declare policies or change settings by options.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

from dpduck.kernel.errors.names import written, written_path


class Audience(Enum):
    """Who reads a hint.

    SQL is for all who type statements: analysts and owners in Python, over the Postgres wire, in DuckDB, or
    in the shell of a database. A Parquet or CSV file stores no policy, so options declare what is private;
    and a setting does not outlast a command, so an option sets it.
    `lead`: words before an option that begins a hint; `options_set`: options replace SET;
    `options_declare`: options replace ALTER TABLE; `calls_dp`: SET is the argument of a function, as on a
    plain connection of DuckDB, which has no such settings.
    """

    SQL = ("", False, False)
    SHELL_ON_FILE = ("Start again with ", False, True)
    COMMAND_ON_DATABASE = ("Add ", True, False)
    COMMAND_ON_FILE = ("Add ", True, True)
    PLAIN_DUCKDB = ("", False, False, True)

    def __init__(self, lead: str, options_set: bool, options_declare: bool, calls_dp: bool = False) -> None:
        self.lead = lead
        self.options_set = options_set
        self.options_declare = options_declare
        self.calls_dp = calls_dp


class Action(ABC):
    """One thing that the reader can do."""

    @property
    def is_open(self) -> bool:
        """Whether it has LOW and HIGH, or dots, where the reader's own bounds or values are to stand."""
        return False

    @abstractmethod
    def sql(self) -> str:
        """The statement, without its full stop."""

    def option(self, audience: Audience) -> str | None:  # noqa: ARG002
        """The equivalent option for this audience; None if it types the statement."""
        return None

    def text(self, audience: Audience) -> str:
        """What this audience types."""
        return self.option(audience) or self.sql()


@dataclass(frozen=True)
class WithBounds(Action):
    """A part of a query with LOW and HIGH in it: no number in their place is a recommendation."""

    form: str

    @property
    def is_open(self) -> bool:
        return True

    def sql(self) -> str:
        return self.form


PER_ROW = WithBounds("contribution_bounds_per_row => (LOW, HIGH)")
PER_GROUP = WithBounds("contribution_bounds_per_group => (LOW, HIGH)")
BOUNDED_ROWS = WithBounds("count(*, contribution_bounds_per_group => (0, HIGH))")
GAP = "..."  # stands for values
_OPEN = " LOW and HIGH are bounds that are known without looking at the data."
_OPEN_ABOVE = " HIGH is a bound that is known without looking at the data."
_OPEN_VALUES = " Write values that are known without looking at the data."


_COMMA = ", with --decimal , for 1,5"


@dataclass(frozen=True)
class ReadAsNumbers(Action):
    """Take a column of numbers. That of a CSV file may be text because of how its lines are read.

    `column`: its name, if there is one; `instead`: what to do where nothing is read.
    """

    column: str | None
    instead: str

    def sql(self) -> str:
        return self.instead

    def option(self, audience: Audience) -> str | None:
        if not audience.options_declare or self.column is None:
            return None
        return f"--type {self.column}=DOUBLE, if its numbers are read as text of a CSV file{_COMMA}"


# Settings that a query can have as options of its own, by their names there.
_OF_THE_QUERY = {
    **{f"dp_{name}": name for name in ("count", "interval", "clamp", "noise", "max_groups_contributed")},
    "dp_distinct": "distinct_values",
}


@dataclass(frozen=True)
class SetTo(Action):
    """Change a setting. `value`: in the form of SQL and of the option."""

    name: str
    value: str

    def sql(self) -> str:
        return f"SET {self.name} = {self.value}"

    def option(self, audience: Audience) -> str | None:
        options = {
            "dp_epsilon": f"--epsilon {self.value}",
            "dp_delta": f"--delta {self.value}",
            "dp_replay": "--fresh",
            "dp_noisy_averages": "--noisy-averages",
            "dp_intervals": "--intervals",
        }
        if audience.calls_dp:
            return f"FROM dp({_string(self.sql())})"
        if self.name in _OF_THE_QUERY:
            name = _OF_THE_QUERY[self.name]
            options[self.name] = f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS ({name} = {self.value}) ..."
        return options.get(self.name) if audience.options_set else None


@dataclass(frozen=True)
class AlterTable(Action):
    """Change a table or its policy, where no option can. `change`: the rest of the statement."""

    table: str
    change: str

    def sql(self) -> str:
        return f"ALTER TABLE {written(self.table)} {self.change}"


@dataclass(frozen=True)
class BoundGroups(Action):
    """Bound the groups of one unit in a table."""

    table: str
    groups: int

    def sql(self) -> str:
        return AlterTable(self.table, f"SET PRIVACY CONTRIBUTION (groups = {self.groups})").sql()

    def option(self, audience: Audience) -> str | None:
        return f"--groups {self.groups}" if audience.options_declare else None


@dataclass(frozen=True)
class SetGroups(Action):
    """Bound the groups of one unit for the queries of a session, which an analyst may do too.

    `groups`: private: their number is chosen.
    """

    groups: int | Literal["private"]

    @property
    def _constant(self) -> str:
        return f"'{self.groups}'" if isinstance(self.groups, str) else str(self.groups)

    def sql(self) -> str:
        return SetTo("dp_max_groups_contributed", self._constant).sql()

    def option(self, audience: Audience) -> str | None:
        return SetTo("dp_max_groups_contributed", self._constant).option(audience)


@dataclass(frozen=True)
class BoundRows(Action):
    """Bound the rows of one unit that count in a group."""

    table: str
    rows: int

    def sql(self) -> str:
        return AlterTable(self.table, f"SET PRIVACY CONTRIBUTION (rows = {self.rows})").sql()

    def option(self, audience: Audience) -> str | None:
        return f"--rows {self.rows}" if audience.options_declare else None


@dataclass(frozen=True)
class DeclareUnit(Action):
    """Declare the privacy unit's column of a table. `column`: None if the reader has to choose it."""

    table: str
    column: str | None = None

    def sql(self) -> str:
        column = "column" if self.column is None else written(self.column)
        return f"ALTER TABLE {written(self.table)} ADD PRIVACY_KEY ({column})"

    def option(self, audience: Audience) -> str | None:
        return "--unit COLUMN" if audience.options_declare else None


@dataclass(frozen=True)
class OpenTable(Action):
    """Declare a closed table private or public, which only the owner can."""

    table: str

    def sql(self) -> str:
        public = AlterTable(self.table, "SET PUBLIC")
        return f"The owner can run {DeclareUnit(self.table).sql()}, or {public.sql()}"

    def option(self, audience: Audience) -> str | None:
        return DeclareUnit(self.table).option(audience)


@dataclass(frozen=True)
class DeclareDomain(Action):
    """Declare the domain of a column. `values`: examples; of a range, its two ends.

    The ends of a range are said as LOW and HIGH, and values as '...', since an example would be taken at its
    word. `is_text`: the column is of texts, among which may be numbers of a CSV file that has a few other
    words among them.
    """

    table: str
    column: str
    values: tuple[str | int, ...]
    is_range: bool = False
    is_text: bool = False

    @property
    def is_open(self) -> bool:
        return True

    def sql(self) -> str:
        gap = GAP if isinstance(self.values[0], int) else f"'{GAP}'"
        return self._with("LOW, HIGH" if self.is_range else f"{gap}, {gap}")

    def example(self) -> str:
        """The statement with the examples, as it can be run."""
        return self._with(", ".join(map(_constant, self.values)))

    def _with(self, listed: str) -> str:
        form = "BETWEEN" if self.is_range else "IN"
        change = f"ALTER COLUMN {written_path(self.column)} SET PRIVACY DOMAIN {form} ({listed})"
        return AlterTable(self.table, change).sql()

    def option(self, audience: Audience) -> str | None:
        if not audience.options_declare:
            return None
        domain = f"{self.column}={'LOW..HIGH' if self.is_range else f'{GAP},{GAP}'}"
        said = f'--domain "{domain}"' if " " in domain else f"--domain {domain}"
        number = ReadAsNumbers(self.column, "").option(audience) if self.is_text else None
        return said if number is None else f"{said} ({number})"


@dataclass(frozen=True)
class AskOwner(Action):
    """Ask the owner for a statement that only the owner may run. `begins`: with a capital letter."""

    action: Action
    begins: bool = False

    @property
    def is_open(self) -> bool:
        return self.action.is_open

    def sql(self) -> str:
        return f"{'Ask' if self.begins else 'ask'} the owner to run {self.action.sql()}"


@dataclass(frozen=True)
class MoreBudget(Action):
    """Get a larger budget: an analyst asks the owner for it, and the owner knows how it is raised.

    `scope` and `name` are those of the account that is spent; `begins`: with a capital letter; `is_owner`:
    whether its reader is the data owner.
    """

    scope: str
    name: str
    begins: bool = False
    is_owner: bool = False

    def sql(self) -> str:
        if not self.is_owner:
            return self._begun("ask the data owner for more")
        if self.scope == "session":
            return self._begun("raise the budget of the session")
        if self.scope == "budget":
            return self._begun(f"raise it by ALTER PRIVACY BUDGET {written(self.name)} LIMIT ...")
        return self._begun("raise their lifetime cap (CREATE OR REPLACE PRIVACY BUDGET)")

    def text(self, audience: Audience) -> str:
        if self.is_owner and self.scope == "session" and audience.lead:
            return self._begun("raise --budget")
        if self.is_owner and self.scope != "session" and audience.options_declare:
            return f"{self.sql()} in the policy script"
        return self.sql()

    def _begun(self, words: str) -> str:
        return words[:1].upper() + words[1:] if self.begins else words


def _constant(value: str | int) -> str:
    """An example as a constant of SQL."""
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value).upper()


@dataclass(frozen=True)
class AnyOf(Action):
    """A list of alternatives to type. A setting that has an option for the audience is left out."""

    forms: tuple[str | SetTo, ...]

    def sql(self) -> str:
        return self.text(Audience.SQL)

    def text(self, audience: Audience) -> str:
        typed = [form for form in self.forms if isinstance(form, str) or form.option(audience) is None]
        return ", ".join(form if isinstance(form, str) else form.text(audience) for form in typed)


@dataclass(frozen=True)
class ByOwner(Action):
    """What the data's owner may do instead. Whoever declares policies by options is the owner."""

    action: Action

    @property
    def is_open(self) -> bool:
        return self.action.is_open

    def sql(self) -> str:
        return f"the owner can run {self.action.sql()}"

    def option(self, audience: Audience) -> str | None:
        option = self.action.option(audience)
        return f"add {option}" if option is not None and option.startswith("--") else option


_OF_OWNERS = (AlterTable, BoundRows, DeclareUnit, DeclareDomain)


def _of_analyst(part: str | Action, *, begins: bool) -> str | Action:
    """A part of a hint for those who cannot declare policies: what they may do themselves, or whom to ask."""
    if isinstance(part, BoundGroups):
        return SetGroups(part.groups)
    return AskOwner(part, begins=begins) if isinstance(part, _OF_OWNERS) else part


@dataclass(frozen=True)
class Hint:
    """What to type instead: words and actions in sequence; spaces and full stops are part of the words.

    >>> hint = Hint.of(DeclareUnit("visits"), ", or ", SetTo("dp_delta", "1e-6"), ".")
    >>> hint.text(Audience.SQL)
    'ALTER TABLE visits ADD PRIVACY_KEY (column), or SET dp_delta = 1e-6.'
    >>> hint.text(Audience.COMMAND_ON_FILE), hint.text(Audience.SHELL_ON_FILE)
    ('Add --unit COLUMN, or --delta 1e-6.', 'Start again with --unit COLUMN, or SET dp_delta = 1e-6.')
    """

    parts: tuple[str | Action, ...]

    @classmethod
    def of(cls, *parts: str | Action | Hint) -> Hint:
        """A hint of these parts; the parts of a hint among them are inlined."""
        flat: list[str | Action] = []
        for part in parts:
            flat.extend(part.parts if isinstance(part, Hint) else (part,))
        return cls(tuple(flat))

    def for_analyst(self) -> Hint:
        """The hint for an analyst, who cannot declare policies; one that begins with words says who can.

        >>> hint = Hint.of(DeclareUnit("visits", "visitor"), ", or ", SetTo("dp_delta", "1e-6"), ".")
        >>> hint.for_analyst().text(Audience.SQL)
        'Ask the owner to run ALTER TABLE visits ADD PRIVACY_KEY (visitor), or SET dp_delta = 1e-6.'
        """
        if self.parts and isinstance(self.parts[0], str):
            return self
        return Hint(tuple(_of_analyst(part, begins=number == 0) for number, part in enumerate(self.parts)))

    def for_owner(self) -> Hint:
        """The hint for the data owner, who need not ask anybody for a larger budget."""
        parts = (replace(one, is_owner=True) if isinstance(one, MoreBudget) else one for one in self.parts)
        return Hint(tuple(parts))

    def text(self, audience: Audience) -> str:
        """The hint for this audience, and what LOW and HIGH are if it has them."""
        first = self.parts[0] if self.parts else ""
        begins = isinstance(first, Action) and first.option(audience) is not None
        said = self.sentence(audience)
        return f"{audience.lead}{said}" if begins and said.startswith("--") else said

    def sentence(self, audience: Audience) -> str:
        """The same without the words that lead to an option with which it begins."""
        said = "".join(part if isinstance(part, str) else part.text(audience) for part in self.parts)
        opened = [part for part in self.parts if isinstance(part, Action) and part.is_open]
        gaps = " ".join(part.text(audience) for part in opened)
        if "HIGH" in gaps:
            said += _OPEN if "LOW" in gaps else _OPEN_ABOVE
        return said + _OPEN_VALUES if GAP in gaps else said


NO_HINT = Hint(())


def text_for(advice: Hint | str, audience: Audience = Audience.SQL) -> str:
    """A hint or notice for an audience; a plain string is the same for all.

    >>> notice = Hint.of("It is old. ", SetTo("dp_replay", "off"), " asks again.")
    >>> text_for(notice), text_for(notice, Audience.COMMAND_ON_DATABASE)
    ('It is old. SET dp_replay = off asks again.', 'It is old. --fresh asks again.')
    """
    return advice if isinstance(advice, str) else advice.text(audience)


def _string(text: str) -> str:
    """Return a string constant of SQL."""
    return "'" + text.replace("'", "''") + "'"
