"""What a policy statement says, as parsed: plain frozen records, free of the parser."""

from __future__ import annotations

from dataclasses import dataclass

from dpduck.sqltypes import Scalar


@dataclass(frozen=True)
class TableName:
    """A table as written; without a schema it is in the default schema."""

    name: str
    schema: str | None = None

    def __str__(self) -> str:
        return self.name if self.schema is None else f"{self.schema}.{self.name}"


@dataclass(frozen=True)
class DomainValues:
    """IN (...): the values, in the owner's order."""

    values: tuple[Scalar, ...]


@dataclass(frozen=True)
class DomainRange:
    """BETWEEN (low, high) [STEP step]."""

    low: Scalar
    high: Scalar
    step: Scalar = None


@dataclass(frozen=True)
class PolicyStatement:
    """A statement of the data owner about one table."""

    table: TableName


@dataclass(frozen=True)
class AddPrivacyKey(PolicyStatement):
    """ALTER TABLE t ADD PRIVACY_KEY (column): each value of the column is one privacy unit."""

    column: str


@dataclass(frozen=True)
class DropPrivacyKey(PolicyStatement):
    """ALTER TABLE t DROP PRIVACY_KEY: the table is closed again."""


@dataclass(frozen=True)
class SetPublic(PolicyStatement):
    """ALTER TABLE t SET PUBLIC: the table holds nothing private."""


@dataclass(frozen=True)
class SetPrivacyDomain(PolicyStatement):
    """ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN ...: the values that a key may take."""

    column: str
    domain: DomainValues | DomainRange
