"""`dpduck check`: read the settings as `dpduck serve` would, look at what they name, and judge it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from dpduck.doors.cli.arguments import Arguments, make_parser, read_arguments
from dpduck.doors.cli.checks import Finding, Grade, Setup, caps, fault_of, findings, read_mounts
from dpduck.doors.cli.configuration import PREFIX, USUAL_NAME, commands_of, strangers
from dpduck.doors.cli.usage import UsageError
from dpduck.doors.console.writer import Writer
from dpduck.engines.source import Source, open_source
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.ledger import Ledger, open_ledger
from dpduck.kernel.ledger.glance import version_of
from dpduck.kernel.ledger.versions import OLDER, VERSION
from dpduck.policies import load_catalog

_ROWS = "SELECT schema_name, table_name, estimated_size FROM duckdb_tables() WHERE NOT internal"
_FAILS = (Grade.WRONG, Grade.DANGER)


def check(options: Arguments, writer: Writer) -> None:
    """Check the settings of a server. Errors: SystemExit with 1 if something is wrong or dangerous, with 2 if
    the settings cannot be read."""
    place = options.config or os.environ.get(f"{PREFIX}CONFIG") or _usual()
    if place is None and f"{PREFIX}FILE" not in os.environ:
        raise UsageError(
            "there are no settings to check",
            detail=f"No file of settings is given, {PREFIX}CONFIG names none, and no {USUAL_NAME} is here.",
            hint=f"Give its place: dpduck check /etc/dpduck/{USUAL_NAME}",
        )
    served = read_arguments(
        ["serve", *([] if place is None else ["--config", str(place)])], speaker="dpduck check"
    )
    found = _examine(served)
    for finding in found:
        writer.show(_lines(finding))
    writer.show(f"{caps(served.serving)}\n")
    writer.show(_summary(found))
    if any(finding.grade in _FAILS for finding in found):
        raise SystemExit(1)


def warnings(options: Arguments, source: Source, ledger: Ledger) -> list[str]:
    """What is dangerous about a server that starts, a line each."""
    found = _found(_setup(options, source, _Ledger(len(ledger.analysts()))))
    return [f"warning: {one.message}. {one.advice}" for one in found if one.grade is Grade.DANGER]


def _found(setup: Setup) -> list[Finding]:
    """All findings. Those about logins need the packages of a server."""
    try:
        logins = import_module("dpduck.doors.cli.login_checks").LOGIN_CHECKS
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("dpduck"):
            raise
        logins = ()
    return findings(setup, logins)


def _usual() -> str | None:
    return USUAL_NAME if Path(USUAL_NAME).exists() else None


def _examine(options: Arguments) -> list[Finding]:
    """Open the data and the ledger, if they can be opened without a change, and check all of it."""
    wrong: list[Finding] = []
    asked = _Ledger()
    try:
        asked = _ledger(options, wrong)
    except DpduckError as error:
        wrong.append(fault_of(error))
    try:
        source = open_source(options.file, read_only=True, policies=options.policies, memory=options.memory)
    except DpduckError as error:
        return [*wrong, fault_of(error), *_found(_setup(options, None, asked))]
    try:
        return [*wrong, *_found(_setup(options, source, asked))]
    except DpduckError as error:
        return [*wrong, fault_of(error)]
    finally:
        source.connection.close()


@dataclass(frozen=True)
class _Ledger:
    """What a ledger tells, if it is opened: how many may log in, and the bytes of kept numbers by analyst."""

    logins: int | None = None
    kept: Mapping[str | None, int] = field(default_factory=dict)


def _ledger(options: Arguments, found: list[Finding]) -> _Ledger:
    """Ask the ledger, if there is one of this version. Errors: LedgerError."""
    version = version_of(options.ledger_path)
    if version is not None and version in OLDER:
        found.append(
            Finding(
                Grade.ADVICE,
                f"the ledger is of version {version}",
                f"It is upgraded to version {VERSION} when it is next opened.",
                f"dpduck ledger {options.file} --upgrade",
            )
        )
    # Opening would make or upgrade a ledger, and make an anchor that is gone.
    if version in (None, *OLDER) or not (options.ledger_is_shared or Path(options.anchor_path).exists()):
        return _Ledger()
    with open_ledger(options.ledger_path, options.anchor) as ledger:
        return _Ledger(len(ledger.analysts()), ledger.kept_bytes())


def _setup(options: Arguments, source: Source | None, asked: _Ledger) -> Setup:
    """The facts to check. Errors: DpduckError if the policies cannot be read."""
    unknown = tuple(strangers(os.environ, commands_of(make_parser())))
    if source is None:
        return Setup(options, logins=asked.logins, strangers=unknown, mounts=read_mounts(), kept=asked.kept)
    with source.connection.cursor() as cursor:
        catalog = load_catalog(cursor, source.policies, left_out=source.left_out, values=False)
        # The number of rows is public (docs/GATEWAY.md); that of people would have to be paid for.
        sizes = {(schema, name): size for schema, name, size in cursor.execute(_ROWS).fetchall()}
    rows = {t.full_name: sizes.get((t.schema, t.name), 0) for t in catalog.tables if t.private}
    return Setup(options, catalog, rows, asked.logins, unknown, read_mounts(), asked.kept)


def _lines(finding: Finding) -> str:
    more = [text for text in (finding.reason, finding.advice) if text]
    return "".join([f"{finding.grade.value:<7} {finding.message}\n", *(f"        {text}\n" for text in more)])


def _summary(found: list[Finding]) -> str:
    counts = {grade: sum(finding.grade is grade for finding in found) for grade in Grade}
    return "check: " + ", ".join(f"{counts[grade]} {grade.value}" for grade in Grade) + "\n"
