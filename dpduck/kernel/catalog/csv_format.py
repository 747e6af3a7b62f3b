"""How a CSV file is read: the facts that turn its lines into rows, which are public like any schema.

No fact is taken from the lines of a file while it is read: one person's line would decide how those of others
are parsed. The owner says the facts, in options or a script, or has them proposed once and recorded
(`policies.csv_record`). A value that does not fit them is NULL, for its own row alone.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from dpduck.kernel.catalog.model import fold
from dpduck.kernel.catalog.statements import TableStatement
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.errors.names import did_you_mean

UTF8 = "utf-8"
PADDED = "padded"  # the format of numbers that zeros, spaces or a plus sign may stand before

_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
INTEGERS = (*_INTEGERS, *(f"U{name}" for name in _INTEGERS))
FLOATS = ("FLOAT", "DOUBLE")
MOMENTS = ("DATE", "TIMESTAMP")
_ZONED = "TIMESTAMP WITH TIME ZONE"
_PLAIN = ("VARCHAR", "BOOLEAN", *INTEGERS, *FLOATS, *MOMENTS, _ZONED, "TIME", "UUID")
_ALIASES = {
    "TEXT": "VARCHAR", "STRING": "VARCHAR", "CHAR": "VARCHAR", "BOOL": "BOOLEAN", "LOGICAL": "BOOLEAN",
    "INT": "INTEGER", "INT4": "INTEGER", "SIGNED": "INTEGER", "INT8": "BIGINT", "LONG": "BIGINT",
    "INT2": "SMALLINT", "SHORT": "SMALLINT", "INT1": "TINYINT", "REAL": "FLOAT", "FLOAT4": "FLOAT",
    "FLOAT8": "DOUBLE", "DOUBLE PRECISION": "DOUBLE", "DATETIME": "TIMESTAMP", "TIMESTAMPTZ": _ZONED,
    "DECIMAL": "DECIMAL(18,3)", "NUMERIC": "DECIMAL(18,3)",
}  # fmt: skip
_DECIMAL = re.compile(r"(?:DECIMAL|NUMERIC|DEC)\s*\(\s*(\d{1,2})\s*(?:,\s*(\d{1,2})\s*)?\)")
_OF_WORDS = ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf-7")  # no text of lines
_DIRECTIVES = re.compile("%-?[aAbBcdfgGHIjmMnpSuUVwWxXyYzZ%]")  # that DuckDB's strptime knows
_WORDS = re.compile(r"[^/]+/[^/]+")  # the two words of BOOLEAN
_FORMS = "DATE, TIMESTAMP, BIGINT, DOUBLE, DECIMAL(10,2), BOOLEAN or VARCHAR"


@dataclass(frozen=True)
class CsvColumn:
    """A column: its name, DuckDB's name of its type, and how its values are written, if not as DuckDB does.

    `format`: of DATE and TIMESTAMP as of strptime; of BOOLEAN both words, such as yes/no; of
    numbers `PADDED`.
    Errors: ParameterError for a type that is not read, or a format that is none of the type.
    """

    name: str
    type: str = "VARCHAR"
    format: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "type", column_type(self.type))
        if self.format is not None and not _is_format(self.type, self.format):
            raise ParameterError(
                f"{self.format[:60]!r} is no format of column {self.name}, which is {self.type}",
                detail="A DATE or TIMESTAMP has one as of strptime, a BOOLEAN both words, a number 'padded'.",
                hint="Write day=%d/%m/%Y, ok=yes/no or month=padded, and the type beside it.",
            )

    def __str__(self) -> str:
        return f"{self.name} {self.type}" + ("" if self.format is None else f" {self.format}")


def column_type(text: str) -> str:
    """DuckDB's name of a type that values of CSV are read as. Errors: ParameterError.

    >>> column_type("int8"), column_type("numeric(10, 2)"), column_type("timestamptz")
    ('BIGINT', 'DECIMAL(10,2)', 'TIMESTAMP WITH TIME ZONE')
    """
    name = " ".join(text.upper().split())
    name = _ALIASES.get(name, name)
    if name in _PLAIN:
        return name
    found = _DECIMAL.fullmatch(name)
    if found is not None and 1 <= int(found[1]) <= 38 and int(found[2] or 0) <= int(found[1]):
        return f"DECIMAL({int(found[1])},{int(found[2] or 0)})"
    raise ParameterError(
        f"{text[:60]!r} is not a type of a CSV column",
        hint=did_you_mean(name, [*_PLAIN, *_ALIASES]) or f"Write {_FORMS}.",
    )


def is_number(kind: str) -> bool:
    """Whether values of a type are numbers."""
    return kind in INTEGERS or kind in FLOATS or kind.startswith("DECIMAL")


def _is_format(kind: str, text: str) -> bool:
    if kind in (*MOMENTS, _ZONED):
        return "%" in text and _DIRECTIVES.sub("", text).find("%") < 0
    if kind == "BOOLEAN":
        return _WORDS.fullmatch(text) is not None
    return is_number(kind) and text == PADDED


@dataclass(frozen=True)
class CsvFormat:
    """All that is to be known to read a file.

    `columns`: in the order of the parts of a line. `delimiter`, `quote` and `escape`: one character each; no
    quote: ''. `header`: whether the first line names the columns; `skip`: lines before it, or before the
    rows. `encoding`: as Python calls it. `null`: texts that are NULL besides the empty one. `decimal` and
    `thousands`: the signs in numbers; no sign between thousands: ''.
    Errors: ParameterError.
    """

    columns: tuple[CsvColumn, ...] = ()
    delimiter: str = ","
    quote: str = '"'
    escape: str = '"'
    header: bool = True
    skip: int = 0
    encoding: str = UTF8
    null: tuple[str, ...] = ()
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoding", encoding_named(self.encoding))
        _check_signs(self)
        names = [fold(column.name) for column in self.columns]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ParameterError(f"column {twice} is named twice", hint="Names that differ in case are one.")

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def said(self) -> dict[str, object]:
        """The facts beside the columns that are not as usual, by name, in order."""
        usual = CsvFormat()
        return {name: value for name in OPTIONS if (value := getattr(self, name)) != getattr(usual, name)}

    def details(self) -> dict[str, object]:
        """The facts as values of JSON, which `of_details` reads."""
        return asdict(self)

    @classmethod
    def of_details(cls, details: Mapping[str, Any]) -> CsvFormat:
        """The facts from values of JSON. Errors: ParameterError, TypeError, KeyError for what is none."""
        columns = tuple(CsvColumn(**column) for column in details["columns"])
        return cls(**{**details, "columns": columns, "null": tuple(details["null"])})

    def shown(self, most: int | None = None) -> str:
        """The facts in a line. Input: the most columns that are named."""
        signs = "; ".join(f"{name} {_shown(value)}" for name, value in self.said.items())
        named = [*map(str, self.columns[:most])]
        more = len(self.columns) - len(named)
        return ", ".join([*named, *([f"and {more} more"] if more else [])]) + (signs and f"; {signs}")

    def __str__(self) -> str:
        return self.shown()


@dataclass(frozen=True)
class SetCsv(TableStatement):
    """ALTER TABLE t SET CSV (column TYPE [FORMAT 'f'], ...) [WITH (fact = value, ...)]: how t's file is read.

    `remarks`: what the owner should know of facts that were just proposed; no part of what it says.
    """

    format: CsvFormat
    remarks: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)


OPTIONS = tuple(one.name for one in fields(CsvFormat) if one.name != "columns")


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(repr, value))
    return "no" if value is False else repr(value)


def _check_signs(said: CsvFormat) -> None:
    """Errors: ParameterError for signs that are none, or that cannot be told apart."""
    for name, least in (("delimiter", 1), ("quote", 0), ("escape", 0), ("decimal", 1), ("thousands", 0)):
        sign = getattr(said, name)
        if not least <= len(sign) <= 1 or (sign and (sign in "\r\n\x00\x01\x02\x03" or sign.isalnum())):
            raise ParameterError(
                f"{sign[:20]!r} cannot be the {name} of a CSV file",
                detail="It is one character, which is no letter, digit or end of a line.",
                hint=f"Write {name} = '{getattr(CsvFormat, name)}', as is usual.",
            )
    if said.delimiter in (said.quote, said.escape) or said.decimal == said.thousands:
        raise ParameterError(
            f"{said.delimiter!r} cannot separate values and quote them"
            if said.delimiter in (said.quote, said.escape)
            else f"{said.decimal!r} cannot be the decimal sign and that between thousands",
            hint="Give one of them another sign.",
        )
    if said.skip < 0:
        raise ParameterError(f"{said.skip} lines cannot be skipped", hint="Write skip = 1.")


def encoding_named(text: str) -> str:
    """The name that Python has for an encoding of text. Errors: ParameterError.

    >>> encoding_named("Latin1"), encoding_named("windows-1252"), encoding_named("UTF8")
    ('iso8859-1', 'cp1252', 'utf-8')
    """
    name = ""
    with suppress(LookupError, ValueError):
        "a".encode(text.strip())  # which fails for what is no encoding of text, such as base64
        name = codecs.lookup(text.strip()).name
    if name in ("utf-8-sig", "ascii"):  # of which UTF-8 reads all
        return UTF8
    if not name or name in _OF_WORDS:
        raise ParameterError(
            f"there is no encoding {text[:40]!r}",
            hint=did_you_mean(text, ["utf-8", "utf-16", "latin-1", "windows-1252", "iso-8859-15", "cp437"])
            or "Write utf-8, latin-1, windows-1252 or utf-16.",
        )
    return name


@dataclass(frozen=True)
class CsvWords:
    """What somebody says of how a file is read: some facts, or none.

    `types` and `formats`: by column; `facts`: the others, by their names in `CsvFormat`.
    """

    types: Mapping[str, str] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, object] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.types or self.formats or self.facts)

    def check(self) -> None:
        """Errors: ParameterError for what can hold of no file."""
        signs = {**self.facts}
        if "quote" in signs and "escape" not in signs:
            signs["escape"] = signs["quote"]
        CsvFormat(**signs)  # type: ignore[arg-type]
        for kind in self.types.values():
            column_type(kind)

    def change(self, form: CsvFormat) -> CsvFormat:
        """The facts, as changed by these words. Errors: ParameterError for a column that is not there."""
        facts = dict(self.facts)
        if "quote" in facts and "escape" not in facts:
            facts["escape"] = facts["quote"]
        columns = list(form.columns)
        for name, kind in self.types.items():
            place = _place(columns, name)
            same = column_type(kind) == columns[place].type
            columns[place] = replace(
                columns[place], type=kind, format=columns[place].format if same else None
            )
        for name, text in self.formats.items():
            place = _place(columns, name)
            columns[place] = replace(columns[place], format=text)
        return replace(form, columns=tuple(columns), **facts)  # type: ignore[arg-type]


def _place(columns: Sequence[CsvColumn], name: str) -> int:
    place = next((n for n, column in enumerate(columns) if fold(column.name) == fold(name)), None)
    if place is None:
        names = [column.name for column in columns]
        raise ParameterError(
            f"the file has no column {name[:60]}",
            detail=f"Its columns are {', '.join(names[:20])}.",
            hint=did_you_mean(name, names) or "Write one of them.",
        )
    return place


def names_in_header(parts: Sequence[str]) -> tuple[str, ...]:
    """The names of columns that the parts of a line are: one of its own for each.

    >>> names_in_header(["id", " Age ", "", "age"])
    ('id', 'Age', 'column2', 'age_1')
    """
    names: list[str] = []
    taken: set[str] = set()
    for number, part in enumerate(parts):
        base = name = " ".join(part.split()) or f"column{number}"
        again = 0
        while fold(name) in taken:
            again += 1
            name = f"{base}_{again}"
        taken.add(fold(name))
        names.append(name)
    return tuple(names)
