"""Which analyst somebody is whom a certificate or a token names.

Without a map the name there is the analyst's. With one, whoever is not in it is nobody: an authority that is
trusted to name people should not be able to name analysts that the owner did not think of.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dpduck.kernel.errors import ParameterError

Way = Literal["certificate", "token"]

_WAYS: tuple[Way, ...] = ("certificate", "token")
_MOST_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class LoginNames:
    """A map from the names of one way to log in to analysts. `known`: None takes each name as it is."""

    known: Mapping[Way, Mapping[str, str]] | None = None

    def analyst(self, way: Way, name: str) -> str | None:
        """The analyst whom a name stands for, None if nobody.

        >>> LoginNames({"token": {"00u1": "ana"}}).analyst("token", "00u1")
        'ana'
        """
        return name if self.known is None else self.known.get(way, {}).get(name)


def read_login_names(file: Path | None) -> LoginNames:
    """The map in a TOML file: a table for each way, [certificate] and [token], of names and their analysts.

    Errors: ParameterError if the file is not such a map.
    """
    if file is None:
        return LoginNames()
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise ParameterError(f"the map of logins is too large: {file}")
        said = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
    except ValueError as error:  # of the encoding, or of TOML
        reason = " ".join(str(error).split())
    else:
        return LoginNames(_checked(said, file))
    raise ParameterError("the map of logins cannot be read", detail=f"Of {file}: {reason}.")


def _checked(said: Mapping[str, object], file: Path) -> dict[Way, dict[str, str]]:
    unknown = [key for key in said if key not in _WAYS]
    if unknown:
        raise ParameterError(
            f"the map of logins has a table that is none: {unknown[0][:60]!r}",
            detail=f"Of {file}.",
            hint="Its tables are [certificate] and [token].",
        )
    read: dict[Way, dict[str, str]] = {}
    for way in _WAYS:
        table = said.get(way, {})
        if not isinstance(table, dict) or not all(isinstance(name, str) and name for name in table.values()):
            raise ParameterError(
                f"[{way}] of the map of logins is not names and analysts",
                detail=f"Of {file}.",
                hint=f'Write [{way}], then "the name there" = "the analyst".',
            )
        read[way] = dict(table)
    return read
