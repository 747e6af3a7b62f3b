"""`dpduck suggest`, `dpduck policy`, and the script beside a file, through the command line itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

import dpduck
from tests.cli.processes import Run, finish, start

COUNT = "SELECT sex, count(*) AS n FROM baskets GROUP BY sex"
SCRIPT = """-- whose rows these are
ALTER TABLE baskets ADD PRIVACY_KEY (basket);
ALTER TABLE baskets ALTER COLUMN sex SET PRIVACY DOMAIN IN ('f', 'm');
ALTER TABLE baskets SET PRIVACY CONTRIBUTION (groups = 1);
"""
READ = (
    "ALTER TABLE baskets SET CSV "
    "(basket BIGINT, item BIGINT, day DATE FORMAT '%Y-%m-%d', sex VARCHAR, weight DOUBLE)"
)


def write(folder: Path, text: str, name: str = "baskets.policy.sql") -> Path:
    place = folder / name
    place.write_text(text, encoding="utf-8")
    return place


class TestScriptBesideAFile:
    @pytest.mark.parametrize("file", ["baskets.parquet", "baskets.csv", "./baskets.csv"])
    def test_it_is_read_by_each_command(self, run: Run, folder: Path, file: str) -> None:
        write(folder, SCRIPT)
        done = run("query", file, "--epsilon", "1", "--format", "json", COUNT)
        assert done.code == 0, done.err
        assert '"sex":"f"' in done.out
        plan = run("explain", file, "--epsilon", "1", "--fresh", COUNT)
        assert "one basket may be in up to 1 group" in plan.out
        assert run("budget", file).out.count("people") == 1

    def test_it_is_read_in_python(self, folder: Path) -> None:
        write(folder, SCRIPT)
        with dpduck.connect(folder / "baskets.csv", epsilon="1") as db:
            assert len(db.execute(COUNT).fetchall()) == 2

    def test_options_are_said_after_it(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT)
        by_day = "SELECT day, count(*) AS n FROM baskets GROUP BY day"
        given = ("--domain", "day=2024-01-01..2024-12-31", "--rows", "3", "--epsilon", "1")
        plan = run("explain", "baskets.csv", *given, by_day)
        assert plan.code == 0, plan.err
        assert "n takes at most 3 rows of each basket" in " ".join(plan.out.split())
        assert "one basket may be in up to 1 group" in plan.out  # the bound of the script still holds

    def test_another_unit_is_refused(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT)
        done = run("query", "baskets.csv", "--unit", "item", "--epsilon", "1", COUNT)
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith(
            "item is not the privacy unit of baskets\nDETAIL: It is basket: statement 1"
        )

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (
                SCRIPT.replace("sex", "sexe"),
                "table baskets has no column sexe\nDETAIL: This is statement 2 of 3",
            ),
            (SCRIPT.replace("TABLE baskets", "TABLE others"), "table others does not exist\nDETAIL: The one"),
            ("-- only\nSELECT 1", "baskets.policy.sql holds more than policies\n"),
            (SCRIPT + "ALTER TABLE baskets DRP;", "baskets.policy.sql, line 5: this ALTER TABLE"),
            ("ALTER TABLE baskets ADD PRIVACY_KEY (", "baskets.policy.sql"),
        ],
    )
    def test_one_that_does_not_fit_is_an_error_before_a_charge(
        self, run: Run, folder: Path, text: str, said: str
    ) -> None:
        write(folder, text)
        done = run("query", "baskets.csv", "--epsilon", "1", COUNT)
        assert done.code == 1
        assert said in done.err
        assert "Nothing was charged." in done.err
        assert run("ledger", "baskets.csv", "--format", "csv").out.count("\n") <= 1

    def test_no_bytes_but_utf_8(self, run: Run, folder: Path) -> None:
        (folder / "baskets.policy.sql").write_bytes(b"\xff\xfe")
        done = run("query", "baskets.csv", "--epsilon", "1", COUNT)
        assert done.err.startswith(
            "the policies in baskets.policy.sql cannot be read\nDETAIL: It is not UTF-8."
        )

    def test_a_link_leads_to_the_script_of_the_file(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT)
        (folder / "elsewhere").mkdir()
        (folder / "elsewhere" / "mine.csv").symlink_to(folder / "baskets.csv")
        query = COUNT.replace("baskets", "mine")
        done = run("query", "elsewhere/mine.csv", "--epsilon", "1", query)
        assert done.code == 0, done.err
        assert run("query", "baskets.csv", "--epsilon", "1", COUNT).code == 0  # by what the link recorded

    def test_a_folder_has_it_beside_it(self, run: Run, folder: Path) -> None:
        (folder / "data").mkdir()
        (folder / "baskets.parquet").rename(folder / "data" / "a.parquet")
        write(folder, SCRIPT.replace("TABLE baskets", "TABLE data"), "data.policy.sql")
        done = run("query", "data/*.parquet", "--epsilon", "1", COUNT.replace("baskets", "data"))
        assert done.code == 0, done.err

    def test_without_it_the_error_says_how_to_get_one(self, run: Run) -> None:
        done = run("query", "baskets.csv", "--epsilon", "1", COUNT)
        assert done.code == 2
        assert "dpduck suggest baskets.csv" in done.err

    def test_a_budget_in_it_holds(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT + "CREATE PRIVACY BUDGET life LIMIT 1;")
        assert run("query", "baskets.csv", "--epsilon", "1", COUNT).code == 0
        done = run("query", "baskets.csv", "--epsilon", "0.1", "--fresh", COUNT)
        assert (done.code, done.out) == (1, "")
        assert "is epsilon 1, of which 1 is spent" in done.err


class TestPolicyOfAFile:
    def test_options_become_a_script(self, run: Run, folder: Path) -> None:
        options = ("--unit", "basket", "--domain", "sex=f,m", "--domain", "item=0..19", "--groups", "1")
        done = run("policy", "export", "baskets.csv", *options)
        assert done.out == (
            f"{READ};\n"
            "ALTER TABLE baskets ADD PRIVACY_KEY (basket);\n"
            "ALTER TABLE baskets ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN ('0', '19');\n"
            "ALTER TABLE baskets ALTER COLUMN sex SET PRIVACY DOMAIN IN ('f', 'm');\n"
            "ALTER TABLE baskets SET PRIVACY CONTRIBUTION (groups = 1);\n"
        )
        write(folder, done.out)
        assert run("query", "baskets.csv", "--epsilon", "1", COUNT).code == 0
        assert run("policy", "export", "baskets.csv").out == done.out
        assert run("policy", "diff", "baskets.csv").code == 0

    def test_apply_puts_a_script_beside_it(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT, "mine.sql")
        done = run("policy", "apply", "baskets.csv", "mine.sql")
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith("wrote baskets.policy.sql")
        assert (folder / "baskets.policy.sql").read_text() == SCRIPT
        again = run("policy", "apply", "baskets.csv")
        assert again.err.startswith("baskets.policy.sql fits")

    def test_apply_refuses_other_columns_and_writes_nothing(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT.replace("(basket)", "(buyer)"), "mine.sql")
        done = run("policy", "apply", "baskets.csv", "mine.sql")
        assert done.code == 1
        assert done.err.startswith(
            "table baskets has no column buyer\nDETAIL: This is statement 1 of 3 in mine.sql"
        )
        assert not (folder / "baskets.policy.sql").exists()

    def test_diff_shows_what_would_change(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT)
        write(folder, SCRIPT.replace("groups = 1", "groups = 2"), "new.sql")
        done = run("policy", "diff", "baskets.csv", "new.sql")
        assert (done.code, done.out) == (
            1,
            "- ALTER TABLE baskets SET PRIVACY CONTRIBUTION (groups = 1);\n"
            "+ ALTER TABLE baskets SET PRIVACY CONTRIBUTION (groups = 2);\n",
        )

    def test_no_script_to_read_is_said(self, run: Run) -> None:
        done = run("policy", "apply", "baskets.csv")
        assert done.code == 1
        assert done.err.startswith(
            "the policies in baskets.policy.sql cannot be read\nDETAIL: The system says: no such"
        )


class TestPolicyOfADatabase:
    def test_export_apply_and_diff_agree(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT, "shop.sql")
        assert run("policy", "export", "shop.duckdb").out == ""
        shown = run("policy", "diff", "shop.duckdb", "shop.sql")
        assert (shown.code, shown.out.count("\n+ ") + shown.out.startswith("+ ")) == (1, 3)
        assert run("policy", "apply", "shop.duckdb", "shop.sql").code == 0
        assert run("policy", "diff", "shop.duckdb", "shop.sql").code == 0
        again = run("policy", "apply", "shop.duckdb", "shop.sql")
        assert again.err.endswith("these policies hold already; nothing was changed\n")
        exported = run("policy", "export", "shop.duckdb").out
        assert exported == SCRIPT.split("\n", 1)[1]
        with duckdb.connect(str(folder / "other.duckdb")) as db:
            db.execute("CREATE TABLE baskets (basket BIGINT, item BIGINT, sex VARCHAR)")
        write(folder, exported, "other.policy.sql")
        assert run("policy", "apply", "other.duckdb").code == 0
        assert run("policy", "export", "other.duckdb").out == exported

    def test_diff_shows_a_budget_that_changes(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT + "CREATE PRIVACY BUDGET life LIMIT 3;\n", "shop.sql")
        assert run("policy", "apply", "shop.duckdb", "shop.sql").code == 0
        write(folder, SCRIPT + "CREATE PRIVACY BUDGET life LIMIT 4;\n", "shop.sql")
        done = run("policy", "diff", "shop.duckdb", "shop.sql")
        assert (done.code, done.out) == (
            1,
            "- CREATE PRIVACY BUDGET life LIMIT 3;\n+ CREATE PRIVACY BUDGET life LIMIT 4;\n",
        )
        refused = run("policy", "apply", "shop.duckdb", "shop.sql")
        assert refused.err.endswith("HINT: CREATE OR REPLACE PRIVACY BUDGET life ... changes it.\n")

    def test_numbers_are_written_as_numbers(self, run: Run, folder: Path) -> None:
        domain = "ALTER TABLE baskets ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, 19);\n"
        write(folder, SCRIPT + domain + "CREATE PRIVACY BUDGET life LIMIT 3;\n", "shop.sql")
        assert run("policy", "apply", "shop.duckdb", "shop.sql").code == 0
        assert domain in run("policy", "export", "shop.duckdb").out
        assert run("policy", "diff", "shop.duckdb", "shop.sql").code == 0

    def test_all_of_it_or_nothing(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT.replace("sex", "sexe"), "shop.sql")
        done = run("policy", "apply", "shop.duckdb", "shop.sql")
        assert done.code == 1
        assert done.err.startswith("table baskets has no column sexe\n")
        assert run("policy", "export", "shop.duckdb").out == ""

    def test_what_a_script_does_not_say_stays_and_is_shown(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT, "shop.sql")
        run("policy", "apply", "shop.duckdb", "shop.sql")
        write(folder, "ALTER TABLE baskets SET PRIVACY CONTRIBUTION (groups = 3);", "more.sql")
        shown = run("policy", "diff", "shop.duckdb", "more.sql")
        assert shown.out.startswith("- ALTER TABLE baskets SET PRIVACY CONTRIBUTION (groups = 1);\n+ ALTER")
        assert (
            "-- not in the script, and stays:\n--   ALTER TABLE baskets ADD PRIVACY_KEY (basket);"
            in shown.out
        )

    def test_what_cannot_be_undone_needs_force_here_too(self, run: Run, folder: Path) -> None:
        write(folder, SCRIPT, "shop.sql")
        run("policy", "apply", "shop.duckdb", "shop.sql")
        assert run("query", "shop.duckdb", "--epsilon", "1", COUNT).code == 0
        write(folder, "ALTER TABLE baskets DROP PRIVACY;", "drop.sql")
        done = run("policy", "apply", "shop.duckdb", "drop.sql")
        assert done.code == 1
        assert "needs the word FORCE" in done.err


class TestSuggest:
    @pytest.mark.slow
    def test_its_script_is_applied_as_it_stands(self, folder: Path) -> None:
        """Both commands as processes, with a pipe between them."""
        with duckdb.connect(str(folder / "own.duckdb")) as db:
            db.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, vip BOOLEAN)")
            db.execute("CREATE TABLE visits (person_id INTEGER REFERENCES people(id), page VARCHAR)")
        suggested = finish(start("suggest", "own.duckdb", folder=folder))
        assert suggested.code == 0, suggested.err
        applied = finish(
            start("policy", "apply", "own.duckdb", "-", folder=folder, stdin=subprocess.PIPE),
            suggested.out.encode(),
        )
        assert applied.code == 0, applied.err
        shown = finish(start("policy", "export", "own.duckdb", folder=folder))
        assert shown.out == (
            "ALTER TABLE people ADD PRIVACY_KEY (id);\n"
            "ALTER TABLE visits ADD PRIVACY_LINK (person_id) REFERENCES people(id);\n"
        )

    @pytest.mark.parametrize("file", ["baskets.csv", "baskets.parquet"])
    def test_a_file_has_its_script_beside_it(self, run: Run, folder: Path, file: str) -> None:
        with duckdb.connect() as db:
            db.execute(f"CREATE TABLE t AS SELECT basket AS visitor, * EXCLUDE (basket) FROM '{file}'")
            db.execute(f"COPY t TO 'visits{Path(file).suffix}'")
        place = f"visits{Path(file).suffix}"
        suggested = run("suggest", place)
        assert "ALTER TABLE visits ADD PRIVACY_KEY (visitor);\n" in suggested.out
        write(folder, suggested.out, "visits.policy.sql")
        assert run("policy", "apply", place).err.startswith("visits.policy.sql fits")
        assert run("query", place, "--epsilon", "1", "SELECT count(*) FROM visits").code == 0

    def test_nothing_is_written_or_charged(self, run: Run, folder: Path) -> None:
        before = {file.name: file.read_bytes() for file in folder.iterdir()}
        for file in ("shop.duckdb", "baskets.parquet", "baskets.csv"):
            assert run("suggest", file).code == 0
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == before

    def test_the_same_schema_gives_the_same_script(self, run: Run, folder: Path) -> None:
        first = run("suggest", "baskets.parquet").out
        table = pq.read_table(folder / "baskets.parquet")
        pq.write_table(table.slice(0, 0), folder / "baskets.parquet")
        assert run("suggest", "baskets.parquet").out == first

    def test_an_empty_database_is_said_to_be_empty(self, run: Run, folder: Path) -> None:
        duckdb.connect(str(folder / "empty.duckdb")).close()
        done = run("suggest", "empty.duckdb")
        assert done.code == 0
        assert done.out.endswith("-- It has no table, so there is nothing to protect yet.\n")
        write(folder, done.out, "empty.policy.sql")
        applied = run("policy", "apply", "empty.duckdb")
        assert (applied.code, applied.err) == (
            0,
            "there is no statement in the script; nothing was changed\n",
        )
