"""The command line: `python -m benchmarks NAME`, where NAME is a paper, another benchmark, or `report`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import accuracy
from benchmarks.attacks import audit, checker, crash, fuzz, promises, stated_errors, tamper
from benchmarks.papers import above, ding2019, ding2022, lyu2017, mckenna2020, planner
from benchmarks.papers.data import Source
from benchmarks.peers import command as peers
from benchmarks.performance import (
    gateway,
    ledger,
    planning,
    scale,
    scale_spark,
    speed,
    summaries,
    summary_dashboard,
)
from benchmarks.report import report
from benchmarks.report.results import FOLDER
from benchmarks.semantics import command as semantics

PAPERS = {
    "ding2019": ding2019,
    "ding2022": ding2022,
    "mckenna2020": mckenna2020,
    "lyu2017": lyu2017,
    "planner": planner,
    "above": above,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark, or write the report. Returns the exit code."""
    given = _parser().parse_args(arguments)
    match given.name:
        case "report":
            return report.main(given.out, check=given.check)
        case "fuzz" | "rows" | "derived" | "crash" | "tamper" | "audit" | "promises" | "errors" | "checker":
            return _attack(given)
        case "semantics":
            return semantics.main(semantics.plan_of(given), given.out)
        case "ledger" | "gateway" | "dashboard":
            return _of_servers(given)
        case "spark":
            return scale_spark.main(scale_spark.Plan(given.rows), given.cache, given.out)
        case "accuracy" | "planning" | "summaries":
            return _of_plans(given)
        case "scale":
            scale.main(scale.plan_of(given), given.cache, given.out)
            return 0
    _run_on_data(given)
    return 0


def _of_servers(given: argparse.Namespace) -> int:
    """What is charged, and what is answered through a gateway."""
    if given.name == "ledger":
        return ledger.main(ledger.Plan(given.seconds, given.repeat, given.refreshes), given.out)
    if given.name == "dashboard":
        return summary_dashboard.main(summary_dashboard.Plan(given.refreshes, given.releases), given.out)
    plan = gateway.Plan(given.repeat, given.seconds, given.messages, given.minutes, given.scale)
    return gateway.main(plan, given.out)


def _of_plans(given: argparse.Namespace) -> int:
    """What needs no data but what it makes."""
    if given.name == "summaries":
        return summaries.main(summaries.Plan(given.runs, given.questions), given.out)
    if given.name == "accuracy":
        return accuracy.main(given.out, tuple(given.only or ()))
    planning.main(given.out, given.repeat)
    return 0


def _attack(given: argparse.Namespace) -> int:
    if given.name in ("fuzz", "rows", "derived"):
        rounds = {name: getattr(given, name) for name in fuzz.KINDS if hasattr(given, name)}
        plan = fuzz.Plan(given.name, rounds, given.seed, given.processes, given.chunk, given.minutes)
        return fuzz.main(plan, given.out)
    if given.name == "checker":
        return checker.main(given.queries, given.seed)
    if given.name == "crash":
        return crash.main(crash.Plan(given.kills, given.racers, given.ledger, given.seed), given.out)
    if given.name == "audit":
        plan = audit.Plan(given.draws, given.others, tuple(given.only or ()), given.processes)
        return audit.main(plan, given.out)
    if given.name == "promises":
        return promises.main(given.out, given.runs, tuple(given.only or ()))
    if given.name == "errors":
        return stated_errors.main(given.out, given.runs, tuple(given.only or ()))
    return tamper.main(given.out, given.seed, given.bytes)


def _run_on_data(given: argparse.Namespace) -> None:
    source = Source.of(given.cache, given.data, given.scale)
    if given.name == "speed":
        speed.main(source, given.out, given.repeat)
    elif given.name == "peers":
        peers.main(source, given)
    else:
        PAPERS[given.name].main(source, given.out, given.runs, given.seed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = parser.add_subparsers(dest="name", required=True)
    _on_data(names, "speed", speed.__doc__).add_argument(
        "--repeat", type=int, default=7, help="timings of each way"
    )
    peers.add_arguments(_on_data(names, "peers", peers.__doc__))
    for name, paper in PAPERS.items():
        command = _on_data(names, name, paper.__doc__)
        command.add_argument("--runs", type=int, default=10_000, help="runs of each mechanism")
        command.add_argument("--seed", type=int, default=1, help="another seed makes other runs")
    errors = _command(names, "accuracy", "tables of the errors that noise makes, from the code alone")
    errors.add_argument("--only", action="append", choices=accuracy.sections(), help="a section")
    asked = _command(names, "summaries", summaries.__doc__)
    asked.add_argument("--runs", type=int, default=10, help="summaries of each kind")
    asked.add_argument("--questions", type=int, default=60, help="random questions to each")
    timer = _command(names, "planning", planning.__doc__)
    timer.add_argument("--repeat", type=int, default=51, help="timings of each query")
    fuzzer = _command(names, "fuzz", fuzz.__doc__)
    fuzzer.add_argument("--queries", type=int, default=100_000, help="random queries")
    fuzzer.add_argument("--texts", type=int, default=200_000, help="damaged texts")
    expressions = _command(names, "rows", "random row expressions of all types: none fails on any row")
    expressions.add_argument("--rows", type=int, default=100_000, help="random row expressions")
    derived = _command(names, "derived", "random queries over what is computed for each person apart")
    derived.add_argument("--queries", dest="derived", type=int, default=100_000, help="random queries")
    for command in (fuzzer, expressions, derived):
        command.add_argument("--seed", type=int, default=1, help="another seed tries other texts")
        command.add_argument("--processes", type=int, default=2, help="processes that share the work")
        command.add_argument("--chunk", type=int, help="the only chunk to try, as a failure names it")
        command.add_argument("--minutes", type=float, help="how long to begin chunks (default: all of them)")
    semantics.add_arguments(_command(names, "semantics", semantics.__doc__))
    checked = _command(names, "checker", checker.__doc__)
    checked.add_argument("--queries", type=int, default=2_000, help="random queries")
    checked.add_argument("--seed", type=int, default=1, help="another seed tries other queries")
    _add_audit(_command(names, "audit", audit.__doc__))
    _add_promises(_command(names, "promises", promises.__doc__))
    stated = _command(names, "errors", stated_errors.__doc__)
    stated.add_argument("--runs", type=int, default=stated_errors.RUNS, help="answers to each question")
    stated.add_argument("--only", action="append", type=int, help="the number of a question (default: all)")
    _add_crash(_command(names, "crash", crash.__doc__))
    _add_tamper(_command(names, "tamper", tamper.__doc__))
    _add_ledger(_command(names, "ledger", ledger.__doc__))
    _add_gateway(_command(names, "gateway", gateway.__doc__))
    board = _command(names, "dashboard", summary_dashboard.__doc__)
    board.add_argument("--refreshes", type=int, default=1_000, help="refreshes of the dashboard")
    board.add_argument("--releases", type=int, default=200, help="releases whose intervals are looked at")
    scale.add_arguments(_command(names, "scale", scale.__doc__))
    scale_spark.add_arguments(_command(names, "spark", scale_spark.__doc__))
    writer = _command(names, "report", report.__doc__)
    writer.add_argument("--check", action="store_true", help="write nothing; fail if the README is stale")
    return parser


def _on_data(
    names: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str | None
) -> argparse.ArgumentParser:
    command = _command(names, name, text)
    command.add_argument("--cache", type=Path, help="folder for generated data")
    command.add_argument("--data", type=Path, help="folder with your own copies of the papers' data")
    command.add_argument("--scale", type=float, default=1.0, help="share of the full size")
    return command


def _add_audit(command: argparse.ArgumentParser) -> None:
    command.add_argument("--draws", type=int, default=1_000_000, help="draws on the worst pair")
    command.add_argument("--others", type=int, default=100_000, help="draws on each other pair")
    command.add_argument("--only", action="append", help="a mechanism (default: all)")
    command.add_argument("--processes", type=int, default=2, help="processes that share the work")


def _add_promises(command: argparse.ArgumentParser) -> None:
    command.add_argument("--runs", type=int, default=promises.RUNS, help="runs of each shape of query")
    command.add_argument("--only", action="append", help="a shape (default: all)")


def _add_crash(command: argparse.ArgumentParser) -> None:
    command.add_argument("--kills", type=int, default=1_000, help="processes to kill")
    command.add_argument("--racers", type=int, default=64, help="processes that race for one budget")
    command.add_argument("--ledger", help="URL of a PostgreSQL database (default: a new file)")
    command.add_argument("--seed", type=int, default=1, help="another seed kills at other moments")


def _add_tamper(command: argparse.ArgumentParser) -> None:
    command.add_argument("--bytes", type=int, help="how many of the bytes to change (default: all)")
    command.add_argument("--seed", type=int, default=1, help="another seed changes them otherwise")


def _add_gateway(command: argparse.ArgumentParser) -> None:
    command.add_argument("--repeat", type=int, default=201, help="timings of each query, each way")
    command.add_argument("--seconds", type=int, default=10, help="how long eight clients ask")
    command.add_argument("--minutes", type=float, default=1.0, help="how long 64 clients ask")
    command.add_argument("--messages", type=int, default=100_000, help="broken messages to send")
    command.add_argument("--scale", type=float, default=1.0, help="share of the full size")


def _add_ledger(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seconds", type=float, default=5.0, help="how long each number of writers charges")
    command.add_argument("--repeat", type=int, default=301, help="timings of each way to replay")
    command.add_argument("--refreshes", type=int, default=1_000, help="refreshes of the dashboard")


def _command(
    names: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str | None
) -> argparse.ArgumentParser:
    command = names.add_parser(name, help=str(text).splitlines()[0])
    command.add_argument("--out", type=Path, default=FOLDER, help="folder with results")
    return command


if __name__ == "__main__":
    sys.exit(main())
