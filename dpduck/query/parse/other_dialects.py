"""What other dialects write that cannot be parsed here, and what is written instead."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*")
_FORMS = tuple(
    (re.compile(pattern, re.ASCII | re.IGNORECASE), form)
    for pattern, form in (
        (r"\bSELECT\s+TOP\b\s*\(?\s*[0-9]", "Write LIMIT 5 at the end of the query for TOP 5."),
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

    >>> form_here("SELECT TOP 5 page FROM visits")
    'Write LIMIT 5 at the end of the query for TOP 5.'
    >>> form_here("SELECT 'TOP 5', 1000 FROM visits")
    ''
    """
    bare = _QUOTED.sub("''", text)
    return next((form for pattern, form in _FORMS if pattern.search(bare)), "")
