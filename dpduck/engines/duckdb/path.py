"""What FILE names: a database, a Parquet or CSV file, a folder or a glob of such files, or an address.

Names alone are looked at, which are public; nothing is opened. An existing file is meant literally, whatever
signs are in its name. The one table of files is named after the file (`visits` of `visits.parquet`), or
after the last folder before the first wildcard that is no partition: `data` of `data/`, `data/*.parquet` and
`data/year=2024/*/*.csv`. The ledger of many files is beside that folder, so all patterns below it,
however they are written, are charged to one ledger; one file by its own name has a ledger of its own.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from dpduck.errors import DpduckError, LedgerError, PolicyError, UnknownNameError

KINDS = (".parquet", ".csv")
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class DataPath:
    """What was typed as FILE. Its properties are of the file system as it was when they were first asked."""

    text: str

    def __str__(self) -> str:
        return self.text

    @cached_property
    def scheme(self) -> str | None:
        """How the address begins; None if it is a path."""
        found = _ADDRESS.match(self.text)
        return None if found is None else found[1].lower()

    @cached_property
    def is_set(self) -> bool:
        """Whether it may stand for many files."""
        if self.scheme is not None:
            return True
        return Path(self.text).is_dir() or (not Path(self.text).is_file() and bool(self._parts[1]))

    @property
    def is_database(self) -> bool:
        """Whether it holds its own policies."""
        return not self.is_set and Path(self.text).suffix.lower() not in KINDS

    def check(self) -> None:
        """Errors: UnknownNameError if it is the path of one file and there is none."""
        if not self.is_set and not Path(self.text).is_file():
            raise UnknownNameError(
                f"file {self.text} does not exist", hint="Give the path of an existing file."
            )

    @property
    def where(self) -> str:
        """Where it is, with no link on the way and no two ways to write it. Errors: PolicyError."""
        return f"{self.root}/{self.pattern}" if self.is_set else str(Path(self.text).resolve())

    @property
    def name(self) -> str:
        """What to call it in a sentence."""
        return self.text if self.is_set else Path(self.text).name

    @property
    def table(self) -> str:
        """The name of its one table. Errors: PolicyError."""
        if not self.is_set:
            return Path(self.text).stem
        if self.scheme is not None and self._parts[1] and not _WILD.search(self._parts[1]):
            return PurePosixPath(self._parts[1]).stem
        name = PurePosixPath(self._home).name
        if not name:
            raise PolicyError(
                f"the files of {self.text} have no name",
                detail="Their table is named after the folder that holds them.",
                hint="Put them into a folder of their own.",
            )
        return name

    @cached_property
    def place(self) -> Path:
        """Where the one file is, without links on the way."""
        return Path(self.text).resolve()

    @property
    def people(self) -> str:
        """What the people of its one table are called in a ledger, by whatever link it is reached."""
        return self.place.stem if not self.is_set else self.table

    @property
    def ledger(self) -> str:
        """Where its ledger is by default. Errors: LedgerError if there is no such place, or more than one."""
        if self.scheme is not None:
            raise LedgerError(
                f"there is no place for a ledger beside {self.text}",
                detail="What is charged must be written to a file here, or to a PostgreSQL database.",
                hint="Say where the ledger is: --ledger visits.ledger.",
            )
        if not self.is_set:
            return ledger_beside(self.text)
        for file in self.files():
            _check_one_name(file, file)
        return f"{self._home}.ledger"

    @cached_property
    def root(self) -> str:
        """The folder that holds all files of a set, and nothing else may be read; or the address of one."""
        return self._parts[0]

    @cached_property
    def pattern(self) -> str:
        """The files of a set below its root, as DuckDB globs them. Errors: PolicyError if it is unclear."""
        root, rest = self._parts
        if not rest:
            return f"**/*{self._held(root)}"
        if ".." in rest.split("/"):
            raise _unclear(
                self.text,
                "After a wildcard there is no '..'.",
                "Write the folder itself.",
            )
        if self.kind is None:
            raise _unclear(
                self.text,
                "It does not say of which kind they are.",
                "Write a pattern that ends in .parquet or .csv, such as 'data/*.parquet'.",
            )
        return rest

    def files(self) -> list[Path]:
        """The files that it stands for now, in order; of an address none."""
        if self.scheme is not None:
            return []
        return sorted(Path(self.root).glob(self.pattern)) if self.is_set else [Path(self.text)]

    @property
    def kind(self) -> str | None:
        """The suffix of its files; None of a database."""
        name = self._parts[1] if self.is_set else self.text
        suffix = PurePosixPath(name or self.pattern).suffix.lower()
        return suffix if suffix in KINDS else None

    @cached_property
    def _parts(self) -> tuple[str, str]:
        """The part that is fixed, and the pattern below it."""
        if self.scheme is not None:
            return _split_address(self.text)
        path = Path(self.text)
        fixed, rest = (path, ()) if path.is_dir() else _split(path.parts)
        return str(fixed.resolve()), "/".join(rest)

    @property
    def _home(self) -> str:
        """The folder after which the set is named."""
        home = PurePosixPath(self.root)
        while "=" in home.name:
            home = home.parent
        return str(home)

    def _held(self, root: str) -> str:
        """Of which kind the files of a folder are."""
        if self.scheme is not None:
            return KINDS[0]
        held = [kind for kind in KINDS if next(Path(root).rglob(f"*{kind}"), None) is not None]
        if len(held) == 1:
            return held[0]
        if held:
            raise _unclear(self.text, "It holds Parquet and CSV files.", f"Write '{root}/**/*.parquet'.")
        raise UnknownNameError(
            f"folder {self.text} holds no Parquet or CSV file", hint="Give the path of one that does."
        )


def ledger_beside(path: str | Path) -> str:
    """Where the ledger of one file is by default: beside the file itself, whatever links lead there.

    Errors: LedgerError if it would not be the only one.
    """
    place = Path(path).resolve()
    _check_one_name(path, place)
    if not Path(path).is_symlink():
        return f"{path}.ledger"
    ledger, left = Path(f"{place}.ledger"), Path(f"{path}.ledger")
    if left.exists() and not (ledger.exists() and left.samefile(ledger)):
        raise LedgerError(
            f"there is a ledger beside the link {path}",
            detail=f"The file itself is {place}, and its ledger is beside it; what the other has recorded "
            "would not count.",
            hint=f"Go on with it by --ledger {left}, or move it to {ledger} if there is none.",
        )
    return str(ledger)


def _check_one_name(path: str | Path, place: Path) -> None:
    """Errors: LedgerError if a file has hard links, since nobody can tell which names these are."""
    with suppress(OSError):
        names = place.stat().st_nlink
        if names > 1 and place.is_file():
            raise LedgerError(
                f"file {path} has {names} names",
                detail="Each of them would have a ledger of its own, and so a fresh budget for the same "
                "people.",
                hint="Remove the other hard link, or say where the one ledger is: --ledger.",
            )


def literal_glob(path: str) -> str:
    """A pattern that matches nothing but the path.

    >>> literal_glob("/data/we[ir]d*.csv")
    '/data/we[[]ir]d[*].csv'
    """
    return _WILD.sub(lambda sign: f"[{sign[0]}]", path)


def _split(parts: tuple[str, ...]) -> tuple[Path, tuple[str, ...]]:
    """The folders up to the first wildcard, where a name that exists is none."""
    fixed = Path()
    for number, part in enumerate(parts):
        if _WILD.search(part) and not os.path.lexists(fixed / part):
            return fixed, parts[number:]
        fixed /= part
    return fixed, ()


def _split_address(text: str) -> tuple[str, str]:
    wild = None if text.lower().startswith("http") else _WILD.search(text)  # nobody lists a web server
    fixed = text if wild is None else text[: wild.start()]
    root = fixed.rpartition("/")[0]
    return root, text[len(root) + 1 :]


def _unclear(text: str, detail: str, hint: str) -> DpduckError:
    return PolicyError(f"which files are {text}?", detail=detail, hint=hint)
