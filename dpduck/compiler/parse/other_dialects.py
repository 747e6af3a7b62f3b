"""What is written in other dialects, or in part, and cannot be parsed here, and what is written instead."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*")
_TOP = r"\bSELECT\s+(?:DISTINCT\s+|ALL\s+)?TOP\b\s*\(?\s*([0-9]+)"
_FORMS = tuple(
    (re.compile(pattern, re.ASCII | re.IGNORECASE), form)
    for pattern, form in (
        (
            rf"{_TOP}\s*\)?\s*PERCENT\b",
            r"Write LIMIT 10, or another number of rows, at the end of the query for TOP \1 PERCENT.",
        ),
        (_TOP, r"Write LIMIT \1 at the end of the query for TOP \1."),
        (
            r"\b((?:CREATE|ALTER)\b[\w\s]*?\bPRIVACY\s+BUDGET)\b(?!\s+(?!LIMIT\b|DELTA\b|FOR\b)[a-z_])",
            r"Write a name and a LIMIT in epsilon: \1 everyone LIMIT 10.",
        ),
        (
            r"\b((?:CREATE|ALTER)\b[\w\s]*?\bPRIVACY\s+BUDGET\s+\w+)\s+LIMIT\s*(?![\s0-9.'])",
            r"Write a LIMIT in epsilon: \1 LIMIT 10.",
        ),
        (
            r"\bWITH\s+ANONYMIZATION\b",
            "Write SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.5) ..., with count(*) and sum(x).",
        ),
        (
            r"\bCLAMPED\s+BETWEEN\b",
            "Write sum(x, contribution_bounds_per_group => (0, 10)) for CLAMPED BETWEEN.",
        ),
        (r"(?<!\w)[0-9]+_[0-9]", "Write numbers without _, such as 1000."),
        (r"\bDATE_?DIFF\s*\(\s*[a-z]+\s*,", "Write date_diff('day', a, b), with the unit in quotes."),
        (
            r"\bDECODE\s*\([^()]*,[^()]*,",
            "Write CASE x WHEN 'a' THEN 1 WHEN 'b' THEN 2 ELSE 0 END for DECODE.",
        ),
    )
)


def form_here(text: str) -> str:
    """Return what to write instead of the first such form in a text; empty if there is none.

    >>> form_here("SELECT TOP 3 page FROM visits")
    'Write LIMIT 3 at the end of the query for TOP 3.'
    >>> form_here("CREATE OR REPLACE PRIVACY BUDGET")
    'Write a name and a LIMIT in epsilon: CREATE OR REPLACE PRIVACY BUDGET everyone LIMIT 10.'
    >>> form_here("CREATE PRIVACY BUDGET team LIMIT")
    'Write a LIMIT in epsilon: CREATE PRIVACY BUDGET team LIMIT 10.'
    >>> form_here("SELECT 'TOP 5', 1000 FROM visits")
    ''
    """
    bare = _QUOTED.sub("''", text)
    found = ((pattern.search(bare), form) for pattern, form in _FORMS)
    return next((match.expand(form) for match, form in found if match), "")
