"""Whatever was paid for can be read at each door, as DuckDB writes it: types and extreme values by doors."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pytest

import dpduck
from dpduck.doors.console.tables import FORMATS, render
from tests.gateway import wiring as w
from tests.gateway.released_values import RELEASED
from tests.gateway.talking import Talk
from tests.gateway.web.sites import Site

ALONE = "SELECT {} AS x, count(*) AS n FROM people"
BESIDE = "SELECT " + ", ".join(f"{value} AS x{i}" for i, value in enumerate(RELEASED)) + " FROM people"
TOGETHER = BESIDE.replace(" FROM", ", count(*) AS n FROM")
HARD = [
    value for value in RELEASED if value.endswith(("HUGEINT", "::BIT", "::DATE", "::TIMETZ", "::INTERVAL"))
]


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dpduck.Connection]:
    with dpduck.connect(w.make_shop(tmp_path_factory.mktemp("doors") / "owned.duckdb"), epsilon=0.5) as made:
        yield made


@pytest.fixture(scope="module")
def texts() -> list[str | None]:
    """The values as DuckDB writes them."""
    with duckdb.connect() as plain:
        plain.execute("SET TimeZone = 'UTC'")
        [row] = plain.execute(f"SELECT {', '.join(f'CAST({v} AS VARCHAR)' for v in RELEASED)}").fetchall()
    return list(row)


def shown(text: str | None) -> str:
    return "NULL" if text is None else text


def test_python_reads_all_of_them(owner: dpduck.Connection, texts: list[str | None]) -> None:
    answer = owner.sql(TOGETHER)
    assert len(answer.df()) == len(answer.pl()) == answer.arrow().num_rows == len(answer.fetchall()) == 1
    assert len(answer.fetchnumpy()["n"]) == answer.fetch_record_batch().read_all().num_rows == 1
    assert answer.intervals().column_names[-3:] == ["n", "n_low", "n_high"]
    boxes, table = answer.box() + repr(answer), answer.arrow()
    page = html.unescape(str(answer._repr_html_()).replace("<bdi>", "").replace("</bdi>", ""))
    for i, text in enumerate(texts):
        assert boxes.count(shown(text)) >= 2 and shown(text) in page
        if RELEASED[i].endswith(("::UHUGEINT", "::BIT", "::TIMETZ")):  # for which Arrow has other values
            assert str(table[f"x{i}"][0]) == text


@pytest.mark.parametrize("value", HARD)
def test_python_reads_each_that_is_hard(owner: dpduck.Connection, value: str) -> None:
    answer = owner.sql(ALONE.format(value))
    assert (
        len(answer.df()) == len(answer.pl()) == len(answer.fetchall()) == len(answer.fetchnumpy()["x"]) == 1
    )


def test_each_format_writes_all_of_them(owner: dpduck.Connection, texts: list[str | None]) -> None:
    table = owner.sql(TOGETHER).shown_table()
    written = {format: render(table, format) for format in FORMATS}
    [row] = json.loads(written["json"], parse_float=Decimal)
    assert len(row) == len(RELEASED) + 1
    [_, line] = csv.reader(io.StringIO(written["csv"]))
    assert line[:-1] == [text or "" for text in texts]
    for text in map(shown, texts):
        assert text in written["box"] and text.replace("\\", "\\\\") in written["markdown"]


@pytest.mark.parametrize("form", [0, 1])
def test_the_gateway_sends_all_of_them(talk: Talk, texts: list[str | None], form: int) -> None:
    replies = talk.say(w.parse(TOGETHER), w.bind(results=(form,)), w.describe(), w.execute(), w.message("S"))
    assert "E" not in w.kinds(replies)
    [row] = w.rows_of(replies) if form == 0 else [texts]
    assert [cell is None for cell in row[: len(texts)]] == [text is None for text in texts]
    assert talk.charges == 1


def test_the_console_shows_all_of_them(site: Site, texts: list[str | None]) -> None:
    client = site.as_analyst()
    client.run(TOGETHER)
    assert client.status == 200
    assert [text for text in map(shown, texts) if text not in client.words()] == []
    client.get(client.text.partition(".csv")[0].rpartition('"')[2] + ".csv")
    assert client.status == 200
    assert next(csv.reader(io.StringIO(client.text)))[-1] == "n_high"


TIMED = (
    "'infinity'::DATE",
    "'0044-03-15 (BC)'::DATE",
    "'-infinity'::TIMESTAMP",
    "'infinity'::TIMESTAMP_NS",
    "'0044-03-15 (BC) 12:00:00+00'::TIMESTAMPTZ",
    "TIME '24:00:00'",
    "'178956970 years 7 months'::INTERVAL",
)
_DAY = "DATE '2020-01-01' + age, contribution_bounds_per_row => (DATE '2020-01-01', DATE '2021-01-01')"
OF_TIMES = (
    f"SELECT median({_DAY}) AS m, dp_low(m) AS l, dp_high(m) AS h FROM people",
    f"SELECT city, median({_DAY}) AS m FROM people GROUP BY city",
    "SELECT CASE city WHEN 'bonn' THEN 'infinity'::TIMESTAMP ELSE '2020-01-01'::TIMESTAMP END AS g, "
    "count(*) AS n FROM people GROUP BY city",
    "SELECT CASE city WHEN 'bonn' THEN '0044-03-15 (BC)'::DATE ELSE '12345-01-01'::DATE END AS g, "
    "count(*) AS n FROM people GROUP BY city",
    "SELECT CASE city WHEN 'bonn' THEN DATE '2020-01-01' ELSE DATE '2021-01-01' END AS g, count(*) AS n "
    "FROM people GROUP BY city",
    "SELECT city, sum(age) * 1e306 AS s, count(*) * -1e306 AS n FROM people GROUP BY city",
    "SELECT city, INTERVAL 1 DAY * count(*) AS n, sum(age) / 0 AS s FROM people GROUP BY city",
    *(ALONE.format(value) for value in TIMED),
)


def test_each_door_draws_or_shows_times_and_intervals_of_times(owner: dpduck.Connection, site: Site) -> None:
    client = site.as_analyst()
    for sql in OF_TIMES:
        client.run(sql, epsilon="5")
        assert (client.status, "Download as CSV" in client.words()) == (200, True), sql
        answer = owner.sql(sql)
        assert "<table" in str(answer._repr_html_()) and "│" in answer.box(), sql


def test_pictures_are_drawn_of_groups_of_any_time(owner: dpduck.Connection) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    for value in TIMED:
        axes = owner.sql(ALONE.format(value)).plot()
        axes.figure.canvas.draw()
        pyplot.close(axes.figure)


def test_a_picture_is_of_numbers_alone(owner: dpduck.Connection) -> None:
    with pytest.raises(dpduck.ParameterError, match="no released number"):
        owner.sql(OF_TIMES[0]).plot()
