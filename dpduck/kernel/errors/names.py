"""Names as SQL text for people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

MOST_NEAR = 5  # names that a mistyped one suggests
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def written(name: str) -> str:
    """The name as a person would write it in a policy statement, quoted if necessary.

    >>> written("page"), written("A b")
    ('page', '"A b"')
    """
    return name if _PLAIN_NAME.fullmatch(name) else '"' + name.replace('"', '""') + '"'


def written_path(name: str) -> str:
    """The name of a column or of a field of one, as a person would write it.

    >>> written_path("address.country"), written_path("a..b")
    ('address.country', '"a..b"')
    """
    parts = name.split(".")
    return ".".join(map(written, parts)) if all(parts) else written(name)


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known names that are spelled most like one, which may be mistyped: the nearest first.

    >>> nearest("Vists", ["people", "visits", "VISITORS"])
    ['visits', 'VISITORS']
    """
    folded = {other.lower(): other for other in known}
    return [folded[near] for near in get_close_matches(name.lower(), folded, MOST_NEAR)]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question that suggests the nearest of the known names; empty if none is near.

    >>> did_you_mean("pgae", ["page", "day"]), did_you_mean("x", ["page"])
    ('Did you mean page?', '')
    """
    near = nearest(name, known)
    return f"Did you mean {' or '.join(near)}?" if near else ""
