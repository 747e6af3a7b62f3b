"""Output of the command line: tables in four formats, errors, budget bars and a progress line.

DuckDB itself draws tables and casts values, so that a table looks as in DuckDB's own shell.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
import textwrap
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from fractions import Fraction
from typing import TextIO

import duckdb
import pyarrow as pa

from dpduck.engines.duckdb.carried import TYPE_OF_TEXT
from dpduck.engines.duckdb.hardening import scratch_of_process
from dpduck.kernel.cancellation import Interrupts, Progress
from dpduck.kernel.errors import DpduckError, ParameterError
from dpduck.kernel.errors.advice import Audience

FORMATS = ("box", "csv", "json", "markdown")
MAX_ROWS = 40  # as in DuckDB's shell: of more rows, the first and last 20 are shown
UNLIMITED = 1_000_000
_CSV_LINE_END = "\r\n"
_LARGE_NUMBERS = ("HUGEINT", "UHUGEINT", "BIGNUM")
_CONTEXT = 30
_REDRAWN = 0.25  # seconds between updates of the progress line
# Characters that change the writing direction, and line ends that dpduck does not write itself.
_TURNS = r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
_CONTROLS = re.compile(rf"[\x00-\x1f\x7f-\x9f{_TURNS}]")
_HARMFUL = re.compile(rf"(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f{_TURNS}]")
_NEARLY_ALL = 99  # percent, as long as work remains


def render(table: pa.Table, format: str, *, width: int | None = None, rows: int = MAX_ROWS) -> str:
    """Format a table for people (box, markdown) or for programs (csv, json).

    Input: `width`: the columns that a box may take, from `screen_width`; None is unlimited. `rows`: how many
        rows of a box are shown: of more, the first and the last half.
    Output: the text, with its last line end; nothing for a table without columns.
    Errors: ParameterError for an unknown format.

    >>> print(render(pa.table({"item": ["tea", None], "n": [3, 4]}), "json"), end="")
    [{"item":"tea","n":3},
    {"item":null,"n":4}]
    """
    if format not in FORMATS:
        raise ParameterError(
            f"format {format!r} does not exist",
            detail=f"The formats are {', '.join(FORMATS)}.",
            hint="Write --format box.",
        )
    if not table.column_names:
        return ""
    if format == "box":
        return _box(table, width, rows)
    return {"csv": _csv, "json": _json, "markdown": _markdown}[format](table)


def _box(table: pa.Table, width: int | None, rows: int) -> str:
    drawing = io.StringIO()
    # DuckDB offers its drawing only by printing it.
    with scratch_of_process() as db, redirect_stdout(drawing):
        relation = _read(db, table.rename_columns(_distinct(table.column_names)))
        relation.show(max_rows=rows, max_width=width or UNLIMITED)
    return drawing.getvalue().rstrip("\n") + "\n"


def _csv(table: pa.Table) -> str:
    """CSV by RFC 4180. NULL is an empty field, and an empty string a quoted one."""
    rows = [tuple(table.column_names), *_cast(table, "CAST(COLUMNS(*) AS VARCHAR)")]
    return "".join(",".join(map(_csv_field, row)) + _CSV_LINE_END for row in rows)


def _csv_field(text: str | None) -> str:
    if text is None:
        return ""
    if text and not any(sign in text for sign in ',"\r\n'):
        return text
    return '"' + text.replace('"', '""') + '"'


def _json(table: pa.Table) -> str:
    keys = [json.dumps(name, ensure_ascii=False) for name in _distinct(table.column_names)]
    rows = _cast(table, "CAST(to_json(COLUMNS(*)) AS VARCHAR)")
    objects = [
        "{" + ",".join(f"{key}:{_json_value(text)}" for key, text in zip(keys, row, strict=True)) + "}"
        for row in rows
    ]
    text = "[" + ",\n".join(objects) + "]\n"
    return _HARMFUL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _json_value(text: str | None) -> str:
    if text is None:
        return "null"
    if "NaN" in text or "Infinity" in text:
        # JSON has no such numbers. A string that merely contains the word is unchanged.
        return json.dumps(json.loads(text, parse_constant=lambda _: None), ensure_ascii=False)
    return text


def _markdown(table: pa.Table) -> str:
    ruler = ["--:" if is_number(field) else "---" for field in table.schema]
    names = [_markdown_cell(name) for name in table.column_names]
    cells = ([_markdown_cell(text) for text in row] for row in cells_of(table))
    return "".join(f"| {' | '.join(row)} |\n" for row in [names, ruler, *cells])


def _markdown_cell(text: str | None) -> str:
    if text is None:
        return "NULL"
    shown = visible(text.replace("\\", "\\\\").replace("|", "\\|"))
    return shown.replace("\r\n", "\n").replace("\n", "<br>")


def cells_of(table: pa.Table) -> list[tuple[str | None, ...]]:
    """The rows as DuckDB writes their values; None for NULL."""
    return _cast(table, "CAST(COLUMNS(*) AS VARCHAR)") if table.column_names else []


def is_number(field: pa.Field) -> bool:
    """Whether a column holds numbers, which are right-aligned."""
    kind, written = field.type, _type_of_text(field)
    if written is not None:
        return written in _LARGE_NUMBERS
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _cast(table: pa.Table, projection: str) -> list[tuple[str | None, ...]]:
    """Let DuckDB convert every value to text."""
    # Generated names, since DuckDB 1.5 cannot project an Arrow table with duplicate names.
    plain = table.rename_columns([f"c{i}" for i in range(table.num_columns)])
    with scratch_of_process() as db:
        return _read(db, plain).project(projection).fetchall()


def _read(db: duckdb.DuckDBPyConnection, table: pa.Table) -> duckdb.DuckDBPyRelation:
    """The table in DuckDB, where texts of which a type is known have that type."""
    relation, kinds = db.from_arrow(table), [_type_of_text(field) for field in table.schema]
    if not any(kinds):
        return relation
    columns = (
        duckdb.ColumnExpression(name)
        if kind is None
        else duckdb.ColumnExpression(name).cast(db.type(kind)).alias(name)
        for name, kind in zip(table.column_names, kinds, strict=True)
    )
    return relation.select(*columns)


def _type_of_text(field: pa.Field) -> str | None:
    kind = (field.metadata or {}).get(TYPE_OF_TEXT)
    return None if kind is None or not pa.types.is_string(field.type) else kind.decode()


def _distinct(names: list[str]) -> list[str]:
    """Make duplicate column names unique as DuckDB does: a, a_1.

    >>> _distinct(["a", "b", "A", "a_1"])
    ['a', 'b', 'A_1', 'a_1_1']
    """
    taken: set[str] = set()
    result = []
    for name in names:
        unique, number = name, 0
        while unique.lower() in taken:
            number += 1
            unique = f"{name}_{number}"
        taken.add(unique.lower())
        result.append(unique)
    return result


def error_text(
    error: DpduckError, sql: str | None = None, audience: Audience = Audience.SQL, *, width: int | None = None
) -> str:
    """Format an error for people, as psql does.

    Input: the error; the SQL text that its position refers to; its audience; and the width to which DETAIL
        and HINT are wrapped.
    Output: lines, each with its line end: the message, the position, DETAIL and HINT.

    >>> print(error_text(DpduckError("no such column", hint="Try b.", position=8), "SELECT a"), end="")
    no such column
    LINE 1: SELECT a
                   ^
    DETAIL: Nothing was charged.
    HINT: Try b.
    """
    lines = [error.message]
    if sql is not None and error.position is not None:
        lines += _place(sql, error.position)
    lines += fitted(f"DETAIL: {error.detail}", width) if error.detail else []
    hint = error.hint_for(audience)
    if hint is not None:
        lines += fitted(f"HINT: {hint}", width)
    return "\n".join(lines) + "\n"


def fitted(line: str, width: int | None) -> list[str]:
    """Wrap a line between words.

    >>> fitted("DETAIL: one two three", 12)
    ['DETAIL: one', 'two three']
    """
    return [line] if width is None else textwrap.wrap(line, width, break_on_hyphens=False)


def _place(sql: str, position: int) -> list[str]:
    """The line of the SQL text at a 1-based position, or an excerpt of it, and a caret under it."""
    if not 1 <= position <= len(sql) + 1:
        return []
    before, after = sql[: position - 1], sql[position - 1 :]
    number = before.count("\n") + 1
    left, right = before.rpartition("\n")[2], after.partition("\n")[0]
    if len(left) > _CONTEXT:
        left = "..." + left[-_CONTEXT:]
    if len(right) > _CONTEXT:
        right = right[:_CONTEXT] + "..."
    start = f"LINE {number}: {one_line(left)}"
    return [start + one_line(right).rstrip(), " " * text_width(start) + "^"]


def one_line(text: str) -> str:
    """Replace each control character, including tabs, by a space."""
    return _CONTROLS.sub(" ", text)


def visible(text: str) -> str:
    """Escape control characters for a terminal, except tabs and line ends.

    Otherwise an analyst's text could move the owner's cursor, or change the text around it.
    """
    return _HARMFUL.sub(lambda found: ascii(found[0])[1:-1], text)


def text_width(text: str) -> int:
    """The width of a text in columns of the screen."""
    signs = [sign for sign in text if not unicodedata.combining(sign)]
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in signs)


def bar(spent: Fraction, limit: Fraction | None, width: int = 20) -> str:
    """Draw how much of a budget is spent. A budget without a limit is a row of dots.

    The bar is full only if nothing remains, and empty only if nothing is spent.

    >>> bar(Fraction(1), Fraction(4), 8), bar(Fraction(1), None, 8)
    ('██░░░░░░', '········')
    """
    if limit is None:
        return "·" * width
    if spent >= limit:
        return "█" * width
    full = int(width * spent / limit)
    if spent:
        full = min(max(full, 1), width - 1)
    return "█" * full + "░" * (width - full)


def screen_width(stream: TextIO | None = None) -> int | None:
    """The width of the terminal in columns; None if the stream (default: stdout) is not a terminal."""
    stream = sys.stdout if stream is None else stream
    return shutil.get_terminal_size().columns if stream.isatty() else None


@contextmanager
def progress(
    label: str, interrupts: Interrupts | None = None, *, stream: TextIO | None = None, delay: float = 1.0
) -> Iterator[None]:
    """Show the progress and duration of the work within, once it takes longer than `delay` seconds.

    The line is drawn on stderr, and only if that is a terminal; it is removed when the work is done.
    Input: the `interrupts` of the session that works, if it reads the data.
    """
    stream = sys.stderr if stream is None else stream
    if not stream.isatty():
        yield
        return
    with following(label, interrupts) as line:
        done = threading.Event()
        drawer = threading.Thread(target=_draw, args=(line, stream, delay, done), daemon=True)
        drawer.start()
        try:
            yield
        finally:
            done.set()
            drawer.join()


@contextmanager
def following(label: str, interrupts: Interrupts | None = None) -> Iterator[Callable[[], str]]:
    """Yields a function that describes the progress of the work within, as a line."""
    start = time.monotonic()

    def line() -> str:
        done = Progress() if interrupts is None else interrupts.progress()
        return f"{_stage(label, done)} {time.monotonic() - start:.0f} s"

    if interrupts is None:
        yield line
        return
    interrupts.followed = True
    try:
        yield line
    finally:
        interrupts.followed = False


def _stage(label: str, done: Progress) -> str:
    """The present stage: one of the reads, or the noise afterwards, whose progress is not measured."""
    if not done.running:
        return "making the answer" if done.readings else label
    part = f", part {done.readings}" if done.readings > 1 else ""
    percent = "" if done.percent is None else f" {min(int(done.percent), _NEARLY_ALL)} %"
    return f"{label}{part}{percent}"


def _draw(line: Callable[[], str], stream: TextIO, delay: float, done: threading.Event) -> None:
    drawn = ""
    wait = delay
    while not done.wait(wait):
        wait = min(delay, _REDRAWN)
        before, drawn = drawn, line()
        stream.write(f"\r{drawn}{' ' * (text_width(before) - text_width(drawn))}")
        stream.flush()
    if drawn:
        stream.write("\r" + " " * text_width(drawn) + "\r")
        stream.flush()
