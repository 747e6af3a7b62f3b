"""The findings of an audit as one HTML page in the style of `dpduck budget`: no script, nothing loaded.

It contains no value of a private row.
"""

from __future__ import annotations

from datetime import datetime
from importlib.resources import files

from dpduck.doors.audit.drawing import Verdict
from dpduck.doors.audit.report import (
    ALARM,
    COMPARED,
    RELIED_ON,
    WARNING,
    bound_texts,
    claim_text,
    found_once,
    relied_on_rows,
    summary,
    tried_lines,
    untold_text,
    verdicts_shown,
)
from dpduck.doors.audit.run import Findings
from dpduck.doors.page.html import HEAD, Markup, joined, quoted, table, tag


def make_page(findings: Findings, now: datetime) -> str:
    """Write the page. Output: HTML, in which all names and queries are escaped."""
    style = (files("dpduck.doors.page") / "page.css").read_text(encoding="utf-8")
    sections = [
        _title(findings, now),
        _tried(findings),
        _differences(findings),
        _bounds(findings),
        _relied_on(findings),
        _refused(findings),
    ]
    name = findings.task.file.name
    head = tag("head", HEAD, tag("title", f"Privacy audit of {name}"), tag("style", Markup(style)))
    notes = tag("footer", tag("p", WARNING if findings.clean else ALARM), tag("p", summary(findings)))
    page = tag("html", head, tag("body", tag("main", *sections, notes)), lang="en")
    return f"<!DOCTYPE html>\n{page}\n"


def _title(findings: Findings, now: datetime) -> Markup:
    state = f"{now:%Y-%m-%d %H:%M} UTC · on a copy, nothing charged · {findings.seconds:.0f} seconds"
    verdict = "Nothing differs, and no bound is above its claim." if findings.clean else ALARM
    return tag(
        "header",
        tag("h1", "Privacy audit of ", quoted(findings.task.file.name)),
        tag("p", verdict, class_="verdict" if findings.clean else "verdict alarm"),
        tag("p", state, class_="quiet"),
    )


def _tried(findings: Findings) -> Markup:
    lines = [tag("li", quoted(line)) for line in tried_lines(findings)]
    labels = [tag("li", quoted(label)) for label in findings.tried]
    return tag(
        "section",
        tag("h2", "What was tried"),
        tag("ul", *lines),
        tag("details", tag("summary", "Who was missing, or there besides"), tag("ul", *labels)),
        tag("p", COMPARED),
    )


def _differences(findings: Findings) -> Markup:
    found = found_once(findings.differences)
    if not found:
        return tag("section", tag("h2", "Differences"), tag("p", "None."))
    rows: list[list[str]] = [
        [tag("code", quoted(one.query)), quoted(one.what.kind), one.door, quoted(one.neighbour)]
        for one in found
    ]
    headings = ["query", "what differs", "asked through", "neighbour"]
    listed = table("The first of each query", headings, rows, frozenset())
    return tag("section", tag("h2", f"Differences: {len(found)}"), listed, class_="differences")


def _bounds(findings: Findings) -> Markup:
    shown = verdicts_shown(findings)
    if not shown:
        return tag("section", tag("h2", "Bounds on epsilon"), tag("p", "None were looked for."))
    rows: list[list[str]] = [
        [
            tag("code", quoted(verdict.query)),
            claim_text(verdict),
            joined(_bar(verdict), bound_texts(verdict)[0]),
            bound_texts(verdict)[1],
            f"2 x {verdict.draws:,}",
        ]
        for verdict in shown
    ]
    lead = (
        "Releases were drawn again and again, with a person and without, and an event was looked for that "
        "tells them apart. It shows that epsilon is at least so much. Each bound is wrong with a chance of 1 "
        "in 1,000,000,000 at most. The bar is the bound's share of the claim."
    )
    headings = ["query", "claim", "lower bound", "bound / claim", "draws"]
    listed = table("The worst first", headings, rows, frozenset({3, 4}))
    untold = untold_text(findings)
    rest = [tag("p", untold, class_="quiet")] if untold else []
    return tag("section", tag("h2", "Bounds on epsilon"), tag("p", lead), listed, *rest, class_="bounds")


def _relied_on(findings: Findings) -> Markup:
    found = relied_on_rows(findings)
    if not found:
        return Markup()
    rows: list[list[str]] = [
        [tag("code", quoted(sql)), quoted(what), *numbers] for sql, what, *numbers in found
    ]
    headings = ["query", "what one person changes", "computed", "claimed"]
    listed = table(RELIED_ON, headings, rows, frozenset({2, 3}))
    return tag("section", tag("h2", "What noise relies on"), listed, class_="relied-on")


def _bar(verdict: Verdict) -> Markup:
    percent = min(100.0, 100.0 * verdict.ratio)
    full = tag("div", style=f"width: {percent:.1f}%", class_="full" if verdict.ratio > 1 else "spent")
    return tag("div", full, class_="bar", aria_hidden="true")


def _refused(findings: Findings) -> Markup:
    if not findings.refused:
        return Markup()
    rows: list[list[str]] = [[tag("code", quoted(sql)), quoted(why)] for sql, why in findings.refused.items()]
    listed = table("dpduck does not answer these", ["query", "why"], rows, frozenset())
    return tag("section", tag("h2", f"Not audited: {len(rows)}"), listed)
