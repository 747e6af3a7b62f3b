"""The SQL files that ship with dpduck, wherever they were put.

A wheel carries them inside the package; in a source checkout they lie beside it, where people read
them. One function hides the difference.
"""

from __future__ import annotations

from importlib.resources import files

from dpduck.kernel.errors import InternalError


def read_sql(name: str) -> str:
    """Read one of the shipped SQL files.

    Input: the file's name, such as `functions.sql`: a plain name, never a path.
    Output: its text.
    Errors: InternalError if no such file was shipped.

    >>> read_sql("functions.sql").startswith("--")
    True
    """
    package = files("dpduck")
    if "/" not in name and "\\" not in name:
        for folder in (package / "sql", package / ".." / "sql"):
            file = folder / name
            if file.is_file():
                return file.read_text(encoding="utf-8")
    raise InternalError(
        f"the file sql/{name} is missing",
        detail="It is part of every dpduck package.",
        hint="Install dpduck again.",
    )
