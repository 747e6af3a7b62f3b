"""What DuckDB found in the lines of a CSV file decided how the lines of others were read.

One line `06/15/2024` beside lines `MM/01/2024` moved a count of February by 183,283 of 200,000; one longer
last line hid all people; `60.5` among whole numbers was counted as 61. How a file is read is on record now,
and nothing of it comes from lines: a file with one line more, read by the same record, has the same other
rows, values, types, order and errors, whatever the line is and wherever it stands.
"""

from __future__ import annotations

import contextlib
import csv
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import count, islice
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.answers.given_policies import policies_of_files
from dpduck.engines.duckdb import csv_proposal, files
from dpduck.engines.duckdb.csv_lines import CsvLines
from dpduck.engines.duckdb.path import DataPath
from dpduck.engines.duckdb.transcoded import TranscodedFiles
from dpduck.engines.source import open_source
from dpduck.kernel.catalog.csv_format import CsvColumn, CsvFormat, CsvWords, SetCsv
from dpduck.kernel.catalog.statements import PolicyStatement, TableName
from dpduck.kernel.errors import DpduckError, PolicyError
from tests.depth import depth

PAIRS = depth(2_000, 150, 45)
BEYOND = 21_000  # lines, of which DuckDB looks at the first 20,480

Make = Callable[[random.Random], str]
DAYS = ("%m/%d/%Y", "%d/%m/%Y", "%Y-%m-%d", "%d.%m.%y", "%m-%d-%Y", "%Y%m%d")
CLOCKS = ("%m/%d/%Y %I:%M:%S %p", "%Y-%m-%d %H:%M:%S", "%d.%m.%Y %H:%M", "%Y-%m-%dT%H:%M:%SZ")


def moment(form: str, most: int = 28) -> Make:
    def make(rng: random.Random) -> str:
        import datetime as dt

        at = dt.datetime(
            2024, rng.randrange(1, 13), min(rng.randrange(1, most + 1), 28), rng.randrange(24), 5
        )
        return at.strftime(form)

    return make


KINDS: dict[str, Make] = {
    "whole": lambda rng: str(rng.randrange(100)),
    "zeros": lambda rng: f"{rng.randrange(100):04d}",
    "spaces": lambda rng: f" {rng.randrange(100)}",
    "number": lambda rng: f"{rng.random() * 100:.2f}",
    "comma": lambda rng: f"{rng.randrange(100)},{rng.randrange(10)}",
    "grouped": lambda rng: f"1.{rng.randrange(100, 999)},50",
    "truth": lambda rng: rng.choice(["true", "false"]),
    "yes": lambda rng: rng.choice(["yes", "no"]),
    "text": lambda rng: rng.choice(["home", "a b", "Genève", "news"]),
    "quoted": lambda rng: rng.choice(['say "so"', "a,b", "a;b", "it's"]),
    "clock": lambda rng: f"{rng.randrange(24):02d}:{rng.randrange(60):02d}",
    **{f"day {form}": moment(form, 12) for form in DAYS},
    **{f"at {form}": moment(form, 12) for form in CLOCKS},
}
WORDS = (
    *("", "60.5", "1e3", "0100", "y", "n/a", "NULL", "inf", "nan", "9" * 40, "1_000", "0x1F", "'", "#"),
    *('"', '"open', "a\x00b", "a\x01b", "é", "\ufeff", "infinity", "epoch", "2024-01-01 (BC)", "\\"),
)


def always(text: str) -> Make:
    return lambda _: text


# What one person's line may hold in place of a value.
STRANGE: tuple[Make, ...] = (
    *KINDS.values(),
    *(moment(form, 31) for form in (*DAYS, *CLOCKS)),
    *map(always, WORDS),
)


@dataclass
class Draft:
    """Lines of a file, of one kind of value each column, and the line of one more person."""

    header: bool
    delimiter: str
    lines: list[bytes]
    other: bytes
    names: list[str] = field(default_factory=list)

    def content(self, place: int | None) -> bytes:
        lines = list(self.lines)
        if place is not None:
            lines.insert(place, self.other)
        head = [self.delimiter.join(self.names).encode()] if self.header else []
        return b"".join(line + b"\n" for line in (*head, *lines))


def draft(rng: random.Random, size: int) -> Draft:
    kinds = rng.choices(list(KINDS.values()), k=rng.randrange(1, 5))
    delimiter = rng.choice([",", ",", ";", "\t", "|"])
    encoding = rng.choice(["utf-8", "utf-8", "latin-1"])

    def line(number: int, makes: list[Make]) -> bytes:
        text = StringIO()
        quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        csv.writer(text, delimiter=delimiter, lineterminator="", quoting=quoting).writerow(
            [number, *(make(rng) for make in makes)]
        )
        return text.getvalue().encode(encoding, "replace")

    lines = [line(number, kinds) for number in range(size)]
    strange = [rng.choice(STRANGE) if rng.random() < 0.7 else make for make in kinds]
    strange = strange[: rng.choice([len(strange)] * 3 + [max(len(strange) - 1, 0)])]
    strange += [rng.choice(STRANGE)] * rng.choice([0, 0, 0, 1, 2])
    other = line(-1, strange)
    if rng.random() < 0.1:
        other = other.replace(b'"', b"", 1) + rng.choice([b'"', b"\xff\xfe", b"\r", b'"x', b"x" * 2_100_000])
    names = ["id", *(f"c{place}" for place in range(len(kinds)))]
    return Draft(rng.random() < 0.8, delimiter, lines, other, names)


def observed(file: Path, policies: tuple[PolicyStatement, ...]) -> object:
    """All that can be seen of the rows of the others: names, types, rows and their order; or the error."""
    try:
        source = open_source(file, read_only=True, policies=policies)
    except DpduckError as error:
        return str(error)
    with source.connection as db:
        # As text, so that NaN is equal to itself.
        rows = db.sql("SELECT * FROM t")
        first = rows.columns[0]
        kept = rows.filter(f"CAST(\"{first}\" AS VARCHAR) IS DISTINCT FROM '-1'")
        shown = kept.project(", ".join(f'CAST("{name}" AS VARCHAR)' for name in rows.columns))
        return rows.columns, list(map(str, rows.types)), shown.fetchall()


def record(file: Path) -> tuple[PolicyStatement, ...]:
    return policies_of_files(DataPath(str(file)), (), records=False)


def without_strangers(seen: object, size: int) -> object:
    """A line that is read as if its first value were another one is the person's own, whatever it says."""
    if isinstance(seen, tuple):
        names, types, rows = seen
        own = [row for row in rows if row[0] is not None and row[0].strip().isdigit() and int(row[0]) < size]
        return names, types, own
    return seen


def places(rng: random.Random, size: int) -> Iterator[int]:
    yield from (0, size // 2, size, rng.randrange(size))


def differing(folder: Path, pairs: int, size: int, seed: int) -> Iterator[str]:
    """Pairs whose other lines differ, read by the record of the file without the line."""
    rng = random.Random(seed)
    file = folder / "t.csv"
    for number in range(pairs):
        one = draft(rng, size)
        file.write_bytes(one.content(None))
        policies = record(file)
        before = observed(file, policies)
        place = list(places(rng, size))[number % 4]
        file.write_bytes(one.content(place))
        after = observed(file, policies)
        if without_strangers(before, size) != without_strangers(after, size):
            yield f"pair {number} at {place}: {one.other[:80]!r} among {one.lines[:2]}: {before} {after}"[
                :900
            ]


@pytest.mark.parametrize("seed", range(3))
def test_one_line_more_changes_nothing_of_others(tmp_path: Path, seed: int) -> None:
    for found in differing(tmp_path, PAIRS // 3, 40, seed):
        pytest.fail(found)


def test_nor_beyond_the_sample_of_duckdb(tmp_path: Path) -> None:
    for found in differing(tmp_path, 4, BEYOND, 7):
        pytest.fail(found)


# --- mutants: what was found in lines, put back ---------------------------------------------------


def test_a_reader_that_sniffs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How each file is read is proposed from its own lines whenever it is opened, as it was."""

    class SniffingLines(CsvLines):
        @classmethod
        def of(cls, form: CsvFormat, file: str) -> CsvLines:
            with suppress(duckdb.Error), duckdb.connect() as db:
                found = csv_proposal.propose_format(db, file, CsvWords())
                return CsvLines.of(form if found is None else found.format, file)
            return CsvLines.of(form, file)

    monkeypatch.setattr(files, "CsvLines", SniffingLines)
    assert len(list(islice(differing(tmp_path, 60, 40, 1), 3))) == 3


def test_a_reader_that_knows_quotes_across_lines_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        CsvLines,
        "select",
        lambda self, source, _: (
            source.split("read_csv(")[0]
            + "read_csv("
            + source.split("read_csv(")[1].split(", columns")[0]
            + f", names = {[name for name, _ in self.columns]}, all_varchar = true, ignore_errors = true)"
        ),
    )
    assert next(differing(tmp_path, 60, 40, 2), None)


# --- the cases that were found, at each door -------------------------------------------------------

DATES = b"i,started,plan\n" + b"".join(b"%d,%02d/01/2024,a\n" % (i, i % 12 + 1) for i in range(2000))
WIDE = b"2000,06/15/2024,a,b\n"
QUESTION = "SELECT count(*) AS n FROM t WHERE started >= '2024-02-01'"


LEDGERS = count()


def answers(folder: Path, content: bytes, **given: object) -> float:
    (folder / "t.csv").write_bytes(content)
    with dpduck.connect(
        folder / "t.csv", unit="i", epsilon=4, ledger=f"{folder}/{next(LEDGERS)}", **given
    ) as db:
        db.execute("SET dp_replay = off")
        return float(db.execute(QUESTION).fetchall()[0][0])


@pytest.mark.parametrize("other", [b"2000,06/15/2024,a\n", b"2000,15/06/2024,a\n", WIDE, b"2000,june,a\n"])
def test_one_date_does_not_decide_how_dates_are_read(tmp_path: Path, other: bytes) -> None:
    first = answers(tmp_path, DATES)
    assert abs(answers(tmp_path, DATES + other) - first) <= 8
    assert abs(answers(tmp_path, DATES.replace(b"\n", b"\n" + other, 1)) - first) <= 8


def test_a_longer_last_line_hides_nobody(tmp_path: Path) -> None:
    lines = b"".join(b"%d,x,y\n" % i for i in range(2000))
    (tmp_path / "t.csv").write_bytes(lines + b"2000,x,y,z\n")
    with dpduck.connect(tmp_path / "t.csv", unit="column0", epsilon=4, header=False) as db:
        assert abs(db.execute("SELECT count(*) FROM t").fetchall()[0][0] - 2000) <= 8


def test_what_is_not_written_as_its_column_is_null(tmp_path: Path) -> None:
    columns = (
        *(
            CsvColumn("i", "BIGINT"),
            CsvColumn("n", "INTEGER"),
            CsvColumn("b", "BOOLEAN"),
            CsvColumn("d", "DATE"),
        ),
        *(CsvColumn("t", "TIMESTAMP"), CsvColumn("p", "DECIMAL(5,2)"), CsvColumn("q", "INTEGER", "padded")),
    )
    lines = [
        "1,60,true,2024-01-05,2024-01-05 10:00:00,1.5,007",
        "2,60.5,y,5 Jan,2024-01-05 10:00:00+02,1.239, +8 ",
        "3,1e3,1,2024-01-05 10:00:00,infinity,1e2,1.5",
        "0100,0100,yes,infinity,epoch,1_0,1_000",
    ]
    (tmp_path / "t.csv").write_text("\n".join(["i,n,b,d,t,p,q", *lines, ""]))
    statement = SetCsv(TableName("t"), CsvFormat(columns))
    source = open_source(tmp_path / "t.csv", read_only=True, policies=(statement,))
    with source.connection as db:
        rows = db.execute(
            "SELECT * REPLACE (t::VARCHAR AS t, d::VARCHAR AS d, p::VARCHAR AS p) FROM t"
        ).fetchall()
    assert rows == [
        (1, 60, True, "2024-01-05", "2024-01-05 10:00:00", "1.50", 7),
        (2, None, None, None, None, None, 8),
        (3, None, None, None, None, None, None),
        (None, None, None, None, None, None, None),
    ]


ENCODED = "id,city\n1,Genève\n2,Zürich\n3,x\n"


@pytest.mark.parametrize("encoding", ["latin-1", "windows-1252", "utf-16", "cp437", "shift_jis", "utf-32"])
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_other_encodings_are_read_and_no_byte_fails(tmp_path: Path, encoding: str, name: str) -> None:
    import gzip

    data = ENCODED.encode(encoding, "replace")
    if encoding in ("latin-1", "windows-1252"):
        data += b"4,\x81\x85\n"
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    words = CsvWords({"id": "BIGINT"}, {}, {"encoding": encoding})
    policies = policies_of_files(DataPath(str(tmp_path / name)), (), words, records=False)
    source = open_source(tmp_path / name, read_only=True, policies=policies)
    with source.connection as db:
        rows = db.execute("SELECT id, city FROM t WHERE id < 4 ORDER BY 1").fetchall()
    expected = ENCODED.encode(encoding, "replace").decode(encoding).splitlines()[1:]
    assert rows == [(int(line[0]), line[2:]) for line in expected]


def test_a_record_outlives_later_versions_and_a_new_header_is_an_error(tmp_path: Path) -> None:
    assert answers(tmp_path, DATES) < 50  # days come first, by what is proposed
    us = {"started": "%m/%d/%Y"}
    assert answers(tmp_path, DATES, formats=us) > 1700
    text = (tmp_path / "t.policy.sql").read_text()
    assert answers(tmp_path, DATES.replace(b"/01/", b"/15/")) > 1700
    assert (tmp_path / "t.policy.sql").read_text() == text
    with pytest.raises(PolicyError, match="does not fit"):
        answers(tmp_path, DATES.replace(b"plan", b"plan,more", 1))
    with pytest.raises(PolicyError, match="does not fit") as caught:
        answers(tmp_path, b"secret-1234,x\n" + DATES)
    assert "secret-1234" not in str(caught.value)


def test_a_named_analyst_gets_texts_and_records_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(DATES)
    with dpduck.connect(tmp_path / "t.csv", unit="i", epsilon=1, analyst="ana") as db:
        assert {str(kind) for _, kind, *_ in db.execute("SELECT 1").description}  # it opens
        with pytest.raises(DpduckError, match="VARCHAR"):
            db.execute("SELECT max(started) FROM t")
    assert not (tmp_path / "t.policy.sql").exists()


@pytest.mark.parametrize(
    "given",
    [
        {"encoding": "nonsense"},
        {"types": {"started": "DATUM"}},
        {"types": {"begun": "DATE"}},
        {"formats": {"plan": "%d"}},
        {"delimiter": ",,"},
        {"decimal": ".", "thousands": "."},
        {"null": 3},
        {"header": "no"},
    ],
    ids=str,
)
def test_what_fits_no_file_is_an_error_before_anything_is_written(
    tmp_path: Path, given: dict[str, object]
) -> None:
    with pytest.raises(DpduckError) as caught:
        answers(tmp_path, DATES, **given)
    assert caught.value.charged == "0"
    assert not (tmp_path / "t.policy.sql").exists()


def test_a_type_that_no_line_has_is_null_everywhere(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(DATES)
    with dpduck.connect(tmp_path / "t.csv", unit="i", epsilon=4, types={"plan": "DATE"}) as db:
        assert abs(db.execute("SELECT count(*) FROM t WHERE plan IS NULL").fetchall()[0][0] - 2000) <= 8


def test_facts_read_back_as_they_are_written() -> None:
    form = CsvFormat(
        (CsvColumn("a b", "decimal(4, 1)"), CsvColumn("d", "date", "%d'%m")), ";", null=("n/a", "-")
    )
    assert CsvFormat.of_details(form.details()) == form
    assert replace(form, encoding="latin1") == replace(form, encoding="iso8859-1")


# --- what was found by others ----------------------------------------------------------------------

ENDS = (b"", b"\x8f", b"\xa4\xd4", b"~", b"\x1b$", b"\x1b(", b"\x80", b"\x810", b"\x00", b"\xff\xfe", b"\xd8")
CODECS = (
    *("euc_jp", "euc_kr", "gb18030", "gbk", "hz", "iso2022_jp", "iso2022_kr", "shift_jis", "big5", "cp1252"),
    *("utf-16", "utf-16-le", "utf-16-be", "utf-32"),
)


@pytest.mark.parametrize("encoding", CODECS)
@pytest.mark.parametrize("end", ENDS)
def test_no_byte_of_a_line_takes_part_in_the_next(tmp_path: Path, encoding: str, end: bytes) -> None:
    """A codec took the end of a line for the rest of a character, or read all that follows at odd places."""
    mark = "".encode(encoding)
    newline = "\n".encode(encoding)[len(mark) :]
    lines = [text.encode(encoding)[len(mark) :] for text in ("id,w", "1,p", "9,a", "2,q", "3,r")]
    lines[2] += end
    (tmp_path / "t.csv").write_bytes(mark + newline.join(lines) + newline)
    folder = tmp_path / "copies"
    folder.mkdir()
    copied = TranscodedFiles(folder, tmp_path, encoding).copy(tmp_path / "t.csv").read_text()
    others = [line for line in copied.split("\n") if line.split(",")[0] in ("id", "1", "2", "3")]
    assert others == ["id,w", "1,p", "2,q", "3,r"]


@pytest.mark.parametrize("first", [b"id,caf\xe9\n", b"id,a\xff\n", b"\nid,w\n"])
def test_the_first_line_is_the_one_at_its_place(tmp_path: Path, first: bytes) -> None:
    """One that is not UTF-8 was passed over, and the first row was shown as the names of columns."""
    (tmp_path / "t.csv").write_bytes(first + b"1,secret-1234\n2,bob\n")
    with pytest.raises(DpduckError) as caught:
        dpduck.connect(tmp_path / "t.csv", unit="id", analyst="eve", epsilon=1).execute(
            "SELECT nosuch FROM t"
        )
    assert "secret-1234" not in str(caught.value)
    assert not (tmp_path / "t.policy.sql").exists()


@pytest.mark.parametrize("name", ["base64", "hex", "rot13", "bz2", "zlib", "uu", "idna"])
def test_what_is_no_encoding_of_text_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "t.csv").write_bytes(DATES)
    with pytest.raises(DpduckError, match="there is no encoding"):
        dpduck.connect(tmp_path / "t.csv", unit="i", epsilon=1, encoding=name)


@pytest.mark.parametrize(
    "given",
    [
        {"delimiter": ";"},
        {"encoding": "utf-16"},
        {"types": {"started": "DATE"}, "formats": {"started": "%q"}},
        {"types": {"started": "DATE"}, "formats": {"started": "%"}},
        {"skip": 3},
    ],
    ids=str,
)
def test_what_does_not_fit_is_not_recorded(tmp_path: Path, given: dict[str, object]) -> None:
    """A slip in an option was recorded though the command failed, and so did each command after it."""
    with contextlib.suppress(DpduckError):
        answers(tmp_path, DATES, **given)
    (tmp_path / "t.policy.sql").unlink(missing_ok=True)
    assert answers(tmp_path, DATES) < 50
    with contextlib.suppress(DpduckError):
        answers(tmp_path, DATES, **given)
    assert answers(tmp_path, DATES, formats={"started": "%m/%d/%Y"}) > 1700 or "skip" in given


def test_a_file_without_lines_is_not_recorded(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(DATES.split(b"\n")[0] + b"\n")
    with dpduck.connect(tmp_path / "t.csv", unit="i", epsilon=1) as db:
        assert "has no lines yet" in db.notices[0]
    assert not (tmp_path / "t.policy.sql").exists()


def test_most_lines_say_which_encoding_is_proposed(tmp_path: Path) -> None:
    lines = b"".join(b"%d,Z\xfcrich\n" % i for i in range(900)) + "900,Genève\n".encode()
    (tmp_path / "t.csv").write_bytes(b"i,plan\n" + lines)
    with dpduck.connect(tmp_path / "t.csv", unit="i", epsilon=4) as db:
        assert "encoding 'cp1252'" in db.notices[0]
        assert abs(db.execute("SELECT count(*) FROM t WHERE plan = 'Zürich'").fetchall()[0][0] - 900) <= 8


def test_a_type_said_later_is_read_as_the_lines_are_written(tmp_path: Path) -> None:
    lines = b"".join(b"%d,%05d,%d Jan 2024\n" % (i, i % 50, i % 28 + 1) for i in range(900))
    (tmp_path / "t.csv").write_bytes(b"i,zip,day\n" + lines)
    with dpduck.connect(tmp_path / "t.csv", unit="i", epsilon=2) as db:
        assert not any("--type zip" in notice for notice in db.notices)
    types = {"zip": "BIGINT", "day": "DATE"}
    with dpduck.connect(tmp_path / "t.csv", unit="i", epsilon=2, types=types) as db:
        asked = "SELECT count(*) FROM t WHERE zip < 25 AND day IS NOT NULL"
        assert abs(db.execute(asked).fetchall()[0][0] - 450) <= 16
    with dpduck.connect(tmp_path / "t.csv", unit="i", epsilon=2, types={"zip": "DATE"}) as db:
        assert any(notice.startswith("No value of the first lines") for notice in db.notices)
