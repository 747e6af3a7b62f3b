"""SQL of one line in many lines, and back: line ends and what they begin with stand for one space."""

from __future__ import annotations

import re

WIDTH = 110
_TOKEN = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"| |[^ '"]+""")
_CLAUSES = ("FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "WINDOW")
BEGIN = (*_CLAUSES, "JOIN", "INNER", "LEFT", "CROSS")


def broken(sql: str) -> str:
    r"""The SQL with each clause on a line of its own, as deep as it stands in parentheses, and no long line.

    >>> print(broken("SELECT t.k, count(*) FROM (SELECT 'a  b' AS k FROM t) AS t WHERE t.k = 1"))
    SELECT t.k, count(*)
    FROM (SELECT 'a  b' AS k
      FROM t) AS t
    WHERE t.k = 1
    """
    lines, line, depth = [], "", 0
    tokens = _TOKEN.findall(sql)
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else ""
        if token == " " and (after in BEGIN or len(line) + len(after) >= WIDTH):
            lines.append(line)
            line = "  " * depth + ("" if after in BEGIN else "  ")
            continue
        line += token
        if token[0] not in "'\"":
            depth += token.count("(") - token.count(")")
    return "\n".join([*lines, line])


def joined(text: str) -> str:
    r"""The SQL in one line again; line ends in strings and names stay.

    >>> joined("SELECT 'a\n b'\n  FROM t")
    "SELECT 'a\n b' FROM t"
    """
    parts = re.split(r"""('(?:[^']|'')*'|"(?:[^"]|"")*")""", text)
    return "".join(part if place % 2 else re.sub(r"\n *", " ", part) for place, part in enumerate(parts))
