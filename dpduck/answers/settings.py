"""Session settings, changed by SET: defaults for the cost of queries, and whether answers are replayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, Self, get_args

from dpduck.compiler.parse.postgres import PostgresReading
from dpduck.compiler.parse.settings import (
    CLAMPS,
    COUNTS,
    ENDS,
    INTERVALS,
    NOISES,
    SETTINGS,
    SUMMARIES,
    AskedNoise,
    AskedSummaries,
    parse_groups,
    unknown_setting,
)
from dpduck.compiler.parse.statements import QueryOptions
from dpduck.compiler.planner.distinct_values import Function as AskedFunction
from dpduck.kernel.accounting.amounts import Number, parse_delta, parse_epsilon
from dpduck.kernel.errors import ParameterError, decimal_text
from dpduck.kernel.errors.advice import Hint, SetTo


@dataclass
class Settings:
    """The settings of a session.

    `groups`: a bound on the groups that a unit contributes to, besides the table's own; private: it is
    chosen. `replay`: whether stored answers are replayed. `preview`: a query that lists private rows is
    answered with names and types, and no row. `noisy_averages`: averages are shown where noise is as large
    as the number of their values. `noise`: which one counts and sums get, if it may be chosen. `population`:
    intervals hold for the population that the units of a table are a sample of. `shows_ends`: answers have
    the ends of the intervals of their numbers, too. `counts_rows`: count(*) counts rows also where nothing
    bounds those of a unit. `private_clamp`: declared bounds on totals are a ceiling, below which a clamp is
    chosen privately. `distinct`: by which function distinct values are counted. `summaries`: whether
    summaries answer, or only they do. `reading`: how the clients of PostgreSQL mean a query; None: queries
    are read as they are.
    """

    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)
    groups: int | Literal["private"] | None = None
    replay: bool = True
    preview: bool = False
    noisy_averages: bool = False
    noise: AskedNoise = "best"
    population: bool = False
    shows_ends: bool = False
    counts_rows: bool = False
    private_clamp: bool = False
    distinct: AskedFunction = "ranked"
    summaries: AskedSummaries = "on"
    reading: PostgresReading | None = None

    @classmethod
    def parse(cls, epsilon: Number | None, delta: Number | None) -> Self:
        """Errors: ParameterError."""
        return cls(
            None if epsilon is None else parse_epsilon(epsilon),
            Fraction(0) if delta is None else parse_delta(delta),
        )

    def beginning_with(self, given: Sequence[tuple[str, str]]) -> Settings:
        """These settings, and those of whoever begins a session, which win. Errors: as of `set`."""
        found = replace(self)
        for name, value in given:
            found.set(name, value)
        return found

    def set(self, name: str, value: str) -> None:  # noqa: C901 (a case for each setting)
        """Errors: ParameterError. UnknownNameError if there is no such setting."""
        match name:
            case "dp_epsilon":
                self.epsilon = parse_epsilon(value)
            case "dp_delta":
                self.delta = parse_delta(value)
            case "dp_max_groups_contributed":
                self.groups = None if value.lower() == "all" else parse_groups(value, name)
            case "dp_replay":
                self.replay = _switch(name, value, "off")
            case "dp_preview":
                self.preview = _preview(value)
            case "dp_noisy_averages":
                self.noisy_averages = _switch(name, value, "on")
            case "dp_noise":
                self.noise = _noise(value)
            case "dp_interval":
                self.population = _population(value)
            case "dp_intervals":
                self.shows_ends = _shows_ends(value)
            case "dp_count":
                self.counts_rows = _counts_rows(value)
            case "dp_clamp":
                self.private_clamp = _clamps_privately(value)
            case "dp_distinct":
                self.distinct = _function(value)
            case "dp_summaries":
                self.summaries = _summaries(value)
            case _:
                raise unknown_setting(name)

    def restore(self, name: str, other: Settings) -> None:
        """Copy one setting from other settings, or all of them. Errors: UnknownNameError."""
        field = _FIELDS.get(name)
        if field is None and name != "all":
            raise unknown_setting(name)
        for one in _FIELDS.values() if field is None else (field,):
            setattr(self, one, getattr(other, one))

    def shown(self, name: str) -> str:  # noqa: C901 (a case for each setting)
        """A setting as text, as SET takes it; empty if it is not set. Errors: UnknownNameError."""
        match name:
            case "dp_epsilon":
                return "" if self.epsilon is None else decimal_text(self.epsilon)
            case "dp_delta":
                return decimal_text(self.delta)
            case "dp_max_groups_contributed":
                return "all" if self.groups is None else str(self.groups)
            case "dp_replay":
                return "on" if self.replay else "off"
            case "dp_preview":
                return "empty" if self.preview else "off"
            case "dp_noisy_averages":
                return "on" if self.noisy_averages else "off"
            case "dp_noise":
                return self.noise
            case "dp_interval":
                return "population" if self.population else "table"
            case "dp_intervals":
                return "columns" if self.shows_ends else "off"
            case "dp_count":
                return "rows" if self.counts_rows else "units"
            case "dp_clamp":
                return "private" if self.private_clamp else "declared"
            case "dp_distinct":
                return self.distinct
            case "dp_summaries":
                return self.summaries
        raise unknown_setting(name)

    @property
    def bound_on_groups(self) -> int | None:
        """The bound on the groups of a unit; None if there is none, or it is chosen privately."""
        return None if self.groups == "private" else self.groups

    def all_shown(self) -> dict[str, str]:
        """Every setting as text, by its name."""
        return {name: self.shown(name) for name in SETTINGS}

    def rows_of(self, name: str) -> list[tuple[str, ...]]:
        """The rows of SHOW: the value of a setting; of all, their names, values and descriptions.

        Errors: UnknownNameError.
        """
        if name != "all":
            return [(self.shown(name),)]
        return [(one, self.shown(one), DESCRIPTIONS[one]) for one in SETTINGS]

    def of_query(self, options: QueryOptions) -> Settings:
        """The settings of a query, after its own options. Errors: ParameterError."""
        bounds = [bound for bound in (self.groups, options.groups) if isinstance(bound, int)]
        return replace(
            self,
            epsilon=self.epsilon if options.epsilon is None else parse_epsilon(options.epsilon),
            delta=self.delta if options.delta is None else parse_delta(options.delta),
            groups=options.groups if options.groups == "private" else min(bounds, default=self.groups),
            noise=self.noise if options.noise is None else _noise(options.noise),
            population=self.population if options.interval is None else _population(options.interval),
            counts_rows=self.counts_rows if options.count is None else _counts_rows(options.count),
            private_clamp=self.private_clamp if options.clamp is None else _clamps_privately(options.clamp),
            distinct=self.distinct if options.distinct is None else _function(options.distinct),
        )


DESCRIPTIONS = {
    "dp_epsilon": "what a query spends of epsilon, if it does not say it",
    "dp_delta": "what a query may spend of delta, if it does not say it",
    "dp_replay": "whether a question that was answered before gets the same answer again",
    "dp_preview": "empty: lists of private rows are answered with names and types, and no row",
    "dp_noisy_averages": "whether averages of what may be no values are shown",
    "dp_max_groups_contributed": "in how many groups a unit counts at most; private: a number that is chosen",
    "dp_noise": "which noise counts and sums get",
    "dp_interval": "whether intervals hold for the table, or for the population that it is a sample of",
    "dp_intervals": "columns: beside each released number n, its interval is n_low and n_high",
    "dp_count": "whether count(*) counts units or rows, where nothing bounds the rows of a unit",
    "dp_clamp": "private: declared bounds on totals are a ceiling, below which a clamp is chosen",
    "dp_distinct": "how distinct values are counted",
    "dp_summaries": "whether summaries answer queries, or only they do",
}
_COLUMNS_OF_ALL = ("name", "setting", "description")


def columns_of(name: str) -> tuple[str, ...]:
    """The columns of SHOW name, or of SHOW ALL."""
    return _COLUMNS_OF_ALL if name == "all" else (name,)


_FIELDS = {
    "dp_epsilon": "epsilon",
    "dp_delta": "delta",
    "dp_max_groups_contributed": "groups",
    "dp_replay": "replay",
    "dp_preview": "preview",
    "dp_noisy_averages": "noisy_averages",
    "dp_noise": "noise",
    "dp_interval": "population",
    "dp_intervals": "shows_ends",
    "dp_count": "counts_rows",
    "dp_clamp": "private_clamp",
    "dp_distinct": "distinct",
    "dp_summaries": "summaries",
}


def _switch(name: str, value: str, example: str) -> bool:
    meant = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}.get(value.lower())
    if meant is None:
        raise ParameterError(f"{name} is on or off", hint=Hint.of(SetTo(name, example), "."))
    return meant


def _noise(value: str) -> AskedNoise:
    found = next((noise for noise in NOISES if noise == value.lower()), None)
    if found is None:
        raise ParameterError(
            "dp_noise is best, laplace or gaussian",
            detail="Best: counts and sums get the noise that makes their errors least.",
            hint=Hint.of(SetTo("dp_noise", "best"), "."),
        )
    noise: AskedNoise = found
    return noise


def _summaries(value: str) -> AskedSummaries:
    found = next((one for one in SUMMARIES if one == value.lower()), None)
    if found is None:
        raise ParameterError(
            "dp_summaries is on, only or off",
            detail="Only: what no summary answers is refused, and nothing is charged.",
            hint=Hint.of(SetTo("dp_summaries", "only"), "."),
        )
    asked: AskedSummaries = found
    return asked


def _population(value: str) -> bool:
    if value.lower() not in INTERVALS:
        raise ParameterError(
            "dp_interval is table or population",
            detail="Table: intervals allow for noise alone. Population: also for which units were sampled.",
            hint=Hint.of(SetTo("dp_interval", "population"), "."),
        )
    return value.lower() == "population"


def _shows_ends(value: str) -> bool:
    if value.lower() not in ENDS:
        raise ParameterError(
            "dp_intervals is columns or off",
            detail="Columns: beside each released number n an answer has n_low and n_high, the ends of its "
            "interval.",
            hint=Hint.of(SetTo("dp_intervals", "columns"), "."),
        )
    return value.lower() == "columns"


def _function(value: str) -> AskedFunction:
    found = next((one for one in get_args(AskedFunction) if one == value.lower()), None)
    if found is None:
        raise ParameterError(
            "dp_distinct is ranked or claims",
            detail="Claims: people claim values in turns, which finds more of them, and needs more memory.",
            hint=Hint.of(SetTo("dp_distinct", "claims"), "."),
        )
    function: AskedFunction = found
    return function


def _preview(value: str) -> bool:
    if value.lower() not in ("empty", "off"):
        raise ParameterError(
            "dp_preview is empty or off",
            detail="Empty: a query that lists private rows is answered with names and types, and no row.",
            hint=Hint.of(SetTo("dp_preview", "empty"), "."),
        )
    return value.lower() == "empty"


def _clamps_privately(value: str) -> bool:
    if value.lower() not in CLAMPS:
        raise ParameterError(
            "dp_clamp is declared or private",
            detail="Private: bounds of policies are a ceiling, below which a clamp is chosen privately.",
            hint=Hint.of(SetTo("dp_clamp", "private"), "."),
        )
    return value.lower() == "private"


def _counts_rows(value: str) -> bool:
    if value.lower() not in COUNTS:
        raise ParameterError(
            "dp_count is units or rows",
            detail="Rows: count(*) counts rows, up to a number for each unit that is chosen privately.",
            hint=Hint.of(SetTo("dp_count", "rows"), "."),
        )
    return value.lower() == "rows"
