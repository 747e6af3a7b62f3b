"""Tables and origin lines of the README."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.report.results import Record


def origin(name: str, records: Sequence[Record]) -> str:
    """Which run the figures come from."""
    first = records[0]
    packages = ", ".join(f"{package} {version}" for package, version in first["packages"].items())
    machine = first["machine"]
    facts = f"{machine['cpus']} processors, {machine.get('memory_gib', '?')} GiB, Python {machine['python']}"
    return (
        f"From [results/{name}.jsonl](results/{name}.jsonl), run {first['run']}: commit {first['commit']}, "
        f"{packages}; {facts}; data seed {first['seed']}."
    )


def markdown(header: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """A table; cells that repeat those above at the start of a row are left empty.

    >>> print(markdown(["a", "b"], [["x", "1"], ["x", "2"]]))
    | a | b |
    |---|---:|
    | x | 1 |
    |  | 2 |
    """
    lines = [list(header), ["---"] + ["---:"] * (len(header) - 1)]
    above: Sequence[str] = [""] * len(header)
    text = ["| " + " | ".join(lines[0]) + " |", "|" + "|".join(lines[1]) + "|"]
    for row in cells:
        same = 0
        while same < len(row) - 1 and row[: same + 1] == above[: same + 1]:
            same += 1
        text.append("| " + " | ".join([""] * same + list(row[same:])) + " |")
        above = row
    return "\n".join(text)
