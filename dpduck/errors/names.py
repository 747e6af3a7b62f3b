"""Names as SQL text for people."""

from __future__ import annotations

import re

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def written(name: str) -> str:
    """The name as a person would write it in a policy statement, quoted if necessary.

    >>> written("page"), written("A b")
    ('page', '"A b"')
    """
    return name if _PLAIN_NAME.fullmatch(name) else '"' + name.replace('"', '""') + '"'
