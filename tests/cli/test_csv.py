"""A CSV file at the command line: the first command tells and records how it is read, options change that."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import dpduck
from tests.cli.processes import Run, finish, start

EXCEL = "id;Tag;Betrag;Ort\n" + "".join(
    f"{i:05d};{i % 28 + 1:02d}.{i % 12 + 1:02d}.2024;{i % 90},50;{'Zürich' if i % 3 else 'n/a'}\n"
    for i in range(1, 601)
)
ASK = ("--unit", "id", "--epsilon", "2")
COUNT = "SELECT count(*) AS n FROM sales"
RECORD = "ALTER TABLE sales SET CSV (id VARCHAR, Tag DATE FORMAT '%d.%m.%Y', Betrag VARCHAR, Ort VARCHAR)"


@pytest.fixture
def sales(folder: Path) -> Path:
    (folder / "sales.csv").write_bytes(EXCEL.encode())
    return folder


def counted(out: str) -> list[dict[str, float]]:
    return json.loads(out)


class TestFirstUse:
    def test_it_answers_tells_and_records(self, run: Run, sales: Path) -> None:
        done = run("query", "sales.csv", *ASK, COUNT)
        assert done.code == 0
        first = done.err.splitlines()[0]
        assert first == (
            "Taken as public, and recorded in sales.policy.sql: id VARCHAR, Tag DATE %d.%m.%Y, "
            "Betrag VARCHAR, Ort VARCHAR; delimiter ';'."
        )
        assert "Betrag is text: --type Betrag=DOUBLE --decimal , reads its values as numbers." in done.err
        assert "--type id=" not in done.err  # zeros lead in it: no number
        assert (sales / "sales.policy.sql").read_text() == f"{RECORD} WITH (delimiter = ';');\n"
        again = run("query", "sales.csv", *ASK, "--fresh", COUNT)
        assert "Taken as public" not in again.err

    @pytest.mark.parametrize("command", ["explain", "suggest", "misfits"])
    def test_commands_that_do_not_answer_record_nothing(self, run: Run, sales: Path, command: str) -> None:
        arguments = (*ASK, COUNT) if command == "explain" else ()
        assert run(command, "sales.csv", *arguments).code == 0
        assert not (sales / "sales.policy.sql").exists()

    def test_suggest_reads_lines_as_they_are_on_record(self, run: Run, sales: Path) -> None:
        """It proposed anew how they are read: a column that is a number by the record was text again."""
        (sales / "sales.policy.sql").write_text(
            "ALTER TABLE sales SET CSV (id BIGINT, Tag VARCHAR, Betrag DECIMAL(9,2), Ort VARCHAR) "
            "WITH (delimiter = ';', decimal = ',');\n"
        )
        suggested = run("suggest", "sales.csv").out
        assert "SET CSV (id BIGINT, Tag VARCHAR, Betrag DECIMAL(9,2), Ort VARCHAR)" in suggested
        assert "SET CSV (id BIGINT, Tag DATE" in run("suggest", "sales.csv", "--type", "Tag=DATE").out

    def test_processes_at_once_agree(self, sales: Path) -> None:
        with ThreadPoolExecutor() as pool:
            ask = ("query", "sales.csv", *ASK, "--fresh", COUNT)
            done = list(pool.map(lambda _: finish(start(*ask, folder=sales)), range(3)))
        assert [one.code for one in done] == [0, 0, 0]
        assert (sales / "sales.policy.sql").read_text().count("SET CSV") == 1

    def test_a_folder_that_cannot_be_written_gives_texts(
        self, run: Run, sales: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("os.access", lambda *_: False)
        done = run("query", "sales.csv", *ASK, "--ledger", "elsewhere", COUNT)
        assert done.code == 0
        assert "No record says how sales.csv is read" in done.err
        assert not (sales / "sales.policy.sql").exists()


class TestOptions:
    NUMBERS = ("--type", "Betrag=DECIMAL(9,2)", "--decimal", ",", "--null", "n/a")

    def test_they_hold_from_then_on(self, run: Run, sales: Path) -> None:
        average = "avg(Betrag, contribution_bounds_per_row => (0, 100))"
        ask = f"SELECT {average} AS a FROM sales WHERE Ort IS NOT NULL"
        done = run("query", "sales.csv", *ASK, *self.NUMBERS, "--format", "json", ask)
        assert done.code == 0, done.err
        assert abs(counted(done.out)[0]["a"] - 45) < 3
        assert "Betrag DECIMAL(9,2)" in done.err.splitlines()[0]
        again = run("query", "sales.csv", *ASK, "--format", "json", "--fresh", ask)
        assert abs(counted(again.out)[0]["a"] - 45) < 3

    def test_a_change_is_recorded_and_answers_of_before_are_not_given_again(
        self, run: Run, sales: Path
    ) -> None:
        ask = "SELECT count(*) AS n FROM sales WHERE Betrag = '1,50'"
        first = run("query", "sales.csv", *ASK, "--format", "csv", ask)
        assert first.code == 0
        done = run("query", "sales.csv", *ASK, "--null", "1,50", "--format", "csv", ask)
        assert "replay" not in done.err
        assert "earlier" not in done.err
        assert (sales / "sales.policy.sql").read_text().count("SET CSV") == 2
        shown = run("ledger", "sales.csv", "--policies", "--format", "csv").out
        assert shown.count("SET CSV") == 2

    def test_what_people_write_at_the_end_of_a_script_stays(self, run: Run, sales: Path) -> None:
        script = "ALTER TABLE sales ADD PRIVACY_KEY (id) -- whose rows"
        (sales / "sales.policy.sql").write_text(script)
        assert run("query", "sales.csv", "--epsilon", "1", COUNT).code == 0
        text = (sales / "sales.policy.sql").read_text()
        assert text.startswith(script)
        assert text.count("SET CSV") == 1
        assert run("query", "sales.csv", "--epsilon", "1", "--fresh", COUNT).code == 0

    def test_apply_keeps_what_is_on_record(self, run: Run, sales: Path) -> None:
        assert run("query", "sales.csv", *ASK, COUNT).code == 0
        (sales / "new.sql").write_text("ALTER TABLE sales ADD PRIVACY_KEY (id);\n")
        assert run("policy", "apply", "sales.csv", "new.sql").code == 0
        assert "FORMAT '%d.%m.%Y'" in (sales / "sales.policy.sql").read_text()

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            (("--type", "Betrag"), "'Betrag' says nothing of a column"),
            (("--type", "Preis=DOUBLE"), "the file has no column Preis"),
            (("--type", "Betrag=ZAHL"), "'ZAHL' is not a type of a CSV column"),
            (("--format", "Ort=%d"), "is no format of column Ort, which is VARCHAR"),
            (("--encoding", "klingon"), "there is no encoding 'klingon'"),
            (("--delimiter", ";;"), "cannot be the delimiter"),
            (("--decimal", ",", "--thousands", ","), "cannot be the decimal sign and that between thousands"),
        ],
    )
    def test_what_cannot_be_meant_is_said_before_a_charge(
        self, run: Run, sales: Path, options: tuple[str, ...], said: str
    ) -> None:
        done = run("query", "sales.csv", *ASK, *options, COUNT)
        assert done.code in (1, 2)
        assert said in done.err
        assert not (sales / "sales.policy.sql").exists()

    def test_a_parquet_file_takes_none(self, run: Run, folder: Path) -> None:
        done = run(
            "query", "baskets.parquet", "--unit", "basket", "--epsilon", "1", "--type", "day=DATE", COUNT
        )
        assert done.code == 1
        assert "baskets.parquet is no CSV file" in done.err

    def test_a_text_column_says_what_would_read_it(self, run: Run, sales: Path) -> None:
        done = run("query", "sales.csv", *ASK, "SELECT avg(Betrag) FROM sales")
        assert "--type Betrag=DOUBLE" in done.err
        done = run("query", "sales.csv", *ASK, "--domain", "Betrag=0..100", "SELECT avg(Betrag) FROM sales")
        assert "--type Betrag=DOUBLE" in done.err


def test_misfits_are_counted_for_the_owner(run: Run, sales: Path) -> None:
    odd = b"00001;32.01.2024;x;Bern\n7;1;2\n" + b"8;01.01.2024;1,5;\xff\n" + b'"9;1\n'
    (sales / "sales.csv").write_bytes(EXCEL.encode() + odd)
    options = ("--type", "Betrag=DOUBLE", "--type", "Tag=DATE", "--decimal", ",", "--null", "n/a")
    done = run("misfits", "sales.csv", *options, "--format", "json")
    assert done.code == 0
    found = {row["what"]: (row["misfits"], row["of"]) for row in json.loads(done.out)}
    assert found["lines that are no rows"] == (3, 604)
    assert (found["Tag"], found["Betrag"], found["Ort"]) == ((1, 601), (1, 601), (0, 401))
    assert "not to be shown to others" in done.err
    assert run("misfits", "baskets.parquet").code == 2


def test_a_replaced_file_is_read_by_the_record_and_loses_nothing(sales: Path) -> None:
    with dpduck.connect("sales.csv", unit="id", epsilon="0.5", formats={"Tag": "%d.%m.%Y"}) as db:
        assert "Taken as public" in db.sql(COUNT).notices[0]
        (sales / "other.csv").write_text(EXCEL.replace("2024", "24"))
        (sales / "other.csv").rename(sales / "sales.csv")
        db.sql("SELECT count(*) AS n FROM sales WHERE Tag IS NOT NULL")
        assert db.charged == "0.5"
