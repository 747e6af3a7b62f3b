"""How far off numbers may be: ± in a box, columns in other formats; and the epsilon for an error."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.processes import Run

FILE = ("baskets.parquet", "--unit", "basket", "--domain", "sex=f,m", "--groups", "1")
BY_SEX = "SELECT sex, count(*) AS n FROM baskets GROUP BY sex ORDER BY sex"


def test_a_box_shows_them_by_default(run: Run) -> None:
    done = run("query", *FILE, "--epsilon", "1", BY_SEX)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert [cell.strip() for cell in lines[2].split("│")[1:-1]] == ["varchar", "int64"]
    rows = [line for line in lines if re.search(r"│ (f|m) ", line)]
    assert len(rows) == 2
    assert all(re.search(r"│ [ 0-9,]+ ± [0-9,]+(, or higher)? │$", row) for row in rows), done.out
    assert len({len(line) for line in lines}) == 1


def test_a_box_without_them(run: Run) -> None:
    assert "±" not in run("query", *FILE, "--epsilon", "1", "--no-intervals", BY_SEX).out


@pytest.mark.parametrize("format", ["csv", "json", "markdown"])
def test_other_formats_are_plain_unless_asked(run: Run, format: str) -> None:
    plain = run("query", *FILE, "--epsilon", "1", "--format", format, BY_SEX).out
    asked = run("query", *FILE, "--epsilon", "1", "--format", format, "--intervals", BY_SEX).out
    assert "±" not in plain + asked
    assert "n_low" not in plain
    assert "n_low" in asked


def test_the_columns_hold_the_ends(run: Run) -> None:
    exact = (
        "baskets.parquet",
        "--unit",
        "basket",
        "--domain",
        "sex=f,m",
    )  # bounds may hide how much is left out
    done = run("query", *exact, "--epsilon", "1", "--format", "csv", "--intervals", BY_SEX)
    for row in csv.DictReader(io.StringIO(done.out)):
        assert float(row["n_low"]) < float(row["n"]) < float(row["n_high"])


def test_an_answer_without_intervals_is_shown_nonetheless(run: Run) -> None:
    query = "SELECT sum(n) * 2 AS twice FROM (SELECT sex, count(*) AS n FROM baskets GROUP BY sex)"
    done = run("query", *FILE, "--epsilon", "1", "--format", "json", "--intervals", query)
    assert done.code == 0, done.err
    assert list(json.loads(done.out)[0]) == ["twice"]
    assert "this answer has no intervals" in done.err


def test_many_rows_are_drawn_as_ever(run: Run) -> None:
    by_day = "SELECT day, count(*) AS n FROM baskets GROUP BY day ORDER BY day"
    domain = ("--domain", "day=2024-01-01..2024-12-31", "--epsilon", "1")
    shown = run("query", *FILE, *domain, by_day).out
    plain = run("query", *FILE, *domain, "--no-intervals", by_day).out
    assert shown.count("±") == 40
    assert plain.count("│ 2024-") == shown.count("│ 2024-") == 40
    assert "366 rows" in shown


class TestExplainError:
    def test_it_finds_the_epsilon(self, run: Run) -> None:
        found = run("explain", *FILE, "--error", "20", "--format", "json", BY_SEX)
        assert found.code == 0, found.err
        [row] = json.loads(found.out)
        assert row["expected_error"]["n"] <= 20
        less = run(
            "explain", *FILE, "--epsilon", str(float(row["epsilon"]) * 0.9), "--format", "json", BY_SEX
        )
        assert json.loads(less.out)[0]["expected_error"]["n"] > 20

    def test_it_says_what_it_found(self, run: Run) -> None:
        done = run("explain", *FILE, "--error", "n=20", BY_SEX)
        assert done.out.startswith("an error of n within 20 with probability 95 % takes epsilon 0.")
        assert run("ledger", "baskets.parquet", "--format", "csv").out.count("\n") <= 1  # nothing was charged

    @pytest.mark.parametrize(
        ("error", "query", "said"),
        [
            ("m=20", BY_SEX, "the answer has no number m whose error is known beforehand\n"),
            ("20", "SELECT median(item) FROM baskets", "how far off this answer is cannot be said before it"),
            (
                "20",
                BY_SEX.replace("SELECT", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1)"),
                "the query says",
            ),
        ],
    )
    def test_what_it_cannot_find_is_said(self, run: Run, error: str, query: str, said: str) -> None:
        done = run("explain", *FILE, "--domain", "item=0..19", "--error", error, query)
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith(said), done.err
        assert "Nothing was charged." in done.err

    def test_an_error_that_no_epsilon_gives_is_said(self, run: Run) -> None:
        file = ("baskets.parquet", "--unit", "basket", "--domain", "item=0..19")
        by_item = "SELECT item, count(*) AS n FROM baskets GROUP BY item"
        done = run("explain", *file, "--error", "0.1", by_item)
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith("no epsilon keeps the error within 0.1\nDETAIL: At the largest, 20, it")

    @pytest.mark.parametrize("error", ["-1", "0", "much", "n=", "=3", "nan", "inf"])
    def test_what_is_no_error_is_bad_usage(self, run: Run, error: str) -> None:
        done = run("explain", *FILE, f"--error={error}", BY_SEX)
        assert done.code == 2
        assert "is not an error" in done.err

    def test_epsilon_and_error_exclude_each_other(self, run: Run) -> None:
        assert run("explain", *FILE, "--error", "20", "--epsilon", "1", BY_SEX).code == 2


class TestBounds:
    def test_groups_and_rows_are_bounds_of_the_policy(self, run: Run) -> None:
        file = ("baskets.parquet", "--unit", "basket", "--domain", "item=0..19", "--epsilon", "1")
        by_item = "SELECT item, count(*) AS n FROM baskets GROUP BY item"
        all_groups = json.loads(run("explain", *file, "--format", "json", by_item).out)[0]
        few = json.loads(run("explain", *file, "--groups", "2", "--format", "json", by_item).out)[0]
        assert few["expected_error"]["n"] < all_groups["expected_error"]["n"] / 5
        rows = run("explain", *file, "--groups", "2", "--rows", "3", by_item)
        assert "n takes at most 3 rows of each basket and group" in " ".join(rows.out.split())

    @pytest.mark.parametrize("bound", ["0", "-1", "1.5", "many"])
    @pytest.mark.parametrize("name", ["groups", "rows"])
    def test_what_is_no_bound_is_bad_usage(self, run: Run, name: str, bound: str) -> None:
        done = run(
            "query", "baskets.parquet", "--unit", "basket", "--epsilon", "1", f"--{name}={bound}", BY_SEX
        )
        assert done.code == 2
        assert f"Write --{name} 5." in done.err


class TestMeant:
    @pytest.mark.parametrize(
        ("words", "meant"),
        [
            (("qurey", "baskets.csv", BY_SEX), "Did you mean query?"),
            (("query", *FILE, "--epsilom", "1", BY_SEX), "Did you mean --epsilon?"),
            (("policy", "exprot", "baskets.csv"), "Did you mean export?"),
            (
                ("query", "baskts.csv", "--epsilon", "1", "--unit", "basket", BY_SEX),
                "Did you mean baskets.csv",
            ),
            (("query", *FILE, "--epsilon", "1", BY_SEX.replace("count", "cuont")), "Did you mean count"),
            (("policy", "diff", "baskets.csv", "misspelt.sql"), "Did you mean basket?"),
        ],
    )
    def test_a_word_that_is_nearly_right(
        self, run: Run, folder: Path, words: tuple[str, ...], meant: str
    ) -> None:
        (folder / "misspelt.sql").write_text("ALTER TABLE baskets ADD PRIVACY_KEY (baskt)")
        done = run(*words)
        assert done.code in (1, 2)
        assert meant in done.err, done.err

    def test_a_missing_folder_is_no_database(self, run: Run) -> None:
        done = run("query", "nowhere/", "--unit", "basket", "--epsilon", "1", BY_SEX)
        assert done.err.startswith("file nowhere/ does not exist\n")

    def test_no_file_is_not_asked_whose_rows_it_holds(self, run: Run) -> None:
        assert run("explain", "", "--epsilon", "1", BY_SEX).err.startswith("no file is named\n")

    def test_numbers_with_a_few_words_among_them_are_not_taken_for_keys(self, run: Run, folder: Path) -> None:
        costs = (f"{number % 50},{'n/a' if number % 60 == 0 else number * 1.5}\n" for number in range(300))
        (folder / "costs.csv").write_text("id,cost\n" + "".join(costs))
        file = ("costs.csv", "--unit", "id", "--epsilon", "1", "--delta", "1e-6")
        advised = "--type cost=DOUBLE"
        assert advised in run("query", *file[:-2], "SELECT cost, count(*) FROM costs GROUP BY cost").err
        done = run("query", *file, *advised.split(), "--domain", "cost=0..500", "SELECT avg(cost) FROM costs")
        assert done.code == 0, done.err

    def test_show_privacy_for_a_file_names_options(self, run: Run) -> None:
        done = run("query", "baskets.csv", "--unit", "basket", "--format", "csv", "SHOW PRIVACY FOR baskets")
        assert "ALTER TABLE" not in done.out
        assert "--domain sex=...,..." in done.out
        assert "--groups 1" in done.out
