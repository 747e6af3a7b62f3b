"""The parts of nested types: the fields of a STRUCT, and the elements of a list.

A part is named by its path: the column and the fields that lead to it, joined by dots. The elements of a list
are a part of it that `[]` names, as in `orders[].price`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

JSON = "JSON"  # the type whose values have parts that no schema lists
ELEMENTS = "[]"  # names the elements of a list in a path

_STRUCT = re.compile(r"STRUCT\((.*)\)", re.ASCII | re.DOTALL)
_LIST = re.compile(r"(.*)\[\]", re.ASCII | re.DOTALL)
_WORD = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[(),]|[^'"(),]+""")
_FIELD = re.compile(r"""\s*("(?:[^"]|"")*"|[^\s"]+)\s+(.+)""", re.DOTALL)


def fields_of(data_type: str) -> tuple[tuple[str, str], ...]:
    """The names and types of the fields of a STRUCT, as duckdb_columns() prints it; none for other types.

    >>> fields_of('STRUCT("a b" INTEGER, c STRUCT(d DECIMAL(9,2)))')
    (('a b', 'INTEGER'), ('c', 'STRUCT(d DECIMAL(9,2))'))
    >>> fields_of("STRUCT(a INTEGER)[]"), fields_of("VARCHAR")
    ((), ())
    """
    match = _STRUCT.fullmatch(data_type)
    if match is None:
        return ()
    found = [_FIELD.fullmatch(part) for part in _parts(match[1])]
    return tuple((_unquoted(one[1]), one[2]) for one in found if one is not None)


def _parts(text: str) -> Iterator[str]:
    """Split a list of fields at its outermost commas."""
    depth, part = 0, ""
    for word in _WORD.findall(text):
        depth += (word == "(") - (word == ")")
        if word == "," and depth == 0:
            yield part
            part = ""
        else:
            part += word
    yield part


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def paths_in(column: str, data_type: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The paths of all parts of a column and the type of each; a part comes before its own parts.

    >>> list(paths_in("at", "STRUCT(x INTEGER, y STRUCT(z DATE))"))
    [(('at', 'x'), 'INTEGER'), (('at', 'y'), 'STRUCT(z DATE)'), (('at', 'y', 'z'), 'DATE')]
    >>> list(paths_in("tags", "VARCHAR[]"))
    [(('tags', '[]'), 'VARCHAR')]
    """
    stack: list[tuple[tuple[str, ...], str]] = [((column,), data_type)]
    while stack:
        path, kind = stack.pop()
        if len(path) > 1:
            yield path, kind
        stack += [((*path, name), inner) for name, inner in reversed(fields_of(kind))]
        element = element_of(kind)
        if element is not None:
            stack.append(((*path, ELEMENTS), element))


def name_of(path: Sequence[str]) -> str:
    """The name of a part.

    >>> name_of(("at", "y", "z")), name_of(("orders", "[]", "price"))
    ('at.y.z', 'orders[].price')
    """
    return ".".join(path).replace(f".{ELEMENTS}", ELEMENTS)


def element_of(data_type: str) -> str | None:
    """The type of the elements of a list; None for other types.

    >>> element_of("VARCHAR[]"), element_of("INTEGER[3]"), element_of("DATE")
    ('VARCHAR', None, None)
    """
    match = _LIST.fullmatch(data_type)
    return None if match is None else match[1]
