"""Policies as a script: read from a text or a file, and written as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from dpduck.compiler.parse.statements import holds_statement, parse
from dpduck.kernel.catalog.csv_format import SetCsv
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    AddPrivacyLink,
    CreateBudget,
    PolicyScript,
    PolicyStatement,
    SetContribution,
    SetPrivacyDomain,
    SetPublic,
    SetVersion,
    TableStatement,
)
from dpduck.kernel.errors import DpduckError, PolicyError, SqlSyntaxError
from dpduck.kernel.errors.advice import Hint
from dpduck.policies.wording import sql_of

_FORM = "ALTER TABLE visits ADD PRIVACY_KEY (visitor);"
# The order in which statements can be run: each stands on those before it.
_ORDER = (
    SetCsv,
    SetPublic,
    AddPrivacyKey,
    AddPrivacyLink,
    SetPrivacyDomain,
    SetContribution,
    SetVersion,
    CreateBudget,
)


def read_script(text: str, name: str) -> tuple[PolicyStatement, ...]:
    """The policy statements of a text, which may hold comments; none if it holds nothing else.

    Input: `name`: of the text, for messages. Errors: SqlSyntaxError, PolicyError; both say where.
    """
    failure: DpduckError | None = None
    said: object = None
    try:
        if not holds_statement(text):
            return ()
        said = parse(text)
    except DpduckError as error:
        failure = error
    if failure is not None:
        raise _unreadable(failure, text, name)
    if not isinstance(said, PolicyStatement):
        raise PolicyError(
            f"{name} holds more than policies",
            detail="A policy script holds statements of the data owner, and nothing that asks a question.",
            hint=f"Write statements such as {_FORM}",
        )
    each = said.statements if isinstance(said, PolicyScript) else (said,)
    of = f" of {len(each)}" if len(each) > 1 else ""
    return tuple(replace(one, stands_in=f"statement {n}{of} in {name}") for n, one in enumerate(each, 1))


def read_script_file(place: Path) -> tuple[PolicyStatement, ...]:
    """The policy statements in a file. Errors: PolicyError if it cannot be read; as of `read_script`."""
    try:
        return read_script(place.read_text(encoding="utf-8-sig"), str(place))
    except OSError as error:
        reason = f"The system says: {(error.strerror or str(error)).lower()}."
    except UnicodeDecodeError:
        reason = "It is not UTF-8."
    raise PolicyError(
        f"the policies in {place} cannot be read",
        detail=reason,
        hint="Give the path of a file with policy statements; dpduck suggest FILE writes a first one.",
    )


def _unreadable(error: DpduckError, text: str, name: str) -> DpduckError:
    line = "" if error.position is None else f", line {text[: error.position - 1].count(chr(10)) + 1}"
    kind = SqlSyntaxError if isinstance(error, SqlSyntaxError) else PolicyError
    detail = "" if error.reason is None else f" {error.reason}"
    return kind(
        f"{name}{line}: {error.message}",
        detail=f"So none of its policies holds.{detail}",
        hint=error.advice or Hint.of(f"Write statements such as {_FORM}"),
    )


def in_order(said: Iterable[PolicyStatement]) -> list[PolicyStatement]:
    """Statements in an order in which they can be run: a link after what it leads to, names in order."""
    kinds = {kind: place for place, kind in enumerate(_ORDER)}
    waiting = sorted(said, key=lambda one: (kinds.get(type(one), len(kinds)), sql_of(one)))
    links = {_place(one): one for one in waiting if isinstance(one, AddPrivacyLink)}

    def depth(one: PolicyStatement) -> int:
        seen = 0
        while isinstance(one, AddPrivacyLink) and seen <= len(links):
            found = links.get(_named(one.target.schema, one.target.name))
            seen += 1
            if found is None:
                break
            one = found
        return seen

    return sorted(waiting, key=lambda one: (kinds.get(type(one), len(kinds)), depth(one)))


def _place(said: TableStatement) -> tuple[str, str]:
    return _named(said.table.schema, said.table.name)


def _named(schema: str | None, name: str) -> tuple[str, str]:
    return fold(schema or "main"), fold(name)


def script_text(said: Iterable[PolicyStatement]) -> str:
    """Statements as a script, each on a line of its own."""
    return "".join(f"{sql_of(one)};\n" for one in in_order(said))
