"""The papers' figures in the README: pictures with what they mean for a user, then tables and origin.

A paper's module gives `tables(records)`, each a header with its rows, and `figures(records)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

from benchmarks.papers import above, ding2019, ding2022, lyu2017, mckenna2020, planner
from benchmarks.peers import compare, tables
from benchmarks.performance import scale, scale_spark
from benchmarks.report import plots
from benchmarks.report.figure import Figure
from benchmarks.report.results import Record, last_run, load
from benchmarks.report.text import markdown, origin

Table = tuple[Sequence[str], Sequence[Sequence[str]]]

TITLE = """## Gallery

Each picture is a figure of a paper, or one that its readers would ask for. Lines are predicted, filled points
are measured, with two standard errors either way, and diamonds are published.
"""

PAPERS: dict[str, tuple[ModuleType, str]] = {
    "mckenna2020": (mckenna2020, "Permute-and-flip (McKenna and Sheldon 2020)"),
    "ding2019": (ding2019, "Gaps of the sparse vector and of the noisy top-k (Ding et al. 2019)"),
    "ding2022": (ding2022, "Gaps of exponential noise and of the exponential mechanism (Ding et al. 2022)"),
    "lyu2017": (lyu2017, "How the sparse vector divides its budget (Lyu et al. 2017)"),
    "above": (above, "HAVING count(*) > T LIMIT k"),
    "planner": (planner, "Which plan for the top k"),
    "peers": (compare, "The same work with other tools"),
    "tables": (tables, "Tables of four columns, beside AIM"),
    "scale": (scale, "Beside the plain query, up to a hundred million rows"),
    "spark": (scale_spark, "Spark beside DuckDB"),
}
_SHARED = {"tables": "peers"}  # whose result file has its lines
_ASIDE = "(generated)"  # pictures of generated tables are folded


def sections(folder: Path) -> list[str]:
    """The gallery, one section for each paper with a full-size run; nothing if there is none."""
    found = [_section(name, records) for name, records in _runs(folder)]
    return [TITLE, *found] if found else []


def pictures(folder: Path) -> Iterator[Figure]:
    """All figures of the gallery."""
    for name, records in _runs(folder):
        yield from PAPERS[name][0].figures(records)


def draw(folder: Path, to: Path) -> None:
    """Draw all figures."""
    for figure in pictures(folder):
        plots.draw(figure, to)


def missing(folder: Path, to: Path) -> list[Path]:
    """The pictures of the gallery that are not there."""
    paths = [plots.path_of(figure, to) for figure in pictures(folder)]
    return [path for path in paths if not path.exists()]


def file_of(name: str) -> str:
    """The name of a section's result file, without its ending."""
    return _SHARED.get(name, name)


def records_of(name: str, folder: Path) -> list[Record]:
    """What a section shows: the last full-size run, or what its module takes for that."""
    latest: Callable[[Sequence[Record]], list[Record]] = getattr(PAPERS[name][0], "latest", last_run)
    return latest(load(folder / f"{file_of(name)}.jsonl"))


def _runs(folder: Path) -> Iterator[tuple[str, list[Record]]]:
    for name in PAPERS:
        records = records_of(name, folder)
        if records:
            yield name, records


def _section(name: str, records: Sequence[Record]) -> str:
    module, title = PAPERS[name]
    found = list(module.figures(records))
    parts = [f"### {title}", *(_picture(figure) for figure in found if _ASIDE not in figure.title)]
    parts += _folded([figure for figure in found if _ASIDE in figure.title])
    if hasattr(module, "verdict"):
        parts.append(module.verdict(records))
    parts += [markdown(header, cells) for header, cells in _tables(module, records) if cells]
    return "\n\n".join([*parts, origin(file_of(name), records)]) + "\n"


def _picture(figure: Figure) -> str:
    path = plots.path_of(figure, Path(plots.FOLDER.name))
    return f"**{figure.title}.** {figure.meaning}\n\n![{figure.title}]({path.as_posix()})"


def _folded(figures: Sequence[Figure]) -> list[str]:
    if not figures:
        return []
    opening = f"<details><summary>The same for generated tables: {len(figures)} pictures</summary>"
    return [opening, *map(_picture, figures), "</details>"]


def _tables(module: ModuleType, records: Sequence[Record]) -> Iterator[Table]:
    if module is compare:
        yield compare.HEADER, compare.rows(records)
        yield compare.CLAIMS_HEADER, list(compare.claims(records))
    else:
        yield from module.tables(records)
