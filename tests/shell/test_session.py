"""A session: what is said before a query runs, who is asked, what is charged, and the commands."""

from __future__ import annotations

import json
import re
import stat
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from dpduck.answers.explain import Explanation
from dpduck.doors.shell.commands import COMMANDS
from dpduck.doors.shell.costs import cost_line, exceeds
from dpduck.doors.shell.session import Data
from dpduck.kernel.accounting.composition import Cost
from dpduck.kernel.errors.advice import Audience
from dpduck.kernel.ledger import BudgetStatus, Cap
from tests.shell.conftest import Open

COUNT = "SELECT count(*) AS n FROM visits"
PAGES = "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY page"


def explained(
    *,
    epsilon: str = "0.5",
    errors: dict[str, float] | None = None,
    replayed: bool = False,
    left: int = 3,
    owed: str = "0",
) -> Explanation:
    made = datetime(2026, 1, 1, tzinfo=UTC) if replayed else None
    return Explanation(epsilon, "0", "count", errors or {}, "SELECT", "", {}, {}, made, left, owed=owed)


def budget(limit: str | None, spent: str = "0", scope: str = "people") -> BudgetStatus:
    cap = Cap(None if limit is None else Fraction(limit))
    return BudgetStatus(scope, "b", cap, Cost(Fraction(spent)))  # type: ignore[arg-type]


class TestCosts:
    def test_the_least_that_is_left_counts(self) -> None:
        budgets = [budget(None), budget("10"), budget("3", "0.5", "session")]
        line = cost_line(explained(errors={"n": 12.0}), budgets)
        assert line == "costs epsilon 0.5 of 2.5 left; noise within ±12 at 95 %"
        assert cost_line(explained(), [budget(None)]) == "costs epsilon 0.5"

    def test_several_numbers_are_named(self) -> None:
        some = replace(explained(errors={"n": 12.0}), mechanism=["count", "mean"])
        assert cost_line(some, []) == "costs epsilon 0.5; noise at 95 %: n ±12"
        line = cost_line(explained(errors={"a": 1.0, "b": 2345.6, "c": 3.0, "d": 4.0}), [])
        assert line == "costs epsilon 0.5; noise at 95 %: a ±1, b ±2,346, c ±3, ..."

    def test_an_answer_that_was_given_costs_the_people_nothing(self) -> None:
        again = explained(replayed=True)
        assert cost_line(again, [budget("1")]) == "free: answered before"
        assert not exceeds(again, [budget("1")], Fraction(0))

    def test_but_a_named_budget_may_pay_for_it(self) -> None:
        again, budgets = explained(replayed=True, owed="0.4"), [budget("9"), budget("1", scope="budget")]
        assert cost_line(again, budgets) == "answered before: epsilon 0.4 of 1 left for a named budget, once"
        assert exceeds(again, budgets, Fraction(1, 5))
        paid = explained(replayed=True)
        assert cost_line(paid, budgets) == "free: answered before"
        assert not exceeds(paid, budgets, Fraction(1, 5))

    @pytest.mark.parametrize(("left", "asks"), [("2.5", False), ("2.499", True), ("0.5", True)])
    def test_more_than_the_share_is_asked_about(self, left: str, asks: bool) -> None:
        assert exceeds(explained(), [budget(left)], Fraction(1, 5)) is asks
        assert not exceeds(explained(), [budget(left)], None)

    def test_what_will_be_refused_is_not_asked_about(self) -> None:
        assert not exceeds(explained(left=0), [budget("0.1")], Fraction(1, 5))


class TestAsking:
    def test_the_cost_comes_first_and_yes_runs_it(self, talk: Open) -> None:
        shop = talk(answer=True)
        said = shop.says(f"{COUNT};")
        assert shop.questions == ["Run it? [y/N] "]
        assert "│   int64   │" in said
        assert re.search(r"│ [0-9,]+ ± 6 │", said)
        *_, cost, notice = said.splitlines()
        assert cost == "costs epsilon 0.5 of 2 left; noise within ±6 at 95 %"
        assert notice.startswith("n counts distinct visitor, not rows.")
        assert shop.charges == ["0.5"]
        assert shop.session.left() == Fraction(3, 2)

    def test_no_charges_nothing(self, talk: Open) -> None:
        shop = talk(answer=False)
        said = shop.says(f"{COUNT}; {PAGES};")
        assert said.count("not run; nothing was charged\n") == 2
        assert shop.charges == []

    def test_little_is_not_asked_about(self, talk: Open) -> None:
        shop = talk(answer=False, epsilon="0.1")
        assert "costs epsilon 0.1 of 2 left" in shop.says(f"{COUNT};")
        assert (shop.questions, shop.charges) == ([], ["0.1"])

    def test_what_is_free_says_so(self, talk: Open) -> None:
        shop = talk(answer=True)
        assert "free: nothing private is read" in shop.says("SELECT * FROM pages;")
        shop.says(f"{COUNT};")
        shop.questions.clear()
        again = shop.says(f"{COUNT};")
        assert "free: answered before\n" in again
        assert "nothing was charged" in again
        assert (shop.questions, shop.charges[0], len(shop.charges)) == ([], "0.5", 2)

    def test_a_refusal_says_it_all(self, talk: Open) -> None:
        shop = talk(answer=True, budget="0.3")
        said = shop.says(f"{COUNT};")
        assert said.startswith("query needs epsilon 0.5 but only 0.3 remains\n")
        assert (shop.questions, shop.charges) == ([], [])

    def test_confirm_sets_the_share(self, talk: Open) -> None:
        shop = talk(answer=False)
        shop.says(".confirm 0.5", f"{COUNT};")
        assert shop.charges == ["0.5"]
        shop.says(".confirm off", f"{PAGES};")
        assert (shop.questions, shop.charges) == ([], ["0.5", "0.5"])

    def test_without_anybody_it_runs_and_says_nothing_of_cost(self, talk: Open) -> None:
        shop = talk()
        assert "costs" not in shop.says(f"{COUNT};")
        assert shop.charges == ["0.5"]

    def test_unless_a_share_was_set(self, talk: Open) -> None:
        shop = talk()
        assert shop.says(".confirm 0.2", f"{COUNT};") == (
            "query takes more than 20 % of what is left\n"
            "DETAIL: It costs epsilon 0.5 of 2 left; noise within ±6 at 95 %. Nothing was charged.\n"
            "HINT: .confirm off lets it run.\n"
        )
        assert shop.charges == []

    def test_the_prompt_has_what_is_left(self, talk: Open) -> None:
        assert talk(answer=True, budget=None).session.left() == 10
        assert talk(answer=True, budget="1.5").session.left() == Fraction(3, 2)

    def test_an_analyst_has_a_cap_of_their_own(self, talk: Open) -> None:
        assert talk(answer=True, budget="3", analyst="ana").session.left() == 3


class TestStatements:
    def test_settings_hold(self, talk: Open) -> None:
        shop = talk()
        shop.says("SET dp_epsilon = 0.25;", f"{COUNT};")
        shop.says(f"{PAGES};")
        assert shop.charges == ["0.25", "0.25"]

    def test_the_first_error_ends_what_was_typed(self, talk: Open) -> None:
        said = talk().says(
            "SELECT 1 AS one; SELECT nix\n, count(*) FROM visits GROUP BY nix; SELECT 2 AS two;"
        )
        assert "one" in said
        assert "two" not in said
        assert "table visits has no column nix\nLINE 2: " in said
        place, caret = (line for line in said.splitlines() if line.startswith("LINE") or line.strip() == "^")
        assert place[caret.index("^") :].startswith("nix")

    def test_a_plan_is_text_in_a_box_and_data_otherwise(self, talk: Open) -> None:
        shop = talk()
        assert shop.says(f"EXPLAIN {COUNT};").startswith("count: units")
        assert json.loads(shop.says(".mode json", f"EXPLAIN {COUNT};"))[0]["explain"].startswith(
            "count: units"
        )
        assert shop.charges == []

    def test_policies(self, talk: Open) -> None:
        shop = talk(answer=True)
        assert shop.says("ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 2);") == "done\n"
        assert "rows = 2" in shop.says("SHOW PRIVACY;")

    def test_a_file_of_another_kind_takes_none(self, talk: Open) -> None:
        data = Data("visits", stores_policies=False, audience=Audience.SHELL_ON_FILE)
        shop = talk(data=data)
        assert shop.says("ALTER TABLE visits SET PUBLIC;") == (
            "no policy can be stored in visits\n"
            "DETAIL: A Parquet or CSV file has no place for one. Nothing was charged.\n"
            "HINT: Start again with --unit COLUMN, and --domain COLUMN=LO..HI.\n"
        )

    def test_of_many_rows_some_are_shown(self, talk: Open) -> None:
        shop = talk()
        many = "SELECT i FROM numbers;"
        assert re.search(r"100 rows\s+\(40 shown\)", shop.says(many))
        assert re.search(r"100 rows\s+\(10 shown\)", shop.says(".rows 10", many))
        assert "shown" not in shop.says(".rows 100", many)
        assert len(shop.says(".mode csv", many).splitlines()) == 101


class TestCommands:
    def test_help_names_all(self, talk: Open) -> None:
        said = talk().says(".help")
        assert [command.name for command in COMMANDS if f"{command.name} " not in said] == []
        assert max(map(len, said.splitlines())) <= 100

    def test_tables_and_schema(self, talk: Open) -> None:
        shop = talk()
        assert shop.says(".tables") == (
            "numbers  public   free\n"
            "pages    public   free\n"
            "visits   private  by visitor\n"
            "grown    view     as its tables\n"
        )
        assert shop.says(".schema visits") == (
            "visits (private, by visitor)\n"
            "  visitor  BIGINT\n"
            "  page     VARCHAR  IN (home, news, shop)\n"
            "  age      BIGINT   BETWEEN (0, 120) STEP 1\n"
        )
        assert shop.says(".schema").count("(") > 3
        assert shop.says(".schema nix").startswith("table nix does not exist\n")

    def test_explain_and_budget_charge_nothing(self, talk: Open) -> None:
        shop = talk()
        assert "cost      epsilon 0.5" in shop.says(f".explain {COUNT}")
        assert "epsilon 0 of 2 spent, 2 left" in shop.says(".budget")
        assert shop.charges == []

    def test_timer(self, talk: Open) -> None:
        shop = talk()
        assert re.search(r"run time \d+\.\d{3} s\n", shop.says(".timer on", "SELECT 1;"))
        assert "run time" not in shop.says(".timer off", "SELECT 1;")

    def test_output_goes_to_a_file_and_back(self, talk: Open, folder: Path) -> None:
        shop = talk()
        assert shop.says(".mode csv", ".output a.csv", "SELECT 1 AS a;", "SELECT 2 AS b;") == ""
        assert (folder / "a.csv").read_text() == "a\n1\nb\n2\n"
        assert stat.S_IMODE((folder / "a.csv").stat().st_mode) == 0o600
        assert "c" in shop.says(".output off", "SELECT 3 AS c;")

    def test_output_never_over_the_data(self, talk: Open, folder: Path) -> None:
        before = (folder / "shop.duckdb").stat().st_size
        assert talk().says(".output shop.duckdb").startswith("shop.duckdb is not a place for answers\n")
        assert (folder / "shop.duckdb").stat().st_size == before
        shop = talk()
        assert shop.says(".output a", ".output nowhere/a").startswith("file nowhere/a cannot be written\n")
        assert "b" in shop.says("SELECT 1 AS b;")

    def test_read(self, talk: Open, folder: Path) -> None:
        (folder / "a.sql").write_text(
            ".mode csv\nSELECT 1 AS a;\nSELECT max(nix) FROM visits;\nSELECT 2 AS b"
        )
        said = talk().says(".read a.sql", "SELECT 3 AS c;")
        assert said.startswith("a\r\n1\r\n")
        assert "LINE 1: SELECT max(nix) FROM visits\n" in said
        assert ("b" in said.splitlines(), "c" in said.splitlines()) == (False, False)

    def test_files_that_read_each_other_end(self, talk: Open, folder: Path) -> None:
        (folder / "a.sql").write_text(".read a.sql\n")
        assert talk().says(".read a.sql").startswith("files read each other without end\n")
        assert talk().says(".read nix.sql").startswith("file nix.sql cannot be read\n")
        (folder / "b.sql").write_bytes(b"\xff")
        assert "it is not UTF-8" in talk().says(".read b.sql")

    @pytest.mark.parametrize("name", [".quit", ".exit"])
    def test_quit(self, talk: Open, name: str) -> None:
        shop = talk()
        assert shop.says(name, "SELECT 1;") == ""
        assert shop.session.leaving

    @pytest.mark.parametrize(
        "typed",
        [
            ".mode xml",
            ".timer maybe",
            ".rows 0",
            ".rows x",
            ".confirm 2",
            ".confirm x",
            ".help x",
        ],
    )
    def test_bad_use_says_how(self, talk: Open, typed: str) -> None:
        name = typed.split()[0]
        said = talk().says(typed)
        assert said.startswith(f"{name} is not used like this\n")
        assert f"HINT: Write {name}" in said

    def test_an_unknown_command(self, talk: Open) -> None:
        assert "HINT: .help lists the commands.\n" in talk().says(".nix")


class TestForce:
    """A statement of the owner that cannot be taken back: asked about, or an error where nobody answers."""

    FIRST = ("CREATE PRIVACY BUDGET life LIMIT 1;",)
    DROP = "DROP PRIVACY BUDGET life"

    @pytest.mark.parametrize("answer", [True, False])
    def test_it_is_asked_about(self, talk: Open, answer: bool) -> None:
        shell = talk(answer=answer)
        shell.says(*self.FIRST)
        said = shell.says(f"{self.DROP};")
        assert "The lifetime cap of the people is the default again: epsilon 10 and delta 0.00001." in said
        assert shell.questions == ["Is it meant? [y/N] "]
        assert ("not done; nothing was changed" in said) is not answer
        assert ("life" in shell.says("SHOW PRIVACY BUDGETS;")) is not answer
        last = shell.session.db.execute("SELECT statement FROM dp_policies()").fetchall()[-1][0]
        assert (last == f"{self.DROP} FORCE") is answer

    def test_without_anybody_it_is_an_error(self, talk: Open) -> None:
        shell = talk()
        shell.says(*self.FIRST)
        said = shell.says(f"{self.DROP};")
        assert said.startswith("dropping privacy budget life needs the word FORCE\n")
        assert f"HINT: If it is meant: {self.DROP} FORCE." in said
        assert "life" in shell.says("SHOW PRIVACY BUDGETS;")
        shell.says(f"{self.DROP} FORCE;")
        assert "life" not in shell.says("SHOW PRIVACY BUDGETS;")
