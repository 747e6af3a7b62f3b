"""`dpduck audit`: run queries on a copy of the data and on its neighbours, and report what reveals a unit.

Nothing is charged: the copies are in a private folder, which is removed at the end, and each conversation has
its own ledger in memory.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from dpduck.answers.claimed_bounds import ComparedBound
from dpduck.doors.audit.bounds import ALPHA
from dpduck.doors.audit.carrying import Carrier
from dpduck.doors.audit.differential import Difference, Pair
from dpduck.doors.audit.doors import AuditDoor, Place, PythonDoor, Talk
from dpduck.doors.audit.drawing import Drawer, Verdict, drawing, judged, measure
from dpduck.doors.audit.files import file_neighbours
from dpduck.doors.audit.neighbours import Neighbour, neighbours
from dpduck.doors.connection import connect
from dpduck.engines.duckdb.path import DataPath
from dpduck.engines.source import open_source
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.catalog.statements import AddPrivacyKey, PolicyStatement
from dpduck.kernel.errors import ParameterError, PolicyError
from dpduck.kernel.tree.emit import identifier
from dpduck.policies import load_catalog

CLAIMED = Fraction(2)  # the epsilon for draws of a query that sets none itself
_UNCAPPED = Fraction(4)  # epsilon of a query on a file, whose cap of 10 stays
_SHARE, _END = 0.5, 0.95  # of the time: comparisons end at the first share, bounds at the second
_MOST_NEIGHBOURS, _MOST_TRIED, _MOST_MEASURED = 12, 12, 3
_TRIAL, _TRIAL_SHARE = 400, 0.3  # draws that select the queries worth more, and their share of the time left
_DOUBT = Fraction(1, 20)  # alpha of a trial
_MOST_DRAWS, _FEWEST_DRAWS = 100_000, 40


@dataclass(frozen=True)
class Task:
    """What to audit.

    `source`: where the queries come from, in words; `seconds`: approximate duration; `check`: called
    regularly, and raises an error to end the audit.
    """

    file: DataPath
    policies: tuple[PolicyStatement, ...]
    queries: Sequence[str]
    source: str
    seconds: float = 60.0
    check: Callable[[], None] = lambda: None


@dataclass
class Findings:
    """What was tried, and what was found.

    `refused`: queries that dpduck refuses, with reasons; `doors`: interfaces used; `tried`: labels of
    the neighbours; `comparisons`: pairs of conversations; `untold`: queries whose trial draws showed less
    than those of others, which got the remaining draws; `views`: private views, whose units were not removed;
    `relied_on`: of each query what its noise relies on, computed and claimed; `whole`: whether the time
    sufficed for everything.
    """

    task: Task
    asked: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    doors: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    comparisons: int = 0
    differences: list[Difference] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    views: list[str] = field(default_factory=list)
    relied_on: list[tuple[str, str, ComparedBound]] = field(default_factory=list)
    whole: bool = True
    seconds: float = 0.0

    @property
    def worst(self) -> Verdict | None:
        """The bound that is largest relative to its claim."""
        return max(self.verdicts, key=lambda verdict: verdict.ratio, default=None)

    @property
    def clean(self) -> bool:
        """Whether nothing differs and no bound is above its claim."""
        return not self.differences and (self.worst is None or self.worst.ratio <= 1)


def catalog_of(file: DataPath, policies: Sequence[PolicyStatement]) -> Catalog:
    """The catalog of a file. Errors: UnknownNameError, PolicyError; ParameterError if nothing is private."""
    file.check()
    if file.is_set or file.is_lake or file.scheme is not None:
        raise ParameterError(
            f"{file} is not one file",
            detail="An audit copies what it tries: one database, Parquet or CSV file.",
            hint="Give the path of one of the files.",
        )
    source = open_source(file, read_only=True, policies=policies)
    with closing(source.connection), source.connection.cursor() as cursor:
        catalog = load_catalog(cursor, source.policies)
    if not any(table.private for table in catalog.tables):
        raise PolicyError(
            f"nothing in {file} is private",
            detail="No table has a privacy key, so that there is nothing to audit.",
            hint="ALTER TABLE t ADD PRIVACY_KEY (column), or --unit COLUMN for a Parquet or CSV file.",
        )
    if file.is_database and all(table.definition for table in catalog.tables if table.private):
        raise PolicyError(
            f"only views are private in {file}",
            detail="An audit takes persons away, and cannot tell which rows of other files are theirs.",
            hint="Audit the files that the views read, each with --unit COLUMN.",
        )
    return catalog


def run(task: Task) -> Findings:
    """Run an audit. Errors: DpduckError, before anything is tried."""
    start, findings = time.monotonic(), Findings(task)
    with TemporaryDirectory(prefix="dpduck-audit-") as folder, _Copies(task, Path(folder)) as copies:
        findings.views = copies.views()
        _compare(copies, findings, start + _SHARE * task.seconds)
        with drawing(replace(copies.base, epsilon=CLAIMED)) as one:
            findings.relied_on = [(sql, *found) for sql in findings.asked for found in one.relied_on(sql)]
        if not findings.differences:
            _measure(copies, findings, start + _END * task.seconds)
    findings.seconds = time.monotonic() - start
    return findings


# --- copies --------------------------------------------------------------------------------------


class _Copies(ExitStack):
    """Copies of the data and of its neighbours, each in its own folder."""

    def __init__(self, task: Task, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._task = task
        self._number = 0
        self.base = self._copy(Path(task.file.text))
        if task.file.is_database:
            _lift_budgets(self.base.file)

    def neighbours(self) -> Iterator[Neighbour]:
        """The neighbours worth trying."""
        units = [one.column for one in self._task.policies if isinstance(one, AddPrivacyKey)]
        if units:
            return islice(file_neighbours(self.base.file, units[0]), _MOST_NEIGHBOURS)
        with duckdb.connect(str(self.base.file), read_only=True) as connection:
            found = list(islice(neighbours(connection, load_catalog(connection)), _MOST_NEIGHBOURS))
        return iter(found)

    def views(self) -> list[str]:
        """The private views, whose units are not among those neighbours."""
        if not self._task.file.is_database:
            return []
        with duckdb.connect(str(self.base.file), read_only=True) as connection:
            tables = load_catalog(connection).tables
        return [table.name for table in tables if table.private and table.definition is not None]

    @contextmanager
    def changed(self, neighbour: Neighbour) -> Iterator[Place]:
        """A copy of the file, changed to the neighbour."""
        place = self._copy(self.base.file)
        neighbour.change(place.file)
        yield place
        shutil.rmtree(place.file.parent)

    def _copy(self, file: Path) -> Place:
        self._number += 1
        folder = self._folder / str(self._number)
        folder.mkdir(mode=0o700)
        for path in (file, file.with_name(f"{file.name}.wal")):
            if path.exists():
                shutil.copyfile(path, folder / path.name)
        place = Place(folder / file.name, self._task.policies)
        return place if self._task.file.is_database else replace(place, epsilon=_UNCAPPED)


def _lift_budgets(file: Path) -> None:
    """Replace all budgets of a copy, where nothing is spent, by one cap that is never reached."""
    with connect(file, ledger=file.with_name("owner.ledger")) as owner:
        budgets = owner._service.catalog().budgets
        ways = {budget.accounting for budget in budgets}
        for budget in budgets:
            owner.execute(f"DROP PRIVACY BUDGET {identifier(budget.name)} FORCE")
        # Plans depend on whether some budget adds up epsilon, not on what the others add up.
        terms = "LIMIT 1000000 DELTA 0.5" + (" ACCOUNTING zcdp" if ways and "pure" not in ways else "")
        owner.execute(f"CREATE PRIVACY BUDGET dpduck_audit {terms} FORCE")


# --- differences ---------------------------------------------------------------------------------


def _doors() -> list[AuditDoor]:
    """The interfaces whose extras are installed."""
    found: list[AuditDoor] = [PythonDoor()]
    with suppress(ImportError):
        from dpduck.doors.audit.gateway import GatewayDoor

        found.append(GatewayDoor())
    return found


def _compare(copies: _Copies, findings: Findings, until: float) -> None:
    doors, carrier = _doors(), Carrier()
    findings.doors = [door.name for door in doors]
    with carrier.installed(), ExitStack() as stack:
        first = [stack.enter_context(door.open(copies.base)) for door in doors]
        _try_each(first[0], findings)
        for neighbour in copies.neighbours():
            if findings.tried and time.monotonic() > until:  # at least one is tried
                findings.whole = False
                break
            with copies.changed(neighbour) as place, ExitStack() as beside:
                second = [beside.enter_context(door.open(place)) for door in doors]
                talks = zip(findings.doors, first, second, strict=True)
                pairs = [Pair(name, neighbour, (one, two)) for name, one, two in talks]
                _compare_pairs(pairs, findings, carrier, until)
            findings.tried.append(neighbour.label)


def _try_each(talk: Talk, findings: Findings) -> None:
    """Find out which of the queries are answered."""
    for sql in findings.task.queries:
        findings.task.check()
        refused = talk.ask(sql).refused
        if refused is None:
            findings.asked.append(sql)
        else:
            findings.refused[sql] = refused.split(" | ")[1].splitlines()[0]


def _compare_pairs(pairs: Sequence[Pair], findings: Findings, carrier: Carrier, until: float) -> None:
    for sql in findings.asked:
        findings.task.check()
        if findings.tried and time.monotonic() > until:
            findings.whole = False
            return
        for pair in pairs:
            findings.comparisons += 1
            _, found = pair.compare(sql, carrier)
            found = found or pair.moved(sql, carrier)
            if found is not None:
                findings.differences.append(found)
                break  # one is enough; the other interfaces show it too


# --- bounds --------------------------------------------------------------------------------------


def _measure(copies: _Copies, findings: Findings, until: float) -> None:
    """Bound epsilon with the first neighbour, whose unit is the most conspicuous, for the best queries."""
    neighbour = next(copies.neighbours(), None)
    if neighbour is None:
        return
    with copies.changed(neighbour) as place, ExitStack() as stack:
        places = (replace(one, epsilon=CLAIMED) for one in (copies.base, place))
        one, two = (stack.enter_context(drawing(place)) for place in places)
        draws = _Draws(neighbour.label, one, two)
        claimed = [sql for sql in findings.asked if one.claim(sql)][:_MOST_TRIED]
        trial = time.monotonic() + _TRIAL_SHARE * (until - time.monotonic())
        tried = _each(claimed, trial, findings, partial(draws.verdict, draws=_TRIAL, alpha=_DOUBT))
        best = sorted(tried, key=lambda verdict: -verdict.ratio)[:_MOST_MEASURED]
        findings.verdicts = _each([found.query for found in best], until, findings, draws.verdict)
        findings.untold = [sql for sql in claimed if sql not in {found.query for found in findings.verdicts}]


def _each(
    queries: Sequence[str], until: float, findings: Findings, look: Callable[[str, float], Verdict]
) -> list[Verdict]:
    """A verdict on each query, with equal shares of the remaining time."""
    found = []
    for number, sql in enumerate(queries):
        now = time.monotonic()
        found.append(look(sql, now + (until - now) / (len(queries) - number)))
        findings.task.check()
    return [verdict for verdict in found if verdict.draws >= _FEWEST_DRAWS]


@dataclass(frozen=True)
class _Draws:
    """Draws of a database and of a neighbour."""

    neighbour: str
    one: Drawer
    two: Drawer

    def verdict(
        self, sql: str, until: float, *, draws: int = _MOST_DRAWS, alpha: Fraction = ALPHA
    ) -> Verdict:
        """The verdict of that many draws, or of as many as there is time for."""
        samples = measure(partial(self.one.release, sql), partial(self.two.release, sql), draws, until)
        claim = self.one.claim(sql) or (CLAIMED, Fraction(0))
        return judged(sql, self.neighbour, claim, samples, alpha)
