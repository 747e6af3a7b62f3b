"""Policy statements as parsed: plain frozen records, independent of the parser."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from dpduck.kernel.catalog.types import Scalar, parse_number
from dpduck.kernel.errors import ParameterError

MAX_CONTRIBUTION = 1_000_000

Window = Literal["day", "week", "month"]
WINDOWS: tuple[Window, ...] = get_args(Window)
Accounting = Literal["pure", "zcdp", "gdp"]
ACCOUNTINGS: tuple[Accounting, ...] = get_args(Accounting)


def parse_bound(value: Scalar, name: str) -> int:
    """Parse a contribution bound, of groups or rows; `name` is used in the error message.

    Errors: ParameterError.

    >>> parse_bound("5", "groups")
    5
    """
    number = parse_number(value)
    if number is not None and number.denominator == 1 and 1 <= number <= MAX_CONTRIBUTION:
        return int(number)
    raise ParameterError(
        f"{name} = {str(value)[:40]} is not a bound on contributions",
        detail=f"It is a whole number from 1 to {MAX_CONTRIBUTION}.",
        hint=f"Write {name} = 5.",
    )


@dataclass(frozen=True)
class TableName:
    """A table as written; without a schema it is in the default schema."""

    name: str
    schema: str | None = None

    def __str__(self) -> str:
        return self.name if self.schema is None else f"{self.schema}.{self.name}"


@dataclass(frozen=True)
class DomainValues:
    """IN (...): the values, in the owner's order; None for NULL."""

    values: tuple[Scalar, ...]


@dataclass(frozen=True)
class DomainRange:
    """BETWEEN (low, high) [STEP step]."""

    low: Scalar
    high: Scalar
    step: Scalar = None


@dataclass(frozen=True)
class DomainReference:
    """REFERENCES table(column): the values of a public table's column whenever they are read."""

    table: TableName
    column: str


DomainText = DomainValues | DomainRange | DomainReference


@dataclass(frozen=True)
class PolicyStatement:
    """A statement of the data owner.

    `forced`: it ends with FORCE, which accepts irreversible consequences. `stands_in`: where it was read, for
    messages; no part of what it says.
    """

    forced: bool = field(default=False, kw_only=True)
    stands_in: str = field(default="", kw_only=True, compare=False, repr=False)


@dataclass(frozen=True)
class PolicyScript(PolicyStatement):
    """Several statements, which take effect together or not at all: BEGIN; ...; COMMIT."""

    statements: tuple[PolicyStatement, ...]


@dataclass(frozen=True)
class TableStatement(PolicyStatement):
    """A statement about one table."""

    table: TableName


@dataclass(frozen=True)
class AddPrivacyKey(TableStatement):
    """ALTER TABLE t ADD PRIVACY_KEY (column): each value of the column is one privacy unit."""

    column: str


@dataclass(frozen=True)
class DropPrivacyKey(TableStatement):
    """ALTER TABLE t DROP PRIVACY_KEY: the table is closed again."""


@dataclass(frozen=True)
class AddPrivacyLink(TableStatement):
    """ALTER TABLE t ADD PRIVACY_LINK (column) REFERENCES target(target_column): whose rows these are."""

    column: str
    target: TableName
    target_column: str


@dataclass(frozen=True)
class DropPrivacyLink(TableStatement):
    """ALTER TABLE t DROP PRIVACY_LINK: the table is closed again."""


@dataclass(frozen=True)
class DropPrivacy(TableStatement):
    """ALTER TABLE t DROP PRIVACY: removes all declarations about the table, which closes it."""


@dataclass(frozen=True)
class SetPublic(TableStatement):
    """ALTER TABLE t SET PUBLIC: the table holds nothing private.

    `columns`: not in the text; a fingerprint of the table's columns at the time of the statement.
    """

    columns: str | None = None


@dataclass(frozen=True)
class SetPrivacyDomain(TableStatement):
    """ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN ... [OR NULL]: the values that a key may have."""

    column: str
    domain: DomainText
    or_null: bool = False


@dataclass(frozen=True)
class DropPrivacyDomain(TableStatement):
    """ALTER TABLE t ALTER COLUMN c DROP PRIVACY DOMAIN."""

    column: str


@dataclass(frozen=True)
class SetContribution(TableStatement):
    """ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = m, rows = r). A bound that is left out is removed.

    Errors: ParameterError.
    """

    groups: int | None = None
    rows: int | None = None

    def __post_init__(self) -> None:
        for name, bound in (("groups", self.groups), ("rows", self.rows)):
            if bound is not None:
                parse_bound(bound, name)


@dataclass(frozen=True)
class SetVersion(TableStatement):
    """ALTER TABLE t SET PRIVACY VERSION 'text': the state of its rows.

    An answer for another version is not replayed.
    """

    version: str


@dataclass(frozen=True)
class DropContribution(TableStatement):
    """ALTER TABLE t DROP PRIVACY CONTRIBUTION."""


@dataclass(frozen=True)
class CreateBudget(PolicyStatement):
    """CREATE PRIVACY BUDGET name LIMIT epsilon ...: a cap on privacy loss.

    `per_query`: the largest epsilon of one query. `window`: spending counts within calendar days, weeks
    or months (None: forever). `analysts`: whose queries count (none: those of all, for each privacy unit).
    `replace`: an existing one of that name is replaced. `accounting`: how costs add up. `keys_delta`: unless
    they add up as epsilon, the part of delta for keys found in private rows (None: see `ledger.Cap`).
    """

    name: str
    epsilon: Fraction
    delta: Fraction | None = None
    per_query: Fraction | None = None
    window: Window | None = None
    analysts: tuple[str, ...] = ()
    replace: bool = False
    accounting: Accounting = "pure"
    keys_delta: Fraction | None = None


@dataclass(frozen=True)
class AlterBudget(PolicyStatement):
    """ALTER PRIVACY BUDGET name ...: changes the given clauses of a budget.

    `changes`: fields of `CreateBudget` and their new values.
    """

    name: str
    changes: tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class DropBudget(PolicyStatement):
    """DROP PRIVACY BUDGET name."""

    name: str


@dataclass(frozen=True)
class ShowPrivacy:
    """SHOW PRIVACY: every table with its policy."""


@dataclass(frozen=True)
class ShowPrivacyFor:
    """SHOW PRIVACY FOR t: which queries a table can answer."""

    table: TableName


@dataclass(frozen=True)
class ShowBudgets:
    """SHOW PRIVACY BUDGETS: caps and spending."""


@dataclass(frozen=True)
class ShowBudgetsFor:
    """ESTIMATE_REMAINING_DP_AGGREGATES('t'): how many more queries on a table its budgets allow."""

    table: TableName


ShowStatement = ShowPrivacy | ShowPrivacyFor | ShowBudgets | ShowBudgetsFor


# --- summaries -----------------------------------------------------------------------------------

SummaryNoise = Literal["auto", "laplace", "gaussian"]
SUMMARY_NOISES: tuple[SummaryNoise, ...] = get_args(SummaryNoise)


@dataclass(frozen=True)
class SummaryColumn:
    """A column of a summary. `sql`: the expression as written; `name`: its own, or that of AS.

    `bands`: the first value of each band but the lowest; none: each value is a cell.
    """

    sql: str
    name: str
    bands: tuple[Scalar, ...] = ()


@dataclass(frozen=True)
class Ways:
    """ALL k WAY: all tables of k columns and fewer, as a part of a workload."""

    columns: int


@dataclass(frozen=True)
class CreateSummary:
    """CREATE PRIVACY SUMMARY name ON table (column, ...) [clauses] EPSILON epsilon.

    `workload`: what it is planned for, tables and the texts of queries, with as many `weights`; none of
    either: all tables of two columns. `rows`: how many rows of each unit count, in total; None: as the schema
    says. `measures`: the texts of numbers of rows of which sums and means are answered. `max_age`: days after
    which it answers no more. `text`: the statement as written. `replace`: an existing one of that name is
    replaced. `forced`: the owner makes it even if each of its numbers is noise.
    """

    name: str
    table: TableName
    columns: tuple[SummaryColumn, ...]
    epsilon: Fraction
    workload: tuple[Ways | str, ...] = ()
    weights: tuple[Fraction, ...] = ()
    rows: int | None = None
    delta: Fraction | None = None
    noise: SummaryNoise = "auto"
    max_age: Fraction | None = None
    replace: bool = False
    measures: tuple[str, ...] = ()
    forced: bool = False
    text: str = field(default="", compare=False)


@dataclass(frozen=True)
class ExplainSummary:
    """EXPLAIN CREATE PRIVACY SUMMARY ...: its tables, what each costs, and how exact it would be; free."""

    create: CreateSummary


@dataclass(frozen=True)
class RefreshSummary:
    """ALTER PRIVACY SUMMARY name REFRESH: the same tables of the present rows, at the same price again."""

    name: str


@dataclass(frozen=True)
class DropSummary:
    """DROP PRIVACY SUMMARY name. What it cost stays spent."""

    name: str


@dataclass(frozen=True)
class ShowSummaries:
    """SHOW PRIVACY SUMMARIES."""


@dataclass(frozen=True)
class ShowSummary:
    """SHOW PRIVACY SUMMARY name: its columns, tables and errors."""

    name: str


@dataclass(frozen=True)
class ReleasedNumbers:
    """SELECT * FROM dp_summary('name'): the noisy tables as they were released."""

    name: str


SummaryStatement = (
    CreateSummary
    | ExplainSummary
    | RefreshSummary
    | DropSummary
    | ShowSummaries
    | ShowSummary
    | ReleasedNumbers
)
