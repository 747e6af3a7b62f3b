"""The findings of an audit as one page of text. It contains no value of a private row."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from fractions import Fraction

from dpduck.answers.claimed_bounds import ComparedBound
from dpduck.doors.audit.differential import Difference
from dpduck.doors.audit.drawing import Verdict
from dpduck.doors.audit.run import Findings
from dpduck.doors.console.reports import aligned
from dpduck.doors.console.tables import one_line
from dpduck.kernel.errors import decimal_text

MOST = 20  # listed queries, differences and bounds
_WIDTH, _QUERY = 79, 44
NOTHING = "too few draws"
WARNING = (
    "Nothing differed and no bound is above its claim: that is no proof. What was tried was tried; another "
    "query, another person, or more draws might show what these did not."
)
ALARM = (
    "Somebody who sees these answers can tell a person's presence by more than the noise allows. Stop "
    "answering such queries, and report it (SECURITY.md)."
)
RELIED_ON = "What noise relies on, computed of the score SQL alone, beside what the plan claims"
COMPARED = (
    "Compared: rows and their order, names, types, NULLs, errors, charges, notices, budgets, ledger entries, "
    "the plan that EXPLAIN shows afterwards, and the bytes of the gateway; with what the mechanisms release "
    "held the same on both sides."
)


def summary(findings: Findings) -> str:
    """The last line of the report."""
    worst = 0.0 if findings.worst is None else findings.worst.ratio
    queries, differences = len(findings.asked), len(found_once(findings.differences))
    return f"audit: {queries} queries, {differences} differences, {worst:.2f} worst bound / claim"


def page(findings: Findings) -> str:
    """The whole report."""
    parts = [_title(findings), _tried(findings), _differences(findings), _bounds(findings)]
    parts += [_relied_on(findings), _refused(findings), _wrapped(WARNING if findings.clean else ALARM)]
    return "\n".join(f"{part}\n" for part in parts if part) + f"\n{summary(findings)}\n"


def details(findings: Findings) -> str:
    """Each difference with both transcripts: only for the owner, since they show private values."""
    return "\n".join(map(str, found_once(findings.differences)))


def found_once(differences: Sequence[Difference]) -> list[Difference]:
    """The first difference of each query."""
    return list({found.query: found for found in reversed(differences)}.values())[::-1]


def claim_text(verdict: Verdict) -> str:
    """The claimed cost of a query."""
    delta = f", delta {float(verdict.delta):g}" if verdict.delta else ""
    return f"epsilon {decimal_text(verdict.epsilon)}{delta}"


def verdicts_shown(findings: Findings) -> list[Verdict]:
    """The worst bound of each query, in descending order."""
    worst: dict[str, Verdict] = {}
    for verdict in sorted(findings.verdicts, key=lambda verdict: -verdict.ratio):
        worst.setdefault(verdict.query, verdict)
    return list(worst.values())


def tried_lines(findings: Findings) -> Iterator[str]:
    """What was tried."""
    yield f"{len(findings.asked)} queries, {findings.task.source}"
    yield f"{len(findings.tried)} neighbours of the database, each with one person less or more"
    yield f"asked through {' and '.join(findings.doors)}: {findings.comparisons} pairs of conversations"
    if findings.views:
        yield f"not without the people of views of files: {', '.join(findings.views)}"
    if not findings.whole:
        yield "there was no time for the rest: --seconds gives it more"


def _title(findings: Findings) -> str:
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    return f"Audit of {findings.task.file.name}, {now}, on a copy; nothing was charged"


def _tried(findings: Findings) -> str:
    lines = [f"  {line}" for line in tried_lines(findings)]
    lines += [f"    {label}" for label in findings.tried]
    return "\n".join(["What was tried", *lines, textwrap.indent(_wrapped(COMPARED), "  ")])


def _differences(findings: Findings) -> str:
    found = found_once(findings.differences)
    if not found:
        return "Differences: none"
    lines = [f"Differences: {len(found)}"]
    for one in found[:MOST]:
        lines += [f"  {_short(one.query)}", f"    {one.what.kind}; {one.door}; {one.neighbour}"]
    return "\n".join(lines)


def _bounds(findings: Findings) -> str:
    shown = verdicts_shown(findings)[:MOST]
    if not shown:
        return "Bounds on epsilon: none were looked for"
    rows = [("query", "claim", "bound", "bound / claim", "draws")]
    rows += [(_short(v.query), claim_text(v), *bound_texts(v), f"2 x {v.draws:,}") for v in shown]
    head = "Lower bounds on epsilon, each wrong with a chance of 1 in 1,000,000,000 at most"
    listed = textwrap.indent(aligned(rows, right={2, 3, 4}), "  ").rstrip("\n")
    untold = untold_text(findings)
    return "\n".join([head, listed, *([textwrap.indent(_wrapped(untold), "  ")] if untold else [])])


def relied_on_rows(findings: Findings) -> list[tuple[str, str, str, str]]:
    """What noise relies on: the query, of what it is, what is computed of its score SQL, and what is claimed.

    Of several of a kind it is the one that is nearest to its claim. What must not change at all is left out.
    """
    nearest: dict[tuple[str, str], ComparedBound] = {}
    for sql, kind, one in findings.relied_on:
        place = sql, f"{kind}: {one.what}"
        before = nearest.get(place)
        if one.claimed and (before is None or one.computed / one.claimed > before.computed / before.claimed):
            nearest[place] = one
    return [(sql, what, _number(one.computed), _number(one.claimed)) for (sql, what), one in nearest.items()]


def _number(bound: Fraction | float) -> str:
    return f"{int(bound):,}" if bound == int(bound) else f"{float(bound):,.3f}"


def _relied_on(findings: Findings) -> str:
    rows = relied_on_rows(findings)[:MOST]
    if not rows:
        return ""
    listed = [("query", "what one person changes", "computed", "claimed")]
    listed += [(_short(sql), what, computed, claimed) for sql, what, computed, claimed in rows]
    text = textwrap.indent(aligned(listed, right={2, 3}), "  ").rstrip("\n")
    return "\n".join([RELIED_ON, text])


def bound_texts(verdict: Verdict) -> tuple[str, str]:
    """The bound, and its ratio to the claim; a bound of 0 would suggest that there is no risk."""
    return (f"{verdict.bound.epsilon:.3f}", f"{verdict.ratio:.2f}") if verdict.tells else (NOTHING, "-")


def untold_text(findings: Findings) -> str:
    """The note about queries without a bound."""
    if not findings.untold:
        return ""
    return (
        f"No bounds for {len(findings.untold)} other queries: some hundred draws of each told less, and it "
        "takes far more of them. --queries FILE with one query gives that one all the time."
    )


def _refused(findings: Findings) -> str:
    if not findings.refused:
        return ""
    lines = [f"Refused, so not audited: {len(findings.refused)}"]
    for sql, reason in list(findings.refused.items())[:MOST]:
        lines += [f"  {_short(sql)}", f"    {one_line(reason)}"]
    return "\n".join(lines)


def _short(sql: str) -> str:
    text = " ".join(one_line(sql).split()).replace("WITH DIFFERENTIAL_PRIVACY ", "")
    return text if len(text) <= _QUERY else f"{text[: _QUERY - 1]}…"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _WIDTH - 2)
