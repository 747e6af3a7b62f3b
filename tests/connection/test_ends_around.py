"""What a query around a block computes of its numbers has the ends that the block itself would give it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest

import dpduck
from tests.sources import Seeded

BLOCK = "SELECT g, count(*) AS n, avg(x) AS a FROM people GROUP BY g"


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, g INTEGER, x INTEGER)")
        rows.execute("INSERT INTO people SELECT i, i % 3, i % 10 FROM range(600) AS r(i)")
        with dpduck.connect(rows, epsilon="0.5") as opened:
            opened.execute(
                "ALTER TABLE people ADD PRIVACY_KEY (id); CREATE PRIVACY BUDGET b LIMIT 100000;"
                "ALTER TABLE people ALTER COLUMN g SET PRIVACY DOMAIN BETWEEN (0, 2);"
                "ALTER TABLE people ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 9)"
            )
            yield opened


@pytest.mark.parametrize(
    ("form", "of"),
    [
        ("1 + {}", "n"),
        ("2 * {}", "n"),
        ("100 - {}", "n"),
        ("-{}", "n"),
        ("{} / 1000", "n"),
        ("round({}, -1)", "n"),
        ("CAST({} AS DECIMAL(9, 1))", "n"),
        ("{} * 100", "a"),
        ("round(100 - {} * 10, 1)", "a"),
        ("{} + 9223372036854770000", "n"),
    ],
)
@pytest.mark.parametrize(
    "query",
    [
        f"SELECT g, {{form}} AS t FROM ({BLOCK}) ORDER BY g",
        f"WITH c AS ({BLOCK}) SELECT g, {{form}} AS t FROM c ORDER BY g",
        f"WITH c AS ({BLOCK}), d AS (SELECT g, {{form}} AS m FROM c) SELECT m AS t FROM d ORDER BY g",
        f"SELECT b.g, t FROM (SELECT c.*, {{form}} AS t FROM ({BLOCK}) AS c) AS b ORDER BY g",
        f"SELECT * REPLACE ({{form}} AS {{of}}) FROM ({BLOCK}) ORDER BY g",
    ],
)
def test_ends_are_those_of_the_plain_query(query: str, form: str, of: str, db: dpduck.Connection) -> None:
    number = "count(*)" if of == "n" else "avg(x)"
    items = f"{form.format(number)} AS t, avg(x)" if of == "n" else f"count(*), {form.format(number)} AS t"
    plain = f"SELECT g, {items} FROM people GROUP BY g ORDER BY g"
    found = []
    for asked in (query.format(form=form.format(of), of=of), plain):
        db.execute("SET dp_replay = off")
        db._service._entropy = Seeded("around", form)
        answer = db.sql(asked)
        name = of if "REPLACE" in asked else "t"
        whole = answer.intervals().to_pydict()
        found.append([whole[f"{name}{end}"] for end in ("", "_low", "_high")])
        assert f"{name} ±" in str(answer.error_line)
    assert found[0] == found[1]
    assert all(low <= value <= high for value, low, high in zip(*map(exact, found[0]), strict=True))


def exact(numbers: list[float]) -> list[Fraction]:
    return [Fraction(str(number)) for number in numbers]


def test_explain_knows_its_error(db: dpduck.Connection) -> None:
    [n] = db.explain("SELECT count(*) AS n FROM people").expected_error.values()
    assert (
        db.explain("SELECT 3 * k AS t FROM (SELECT count(*) AS k FROM people)").expected_error["t"] == 3 * n
    )


def test_what_is_chosen_by_it_is_allowed_for(db: dpduck.Connection) -> None:
    query = "SELECT g, 2 * n AS t FROM (SELECT g, count(*) AS n FROM people GROUP BY g)"
    plain, chosen = (db.explain(f"{query}{rest}").expected_error["t"] for rest in ("", " ORDER BY t LIMIT 1"))
    assert chosen > plain


@pytest.mark.parametrize(
    "form", ["n * n", "n + a", "n / a", "n % 7", "n // 7", "abs(n)", "CAST(n AS VARCHAR)"]
)
def test_other_forms_have_none(form: str, db: dpduck.Connection) -> None:
    answer = db.sql(f"SELECT {form} AS t, n FROM ({BLOCK})")
    assert "t_low" not in answer.intervals().column_names


def test_names_that_are_taken_are_not_given(db: dpduck.Connection) -> None:
    answer = db.sql(f"SELECT n + 1 AS t, 7 AS t_low FROM ({BLOCK})").intervals()
    assert answer.column_names == ["t", "t_low", "t_low_1", "t_high_1"]
    assert set(answer.to_pydict()["t_low"]) == {7}
