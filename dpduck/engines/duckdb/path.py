"""Interpretation of FILE: a database, a Parquet or CSV file, a folder or glob of such files, or an address.

Only names are examined, which are public, and how a single file begins, which says of which kind it is. The
name of an existing file is literal, even if it contains wildcards. The table of files is named after the file
(`visits` of `visits.parquet`), or after the last folder before the first wildcard that is not a partition:
`data` of `data/`, `data/*.parquet` and `data/year=2024/*/*.csv`. The ledger of several files is beside that
folder, so all patterns below it, however they are written, are charged to one ledger; a single file by its
own name has its own ledger.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from dpduck.kernel.errors import DpduckError, LedgerError, PolicyError, UnknownNameError
from dpduck.kernel.errors.names import nearest

PARQUET = ".parquet"
TEXTS = (".csv", ".tsv", ".csv.gz", ".tsv.gz")  # that are read line by line
KINDS = (PARQUET, *TEXTS)
LAKE = ".ducklake"
COMPRESSIONS = (".gz", ".zst", ".bz2", ".xz", ".zip")
_OF_JSON = (
    "One value of JSON that is malformed, or is not of its column's type, would take others away, or fail."
)
_OF_EXCEL = (
    "One cell that is not of its column's type would fail each query that reads it, and quote the cell."
)
_OF_OTHERS = (
    "Only an extension of DuckDB reads it, if any: one value might fail, and nothing is downloaded here."
)
_OF_SQLITE = (
    "A value of SQLite need not be of its column's type: one of them would fail each query that reads it."
)
_OF_PACKED = (
    "Of compressed texts only those of gzip are read, such as .csv.gz; Parquet has a compression of its own."
)
_OTHERS = (
    *("arrow", "arrows", "avro", "feather", "ipc", "lance", "orc", "vortex"),
    *("dta", "por", "sas7bdat", "sav", "xpt", "zsav", "mdb", "accdb", "h5", "nc", "pkl", "rds", "shp"),
)
# Kinds of files that DuckDB or others read, and why they are not read here.
UNREAD = {
    **{
        f".{kind}{packed}": _OF_JSON for kind in ("json", "ndjson", "jsonl") for packed in ("", *COMPRESSIONS)
    },
    **{f".{kind}": _OF_EXCEL for kind in ("xlsx", "xls", "xlsm", "ods")},
    **{f".{kind}": _OF_SQLITE for kind in ("sqlite", "sqlite3", "db3", "gpkg")},
    **{f".{kind}": _OF_OTHERS for kind in _OTHERS},
    **{
        f".{kind}{packed}": _OF_PACKED
        for kind in ("csv", "tsv", "parquet")
        for packed in COMPRESSIONS
        if f".{kind}{packed}" not in TEXTS
    },
}
# How other files begin, whatever they are called; none of it begins a text.
_BEGINNINGS = {
    b"SQLite format 3\0": _OF_SQLITE,
    b"Obj\1": _OF_OTHERS,  # Avro
    b"ARROW1\0\0": _OF_OTHERS,
    b"PK\3\4": _OF_EXCEL,
}
_OF_DATABASES = b"DUCK"  # after a checksum
_MOST_BYTES = 16
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class DataPath:
    """What was typed as FILE. Its properties describe the file system when they were first read."""

    text: str

    def __str__(self) -> str:
        return self.text

    @cached_property
    def scheme(self) -> str | None:
        """The scheme of an address, in lower case; None for a path."""
        found = _ADDRESS.match(self.text)
        return None if found is None else found[1].lower()

    @cached_property
    def is_set(self) -> bool:
        """Whether it may denote several files."""
        if self.scheme is not None:
            return True
        return Path(self.text).is_dir() or (not Path(self.text).is_file() and bool(self._parts[1]))

    @property
    def is_database(self) -> bool:
        """Whether it stores its own policies."""
        return not self.is_set and suffix_of(self.text) not in KINDS

    @property
    def is_lake(self) -> bool:
        """Whether it is the catalog of a DuckLake."""
        return self.is_database and Path(self.text).suffix.lower() == LAKE

    def check(self) -> None:
        """Errors: UnknownNameError if it names nothing, or one file that does not exist."""
        if not self.text.strip():  # which would be the current folder
            raise UnknownNameError(
                "no file is named",
                hint="Give the path of a DuckDB, Parquet or CSV file, or of a folder of them.",
            )
        if not self.is_set and not Path(self.text).is_file():
            raise UnknownNameError(f"file {self.text} does not exist", hint=self._nearest)
        self.check_kind()

    def check_kind(self) -> None:
        """Errors: PolicyError for a file of a kind that is not read, by its name or by how it begins."""
        if self.is_set:
            return
        why = UNREAD.get(suffix_of(self.text)) or self._why_unread()
        if why is not None:
            raise PolicyError(
                f"{self.text} is of a kind that is not read",
                detail=why,
                hint="Write it as Parquet or CSV, or import it into a DuckDB database, where what cannot be "
                "converted is seen.",
            )

    def _why_unread(self) -> str | None:
        """Why a file that begins as it does is not read. The catalog of a lake may be one of SQLite."""
        beginning = b""
        with suppress(OSError), Path(self.text).open("rb") as file:
            beginning = file.read(_MOST_BYTES)
        if not beginning or self.is_lake:
            return None
        for known, why in _BEGINNINGS.items():
            if beginning.startswith(known):
                return why
        if self.is_database and beginning[8:12] != _OF_DATABASES:
            return (
                "It does not begin as a DuckDB database does, and its name says no other kind that is read."
            )
        return None

    @property
    def _nearest(self) -> str:
        """A hint for a file that is not there: those beside it with a name like it."""
        place = Path(self.text)
        beside: list[str] = []
        with suppress(OSError):
            beside = [one.name for one in place.parent.iterdir() if _may_be_data(one)]
        if not place.parent.is_dir():
            return f"There is no folder {place.parent} either."
        near = nearest(_stem(place.name), map(_stem, beside))
        meant = [name for stem in near for name in sorted(beside) if _stem(name).lower() == stem.lower()]
        meant.sort(key=lambda name: Path(name).suffix.lower() != place.suffix.lower())
        return f"Did you mean {' or '.join(meant)}?" if meant else "Give the path of an existing file."

    @property
    def where(self) -> str:
        """Its canonical location, without links. Errors: PolicyError."""
        return f"{self.root}/{self.pattern}" if self.is_set else str(Path(self.text).resolve())

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.text if self.is_set else Path(self.text).name

    @property
    def table(self) -> str:
        """The name of its one table. Errors: PolicyError."""
        if not self.is_set:
            return _stem(Path(self.text).name)
        if self.scheme is not None and self._parts[1] and not _WILD.search(self._parts[1]):
            return _stem(self._parts[1])
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
        """The location of the one file, without links."""
        return Path(self.text).resolve()

    @property
    def account_name(self) -> str:
        """The name of its table's privacy units in a ledger, independent of links to it."""
        return _stem(self.place.name) if not self.is_set else self.table

    @property
    def stem(self) -> str | None:
        """Its path without suffixes, to name what stands beside it; None for an address."""
        if self.scheme is not None:
            return None
        if self.is_set:
            return self._home
        beside = Path(self.text) if not Path(self.text).is_symlink() else self.place
        return str(beside.with_name(_stem(beside.name)))

    @property
    def ledger(self) -> str:
        """The default path of its ledger. Errors: LedgerError if there is no such place, or more than one."""
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
        """The folder that holds all files of a set, and outside of which nothing is read; or an address."""
        return self._parts[0]

    @cached_property
    def pattern(self) -> str:
        """The files of a set below its root, as DuckDB globs them. Errors: PolicyError if it is ambiguous."""
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
        """The present files, in order; none for an address."""
        if self.scheme is not None:
            return []
        return sorted(Path(self.root).glob(self.pattern)) if self.is_set else [Path(self.text)]

    @property
    def kind(self) -> str | None:
        """The suffix of its files; None for a database."""
        name = self._parts[1] if self.is_set else self.text
        suffix = suffix_of(name or self.pattern)
        return suffix if suffix in KINDS else None

    @cached_property
    def _parts(self) -> tuple[str, str]:
        """The fixed part of the path, and the pattern below it."""
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
        """The kind of files in a folder."""
        if self.scheme is not None:
            return KINDS[0]
        names = {suffix_of(place.name) for place in Path(root).rglob("*") if place.is_file()}
        held = [kind for kind in KINDS if kind in names and any(Path(root).rglob(f"*{kind}"))]
        if len(held) == 1:
            return held[0]
        if held:
            raise _unclear(
                self.text, f"It holds files of kinds {' and '.join(held)}.", f"Write '{root}/**/*{held[0]}'."
            )
        raise UnknownNameError(
            f"folder {self.text} holds no Parquet or CSV file", hint="Give the path of one that does."
        )


def suffix_of(name: str) -> str:
    """The suffix of a file's name, in lower case, with that of its compression.

    >>> suffix_of("a.CSV.gz"), suffix_of("a.b.parquet")
    ('.csv.gz', '.parquet')
    """
    path = PurePosixPath(name.lower())
    packed = path.suffix if path.suffix in COMPRESSIONS else ""
    return PurePosixPath(path.stem).suffix + packed if packed else path.suffix


def _stem(name: str) -> str:
    """The name of a file without its suffix."""
    suffix = suffix_of(name)
    return name[: -len(suffix)] if suffix and len(suffix) < len(name) else name


def _may_be_data(place: Path) -> bool:
    suffix = suffix_of(place.name)
    return suffix in (*KINDS, LAKE, ".duckdb", ".db") or place.is_dir()


def ledger_beside(path: str | Path) -> str:
    """The default path of the ledger of one file: beside the file itself, even if a link leads there.

    Errors: LedgerError if it might not be the only one.
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
    """Errors: LedgerError if a file has hard links, since their names cannot be found."""
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
    """A glob pattern that matches only this path.

    >>> literal_glob("/data/we[ir]d*.csv")
    '/data/we[[]ir]d[*].csv'
    """
    return _WILD.sub(lambda sign: f"[{sign[0]}]", path)


def _split(parts: tuple[str, ...]) -> tuple[Path, tuple[str, ...]]:
    """Split at the first wildcard; a part that exists literally is not a wildcard."""
    fixed = Path()
    for number, part in enumerate(parts):
        if _WILD.search(part) and not os.path.lexists(fixed / part):
            return fixed, parts[number:]
        fixed /= part
    return fixed, ()


def _split_address(text: str) -> tuple[str, str]:
    wild = None if text.lower().startswith("http") else _WILD.search(text)  # a web server cannot be listed
    fixed = text if wild is None else text[: wild.start()]
    root = fixed.rpartition("/")[0]
    return root, text[len(root) + 1 :]


def _unclear(text: str, detail: str, hint: str) -> DpduckError:
    return PolicyError(f"which files are {text}?", detail=detail, hint=hint)
