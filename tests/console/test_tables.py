"""What the command line prints, character by character."""

from __future__ import annotations

import csv
import io
import json
import time
from decimal import Decimal
from fractions import Fraction

import pyarrow as pa
import pytest

from dpduck.doors.console.tables import FORMATS, bar, error_text, progress, render, screen_width
from dpduck.kernel.errors import DpduckError, ParameterError, SqlSyntaxError

ITEMS = pa.table({"item": ["tea", "お茶", None], "n": pa.array([12, None, 3], pa.int64())})
STRANGE = ["plain", "", None, "a,b", 'say "x"', "two\nlines", "a|b\\", "お茶 🦆", "NaN", "'"]


class Screen(io.StringIO):
    """A terminal that remembers everything written to it."""

    def isatty(self) -> bool:
        return True


class TestBox:
    def test_it_is_drawn_as_duckdb_draws(self) -> None:
        assert render(ITEMS, "box") == (
            "┌─────────┬───────┐\n"
            "│  item   │   n   │\n"
            "│ varchar │ int64 │\n"
            "├─────────┼───────┤\n"
            "│ tea     │    12 │\n"
            "│ お茶    │  NULL │\n"
            "│ NULL    │     3 │\n"
            "└─────────┴───────┘\n"
        )

    def test_no_rows(self) -> None:
        lines = render(ITEMS.slice(0, 0), "box").split("\n")
        assert lines[1].split() == ["│", "item", "│", "n", "│"]
        assert lines[-2].strip() == "0 rows"

    def test_of_many_rows_the_first_and_last_twenty(self) -> None:
        drawn = render(pa.table({"i": list(range(100))}), "box")
        shown = [int(word) for word in drawn.replace("│", " ").split() if word.isdecimal()]
        assert shown == [*range(20), *range(80, 100), 100]
        assert drawn.count("·") == 3
        assert "(40 shown)" in drawn
        assert "shown" not in render(pa.table({"i": list(range(40))}), "box")

    def test_a_width_is_kept_and_none_is_any(self) -> None:
        table = pa.table({"a": ["word " * 50], "b": [1]})
        assert max(map(len, render(table, "box", width=100).split("\n"))) == 100
        assert "word " * 50 in render(table, "box")

    def test_no_value_can_command_the_terminal(self) -> None:
        assert "\x1b" not in render(pa.table({"a": ["\x1b[2J"]}), "box")

    def test_columns_of_the_same_name(self) -> None:
        table = pa.table([[1], [2]], names=["a", "a"])
        assert "│   a   │  a_1  │" in render(table, "box")

    def test_it_prints_nothing_itself(self, capsys: pytest.CaptureFixture[str]) -> None:
        render(ITEMS, "box")
        assert capsys.readouterr() == ("", "")


class TestCsv:
    def test_fields_are_quoted_as_the_rfc_has_it(self) -> None:
        table = pa.table({"item,": ["tea", "a,b", 'say "x"', "two\nlines"]})
        assert render(table, "csv") == '"item,"\r\ntea\r\n"a,b"\r\n"say ""x"""\r\n"two\nlines"\r\n'

    def test_null_is_not_empty_text(self) -> None:
        assert render(pa.table({"a": ["", None], "b": [None, 1.5]}), "csv") == 'a,b\r\n"",\r\n,1.5\r\n'

    def test_python_reads_it_back(self) -> None:
        written = render(pa.table({"a": STRANGE, "a ": STRANGE}), "csv")
        rows = list(csv.reader(io.StringIO(written, newline="")))
        assert rows[0] == ["a", "a "]
        assert [row[0] for row in rows[1:]] == [text or "" for text in STRANGE]

    def test_all_rows_of_a_long_table(self) -> None:
        assert render(pa.table({"i": list(range(5000))}), "csv").count("\r\n") == 5001

    def test_columns_of_the_same_name_keep_it(self) -> None:
        assert render(pa.table([[1], [2]], names=["a", "a"]), "csv") == "a,a\r\n1,2\r\n"


class TestJson:
    def test_an_array_of_objects(self) -> None:
        assert json.loads(render(ITEMS, "json")) == [
            {"item": "tea", "n": 12},
            {"item": "お茶", "n": None},
            {"item": None, "n": 3},
        ]
        assert json.loads(render(ITEMS.slice(0, 0), "json")) == []

    def test_any_text_comes_back(self) -> None:
        read = json.loads(render(pa.table({'a"': STRANGE}), "json"))
        assert [row['a"'] for row in read] == STRANGE

    def test_numbers_are_exact_numbers(self) -> None:
        table = pa.table(
            {"d": [Decimal("12345678901234567890.125")], "i": [2**63 - 1], "f": [0.1], "t": [True]}
        )
        written = render(table, "json")
        assert written == '[{"d":12345678901234567890.125,"i":9223372036854775807,"f":0.1,"t":true}]\n'

    def test_what_is_no_number_is_null(self) -> None:
        bad = [float("nan"), float("inf"), float("-inf")]

        def refuse(word: str) -> None:
            raise AssertionError(word)

        table = pa.table({"x": bad, "y": [bad] * 3, "z": [{"NaN": "Infinity", "v": 0.5}] * 3})
        read = json.loads(render(table, "json"), parse_constant=refuse)
        assert read[0] == {"x": None, "y": [None] * 3, "z": {"NaN": "Infinity", "v": 0.5}}

    def test_a_list_of_answers(self) -> None:
        answers = [[{"rank": 1, "key": "tea", "gap": 2.5}]]
        assert json.loads(render(pa.table({"top": answers}), "json")) == [{"top": answers[0]}]

    def test_columns_of_the_same_name(self) -> None:
        assert json.loads(render(pa.table([[1], [2]], names=["a", "A"]), "json")) == [{"a": 1, "A_1": 2}]


class TestMarkdown:
    def test_numbers_stand_right_and_pipes_are_escaped(self) -> None:
        table = pa.table({"a|b": ["x|y", "two\nlines", "\\|"], "n": [1, 2, None]})
        assert render(table, "markdown") == (
            "| a\\|b | n |\n| --- | --: |\n| x\\|y | 1 |\n| two<br>lines | 2 |\n| \\\\\\| | NULL |\n"
        )


@pytest.mark.parametrize("name", FORMATS)
def test_a_table_without_columns_is_nothing(name: str) -> None:
    assert render(pa.table({}), name) == ""


def test_an_unknown_format() -> None:
    with pytest.raises(ParameterError, match="format 'xml' does not exist") as caught:
        render(ITEMS, "xml")
    assert "box, csv, json, markdown" in caught.value.detail


class TestErrorText:
    def test_without_a_place(self) -> None:
        assert error_text(DpduckError("no", detail="So it is.", hint="Do.")) == (
            "no\nDETAIL: So it is. Nothing was charged.\nHINT: Do.\n"
        )
        assert error_text(DpduckError("no", position=3)) == "no\nDETAIL: Nothing was charged.\n"

    @pytest.mark.parametrize(
        ("sql", "position", "place"),
        [
            ("SELECT a", 8, ["LINE 1: SELECT a", "               ^"]),
            ("SELECT\n\ta,\r\n  b\n", 10, ["LINE 2:  a,", "          ^"]),
            ("SELECT 'お茶' b", 13, ["LINE 1: SELECT 'お茶' b", "                      ^"]),
            ("SELECT", 7, ["LINE 1: SELECT", "              ^"]),
            ("", 1, ["LINE 1: ", "        ^"]),
        ],
    )
    def test_the_caret_stands_under_the_place(self, sql: str, position: int, place: list[str]) -> None:
        error = SqlSyntaxError("no", position=position)
        assert error_text(error, sql).split("\n")[1:3] == place

    def test_a_long_line_is_cut_around_the_place(self) -> None:
        sql = "SELECT " + "a, " * 50 + "HERE" + ", b" * 50
        line, caret = error_text(SqlSyntaxError("no", position=sql.index("HERE") + 1), sql).split("\n")[1:3]
        assert len(line) < 80
        assert line[len(caret) - 1 :].startswith("HERE")
        assert line.startswith("LINE 1: ...")
        assert line.endswith("...")

    @pytest.mark.parametrize("position", [0, -1, 99])
    def test_a_place_outside_is_not_shown(self, position: int) -> None:
        assert "LINE" not in error_text(SqlSyntaxError("no", position=position), "SELECT")


class TestBar:
    @pytest.mark.parametrize(
        ("spent", "limit", "drawn"),
        [
            ("0", "4", "░░░░░░░░"),
            ("1", "4", "██░░░░░░"),
            ("0.000001", "4", "█░░░░░░░"),
            ("3.999999", "4", "███████░"),
            ("4", "4", "████████"),
            ("5", "4", "████████"),
            ("0", "0", "████████"),
        ],
    )
    def test_it_never_flatters(self, spent: str, limit: str, drawn: str) -> None:
        assert bar(Fraction(spent), Fraction(limit), 8) == drawn

    def test_without_a_limit(self) -> None:
        assert bar(Fraction(9), None, 4) == "····"


class TestProgress:
    def test_the_line_is_drawn_and_cleaned(self) -> None:
        screen = Screen()
        with progress("reading お茶", stream=screen, delay=0.01):
            time.sleep(0.1)
        first, *_, blank, end = screen.getvalue().split("\r")[1:]
        assert first == "reading お茶 0 s"
        assert blank == " " * 16
        assert end == ""

    def test_short_work_draws_nothing(self) -> None:
        screen = Screen()
        with progress("reading", stream=screen):
            pass
        assert screen.getvalue() == ""

    def test_it_is_cleaned_after_an_error(self) -> None:
        screen = Screen()
        with pytest.raises(KeyError), progress("reading", stream=screen, delay=0.01):
            for _ in range(1000):  # until it was drawn, however late that is
                if screen.getvalue():
                    break
                time.sleep(0.01)
            raise KeyError
        assert screen.getvalue().endswith(" \r")

    def test_only_on_a_terminal(self, capsys: pytest.CaptureFixture[str]) -> None:
        with progress("reading", delay=0.01):
            time.sleep(0.05)
        assert capsys.readouterr() == ("", "")


def test_only_a_terminal_has_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "132")
    assert screen_width(Screen()) == 132
    assert screen_width(io.StringIO()) is None
