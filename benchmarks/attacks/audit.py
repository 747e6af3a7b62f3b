"""Lower bounds on epsilon from draws: what mechanisms show of neighbours, beside what they claim.

For each mechanism 50 pairs of neighbours, of which the first is the worst that is known. Each bound is wrong
with a chance of at most 1 in 1,000,000,000 (`dpduck.doors.audit.bounds`). A bound above a claim refutes it;
bounds below it prove nothing. In rho, the claim is the epsilon that follows at a delta.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from benchmarks.attacks.audit_cases import Case, Neighbours, cases
from benchmarks.report.results import Record, Run
from dpduck.doors.audit.bounds import Pair, choose, judge
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.conversion import epsilon_at
from dpduck.kernel.accounting.events import Event
from dpduck.kernel.noise import SystemEntropy

IN_RHO = (Fraction(1, 20), Fraction(1, 1000))  # the deltas at which rho is audited
HEADER = ("mechanism", "account", "pairs", "draws", "claim", "highest bound", "of the claim")


@dataclass(frozen=True)
class Plan:
    """How many draws: on the worst pair (and on every pair, where they are cheap), and on the others.

    `names`: of the mechanisms; none: all. `processes`: that share the work.
    """

    draws: int = 1_000_000
    others: int = 100_000
    names: tuple[str, ...] = ()
    processes: int = 2

    def of(self, case: Case, place: int) -> int:
        """How many draws on each side of a pair."""
        return round((self.draws if case.cheap or place == 0 else self.others) * case.share)

    @property
    def scale(self) -> float:
        """1 for a full run."""
        return min(1, self.draws / 1_000_000)


def main(plan: Plan, out: Path) -> int:
    """Draw and judge; print and write each line when it is there. Exit code: 1 if a claim is refuted."""
    run = Run.start("audit", plan.scale)
    wanted = [case.name for case in cases() if case.name in plan.names or not plan.names]
    refuted = False
    for records in _shared(plan, wanted):
        run.write(out, records)
        for record in records:
            print("  ".join(row_of(record)), flush=True)
        refuted = refuted or any(record["bound"] > record["claim"] for record in records)
    return int(refuted)


def _shared(plan: Plan, names: Sequence[str]) -> Iterator[list[Record]]:
    if plan.processes == 1:
        yield from map(partial(_audited, plan), names)
        return
    with get_context("spawn").Pool(plan.processes) as pool:
        yield from pool.imap(partial(_audited, plan), names)


def _audited(plan: Plan, name: str) -> list[Record]:
    return audit(next(case for case in cases() if case.name == name), plan)


def audit(case: Case, plan: Plan) -> list[Record]:
    """A line for each account of a mechanism: the highest bound of all pairs, and that of the worst."""
    start = time.perf_counter()
    bounds: dict[str, list[float]] = {}
    claims: dict[str, float] = {}
    for place, pair in enumerate(case.pairs):
        draws = plan.of(case, place)
        for account, claim, bound in _bounds(case, pair, draws):
            claims[account] = claim
            bounds.setdefault(account, []).append(bound)
    facts = {"mechanism": case.name, "pairs": len(case.pairs), "draws": plan.of(case, 0)}
    facts |= {"draws_of_others": plan.of(case, 1)}
    facts |= {"seconds": round(time.perf_counter() - start, 1)}
    return [
        {**facts, "account": account, "claim": claims[account], "bound": max(found), "worst_pair": found[0]}
        for account, found in bounds.items()
    ]


def _bounds(case: Case, pair: Neighbours, draws: int) -> Iterator[tuple[str, float, float]]:
    """For each account: its name, the claim, and the bound. Nine tenths of the draws judge."""
    entropy = SystemEntropy()
    tallies: list[Pair] = []
    events: set[Event] = set()
    for times in (draws // 20, draws // 20, draws - 2 * (draws // 20)):
        drawn = [case.draw(scores, times, entropy) for scores in pair]
        tallies.append((drawn[0][0], drawn[1][0]))
        events |= {event for _, event in drawn}
    [event] = events  # what is charged is public
    for account, claim, delta in _claims(case, event):
        chosen = choose(tallies[0], tallies[1], delta, case.views, judges=18)
        yield account, claim, judge(chosen, tallies[2], delta).epsilon


def _claims(case: Case, event: Event) -> Iterator[tuple[str, float, Fraction]]:
    yield ("pure" if event.delta == 0 else f"delta {float(event.delta)}"), float(event.epsilon), event.delta
    for delta in IN_RHO if case.rho else ():
        yield f"rho at delta {float(delta)}", float(epsilon_at(cost_of(event).rho, delta)), delta


def latest(records: Sequence[Record]) -> list[Record]:
    """The last full-size line of each account of each mechanism: a run may be of some of them."""
    full = {(one["mechanism"], one["account"]): one for one in records if one["scale"] == 1}
    names = [case.name for case in cases()]
    return sorted(
        (one for one in full.values() if one["mechanism"] in names),
        key=lambda one: names.index(one["mechanism"]),
    )


def missing(records: Sequence[Record]) -> str:
    """Which mechanisms have had no full-size run, in a sentence."""
    seen = {record["mechanism"] for record in records}
    names = [case.name for case in cases() if case.name not in seen]
    return f" Not yet drawn so often: {', '.join(names)}." if names else ""


def row_of(record: Record) -> list[str]:
    """A line of the table."""
    same = record["draws"] == record["draws_of_others"]
    draws = f"{record['draws']:,}" + ("" if same else f", then {record['draws_of_others']:,}")
    return [
        record["mechanism"],
        record["account"],
        str(record["pairs"]),
        draws,
        f"{record['claim']:.3f}",
        f"{record['bound']:.3f}",
        f"{record['bound'] / record['claim']:.2f}",
    ]


def rows(records: Sequence[Record]) -> list[list[str]]:
    """The table."""
    return [row_of(record) for record in records]
