"""Parses the statements of a session's settings: SET, SHOW and RESET of a name that begins with dp_.

What is not set is as the session began. OPTIONS of a query takes the same words for its own settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from sqlglot import exp

from dpduck.compiler.parse.dialect import SettingStatement
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.parse.policy_statements import constant_text
from dpduck.kernel.catalog.statements import parse_bound
from dpduck.kernel.errors import UnknownNameError, UnsupportedSqlError
from dpduck.kernel.errors.advice import Hint, SetTo

AskedNoise = Literal["best", "laplace", "gaussian"]  # that counts and sums may be asked to have
NOISES: tuple[AskedNoise, ...] = get_args(AskedNoise)
DISTINCT = ("ranked", "claims")  # by which function distinct values may be asked to be counted
INTERVALS = ("table", "population")  # for which the ends of intervals may be asked to hold
ENDS = ("columns", "off")  # whether an answer has the ends of the intervals of its numbers
CLAMPS = ("declared", "private")  # how totals of units are bounded that a policy bounds
AskedSummaries = Literal["on", "only", "off"]  # whether they answer, and whether nothing else does
SUMMARIES: tuple[AskedSummaries, ...] = get_args(AskedSummaries)
COUNTS = ("units", "rows")  # what count(*) may be asked to count where nothing bounds the rows of a unit
SETTINGS = (
    "dp_epsilon",
    "dp_delta",
    "dp_replay",
    "dp_preview",
    "dp_noisy_averages",
    "dp_max_groups_contributed",
    "dp_noise",
    "dp_interval",
    "dp_intervals",
    "dp_count",
    "dp_clamp",
    "dp_distinct",
    "dp_summaries",
)


@dataclass(frozen=True)
class SetOption:
    """SET name = value; the value is kept as text, since epsilon and delta are parsed exactly."""

    name: str
    value: str


@dataclass(frozen=True)
class ShowSetting:
    """SHOW name: the present value of a setting; `name` is all for each of them."""

    name: str


@dataclass(frozen=True)
class ResetSetting:
    """RESET name, or SET name = DEFAULT: as the session began. `name`: all for each of them."""

    name: str


def parse_groups(text: str, name: str) -> int | Literal["private"]:
    """Parse a bound on the groups of a unit, or the word for one that is chosen. Errors: ParameterError."""
    return "private" if text.lower() == "private" else parse_bound(text, name)


def of_setting(tree: exp.Set | SettingStatement) -> SetOption | ShowSetting | ResetSetting:
    """Return a statement of a setting. Errors: UnknownNameError, UnsupportedSqlError."""
    if isinstance(tree, exp.Set):
        return _set_option(tree)
    name = str(tree.this)
    if name not in (*SETTINGS, "all"):
        raise unknown_setting(name)
    return ShowSetting(name) if tree.args["word"] == "SHOW" else ResetSetting(name)


def unknown_setting(name: str) -> UnknownNameError:
    """The error for a setting that there is not."""
    return UnknownNameError(f"there is no setting {name[:60]}", hint=f"There are {', '.join(SETTINGS)}.")


def _set_option(tree: exp.Set) -> SetOption | ResetSetting:
    item = tree.expressions[0] if len(tree.expressions) == 1 else None
    equation = item.this if isinstance(item, exp.SetItem) and not item.args.get("kind") else None
    if (
        tree.args.get("unset")
        or not isinstance(equation, exp.EQ)
        or not isinstance(equation.this, exp.Column)
    ):
        raise _unknown_setting()
    name = equation.this.name.lower()
    if name not in SETTINGS or len(equation.this.parts) != 1:
        raise _unknown_setting()
    if _is_default(equation.expression):
        return ResetSetting(name)
    if name in _CHOICES:
        return SetOption(name, chosen(name, equation.expression))
    return SetOption(name, constant_text(equation.expression))


def _is_default(node: exp.Expr) -> bool:
    """Whether a value is the word DEFAULT."""
    return isinstance(node, (exp.Column, exp.Var)) and node.name.upper() == "DEFAULT"


_WHICH_NOISE = "Best: counts and sums get the noise that makes their errors least, if delta allows it."
_WHICH_INTERVAL = (
    "Table: dp_low and dp_high hold for the table, and allow for noise alone. Population: they hold for the "
    "population that its units are a sample of."
)
_WHICH_COUNT = (
    "Units: count(*) counts each unit once, where nothing bounds its rows. Rows: it counts rows, up to a "
    "number for each unit that is chosen privately, with half of epsilon."
)
_WHICH_CLAMP = (
    "Declared: bounds of policies are how much of each unit counts. Private: they are a ceiling, below which "
    "a clamp is chosen privately, with half of epsilon."
)
_WHICH_FUNCTION = (
    "Ranked: each person counts with its own first l values. Claims: people claim l values each in turns, "
    "which finds more, and needs all pairs of a person and a value in memory."
)
_CHOICES: Mapping[str, tuple[Sequence[str], str, str]] = {
    "dp_replay": (
        ("on", "off"),
        "off",
        "On: a question that was answered before gets the same answer again.",
    ),
    "dp_preview": (
        ("empty", "off"),
        "empty",
        "Empty: a query that lists private rows is answered with names and types, and no row.",
    ),
    "dp_summaries": (
        SUMMARIES,
        "only",
        "On: a summary answers where its numbers are as good. Only: what none answers is refused, and "
        "nothing is charged.",
    ),
    "dp_noisy_averages": (
        ("on", "off"),
        "on",
        "On: an average is shown even where noise is as large as the number of its values.",
    ),
    "dp_noise": (NOISES, "gaussian", _WHICH_NOISE),
    "noise": (NOISES, "'gaussian'", _WHICH_NOISE),
    "dp_interval": (INTERVALS, "population", _WHICH_INTERVAL),
    "interval": (INTERVALS, "'population'", _WHICH_INTERVAL),
    "dp_intervals": (
        ENDS,
        "columns",
        "Columns: beside each released number n an answer has n_low and n_high, the ends of its interval.",
    ),
    "dp_count": (COUNTS, "rows", _WHICH_COUNT),
    "count": (COUNTS, "'rows'", _WHICH_COUNT),
    "dp_clamp": (CLAMPS, "private", _WHICH_CLAMP),
    "clamp": (CLAMPS, "'private'", _WHICH_CLAMP),
    "dp_distinct": (DISTINCT, "claims", _WHICH_FUNCTION),
    "distinct_values": (DISTINCT, "'claims'", _WHICH_FUNCTION),
}


def chosen(name: str, node: exp.Expr) -> str:
    """Return the word that a setting is set to, in lower case. Errors: UnsupportedSqlError.

    TRUE and FALSE are on and off.
    """
    words, example, detail = _CHOICES[name]
    text = ("on" if node.this else "off") if isinstance(node, exp.Boolean) else node.name.lower()
    if isinstance(node, (exp.Boolean, exp.Var, exp.Column, exp.Literal)) and text in words:
        return text
    advice = Hint.of("Write ", SetTo(name, example) if name in SETTINGS else f"{name} = {example}", ".")
    raise refusal(f"{name} is {', '.join(words[:-1])} or {words[-1]}", detail, advice, node)


def _unknown_setting() -> UnsupportedSqlError:
    return refusal(
        "this SET statement is not supported",
        "Settings of DuckDB and variables could carry private values from one statement to the next.",
        Hint.of("Write ", SetTo("dp_epsilon", "0.5"), " or ", SetTo("dp_delta", "1e-6"), "."),
    )
