"""Notices: one for each idea, the weightier first; and intervals are shown as far as they say something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import duckdb
import pytest

import dpduck
from dpduck.answers.notices import CAVEATS
from dpduck.kernel.errors.notices import Notice, Rank, brief_of
from dpduck.kernel.plan.caveat_kinds import Caveat

TABLES = """
CREATE TABLE visits (person INTEGER NOT NULL, region VARCHAR NOT NULL, amount DOUBLE NOT NULL,
    age INTEGER NOT NULL, free INTEGER NOT NULL);
INSERT INTO visits SELECT i % 900, chr((97 + (i // 3) % 8)::INTEGER), (i * 37 % 200)::DOUBLE, i % 80, i % 100
    FROM range(9000) AS r(i);
"""
REGIONS = "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'"
POLICIES = f"""
ALTER TABLE visits ADD PRIVACY_KEY (person);
ALTER TABLE visits ALTER COLUMN region SET PRIVACY DOMAIN IN ({REGIONS});
ALTER TABLE visits ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 80);
ALTER TABLE visits ALTER COLUMN amount SET PRIVACY DOMAIN BETWEEN (0, 200);
CREATE PRIVACY BUDGET b LIMIT 100000
"""


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows:
        rows.execute(TABLES)
        with dpduck.connect(rows, epsilon="2") as db:
            db.execute(POLICIES)
            yield db


def said(db: dpduck.Connection, query: str) -> list[str]:
    db.execute(query)
    return db.notices


def test_each_kind_of_caveat_has_a_place() -> None:
    found = [said.kind for said in CAVEATS]
    assert len(found) == len(set(found))
    assert set(found) == set(get_args(Caveat))


def test_columns_of_one_kind_share_a_notice(db: dpduck.Connection) -> None:
    notices = said(
        db, "SELECT region, sum(amount) AS a, sum(age) AS b, sum(free) AS c FROM visits GROUP BY region"
    )
    [clamps] = [one for one in notices if " clamp that is chosen privately" in one]
    assert clamps.startswith(
        "a, b and c take a total of each person and group, with values below 0 of a and b as 0, up to a clamp"
    )
    assert "so the truth may be above, of c also below." in clamps
    values = said(
        db, "SELECT avg(amount) AS a, avg(age) AS b, avg(greatest(least(free, 9), 0)) AS c FROM visits"
    )
    assert (
        "a takes values from 0 to 200; b takes values from 0 to 80; those beyond count as the nearer end."
        in (values)
    )
    ratios = said(db, "SELECT sum(amount) / count(*) AS a, sum(age) / count(*) AS b FROM visits")
    assert any(
        one.startswith("a and b divide numbers") and one.endswith("Nearer: avg(amount), avg(age).")
        for one in ratios
    )


def test_no_two_notices_begin_alike(db: dpduck.Connection) -> None:
    for query in (
        "SELECT region, sum(amount) AS a, sum(free) AS b, avg(age) AS c, count(*) AS n FROM visits "
        "GROUP BY region",
        "SELECT sum(amount, contribution_bounds_per_group => (0, 9)) AS a, "
        "sum(age, contribution_bounds_per_group => (0, 7)) AS b FROM visits",
        "SELECT count(DISTINCT age) AS a, count(DISTINCT free) AS b FROM visits",
    ):
        notices = said(db, query)
        verbs = [
            next((w for w in (" clamp ", " weight", " total from", " lower est") if w in one), one)
            for one in notices
        ]
        assert len(verbs) == len(set(verbs)), notices


def test_noise_comes_first_and_what_it_costs_last(db: dpduck.Connection) -> None:
    db.execute("SET dp_epsilon = 0.01")
    notices = said(db, "SELECT region, count(*) AS n, avg(age) AS a FROM visits GROUP BY region")
    firsts = [one.partition(" ")[0] for one in notices]
    assert notices[0].startswith(("NULL stands for", "Noise is larger"))
    assert notices[-1].startswith("Noise is 8 times as wide")
    assert firsts.index("n") < firsts.index("Rows")


def test_a_wider_number_of_groups_has_a_cure_for_counts(db: dpduck.Connection) -> None:
    cure = "SET dp_max_groups_contributed = 'private'"
    count, total = (
        f"SELECT region, {what} AS n FROM visits GROUP BY region" for what in ("count(*)", "avg(age)")
    )
    assert cure in said(db, count)[-1]
    assert not any(cure in one for one in said(db, total))
    assert not any(cure in one for one in said(db, f"{count} ORDER BY n DESC LIMIT 3"))
    db.execute(cure)
    assert not any(cure in one for one in said(db, count))


NO_EFFECT = {
    "sum(amount) AS n FROM visits GROUP BY region": "on n, as only counts of units, or of bounded rows",
    "avg(amount) AS n FROM visits GROUP BY region": "on n, as only counts of units, or of bounded rows",
    "avg(amount) AS n, sum(age) AS s, count(*) AS c FROM visits GROUP BY region": "on n and s, as only",
    "count(*) AS n FROM visits GROUP BY ROLLUP (region)": "on n, as totals add up groups",
    "count(*) AS n FROM visits GROUP BY region HAVING n > 5": "on n, as their order, or a condition on them",
    "count(*) AS n FROM visits GROUP BY region ORDER BY n DESC LIMIT 3": "on n, as their order",
    "count(*) AS n FROM visits WHERE region IN ('a', 'b') GROUP BY region": "on n, as one person may be",
}


@pytest.mark.parametrize("query", NO_EFFECT)
def test_a_private_bound_that_has_no_effect_says_so_and_why(query: str, db: dpduck.Connection) -> None:
    db.execute("SET dp_max_groups_contributed = 'private'")
    prefix = f"max_groups_contributed = 'private' has no effect {NO_EFFECT[query]}"
    [notice] = [one for one in said(db, f"SELECT region, {query}") if "no effect" in one]
    assert notice.startswith(prefix)
    explained = db.explain(f"SELECT region, {query}")
    assert notice in explained.caveats
    assert "has no effect" in " ".join(str(explained).split())
    db.execute("RESET dp_max_groups_contributed")
    assert not any("no effect" in one for one in said(db, f"SELECT region, {query}"))


def test_of_rows_that_are_counted_too(db: dpduck.Connection) -> None:
    db.execute("SET dp_max_groups_contributed = 'private'")
    db.execute("SET dp_count = rows")
    assert any(
        "no effect on n" in one
        for one in said(db, "SELECT region, count(*) AS n FROM visits GROUP BY region")
    )


def test_a_declared_bound_is_why(db: dpduck.Connection) -> None:
    db.execute("ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 3)")
    db.execute("SET dp_max_groups_contributed = 'private'")
    notices = said(db, "SELECT region, count(*) AS n FROM visits GROUP BY region")
    assert any(one.endswith("no effect on n, as a bound of 3 groups holds already.") for one in notices)


def test_where_a_person_is_in_one_group_there_is_nothing_to_choose(db: dpduck.Connection) -> None:
    db.execute("SET dp_max_groups_contributed = 'private'")
    assert not any("no effect" in one for one in said(db, "SELECT count(*) AS n, sum(age) FROM visits"))


@pytest.mark.slow
def test_intervals_end_where_numbers_do(db: dpduck.Connection) -> None:
    """No count and no sum of what is never negative has a negative end, whatever the noise is."""
    db.execute("SET dp_replay = off")
    db.execute("SET dp_epsilon = 0.5")
    below = 0
    for _ in range(8):
        for what in (
            "count(*)",
            "count(DISTINCT age)",
            "sum(amount, contribution_bounds_per_group => (0, 9))",
        ):
            rows = db.execute(
                f"SELECT region, {what} AS n, dp_low(n), dp_high(n) FROM visits WHERE person = 5 "
                "GROUP BY region"
            ).fetchall()
            assert all(low >= 0 and (high is None or high >= low) for *_, low, high in rows)
            below += sum(number < 0 for _, number, *_ in rows)
    assert below  # noise was there
    signed = "sum(free - 50, contribution_bounds_per_group => (-50, 50))"
    asked = f"SELECT dp_low({signed}), dp_high({signed}) FROM visits WHERE person < 2"
    ends = [db.execute(asked).fetchall()[0] for _ in range(5)]
    assert any(low < 0 < high for low, high in ends)


def test_the_difference_of_counts_is_as_wide_as_ever(db: dpduck.Connection) -> None:
    """Its ends are computed from the distances of both ends, which must not shrink at 0."""
    two = "count_if(person = 5) AS a, count_if(person = 6) AS b"
    for _ in range(5):
        db.execute("SET dp_replay = off")
        [[a, b, low, high]] = db.execute(
            f"SELECT {two}, dp_low(a - b), dp_high(a - b) FROM visits"
        ).fetchall()
        error = db.explain(f"SELECT {two} FROM visits").expected_error["a"]
        assert a - b - low == pytest.approx(error * 2**0.5)
        assert high - (a - b) == pytest.approx(error * 2**0.5)


def test_ends_have_few_digits_and_are_rounded_outwards(db: dpduck.Connection) -> None:
    total = "sum(amount, contribution_bounds_per_group => (0, 900))"
    for what in (total, "avg(amount)", "stddev(amount)"):
        [[number, low, high]] = db.execute(
            f"SELECT {what} AS n, dp_low(n), dp_high(n) FROM visits"
        ).fetchall()
        assert low < number
        for end in (low, high):
            assert end is None or len(str(end).replace("-", "").replace(".", "").strip("0")) <= 6, (what, end)
    error = db.explain(f"SELECT {total} AS n FROM visits").expected_error["n"]
    [[number, low]] = db.execute(f"SELECT {total} AS n, dp_low(n) FROM visits").fetchall()
    assert error <= number - low <= 1.01 * error


def test_an_interval_of_a_quotient_is_that_of_an_average(db: dpduck.Connection) -> None:
    for quotient in (
        "sum(amount) / count(*)",
        "sum(age) / nullif(count(*), 0)",
        "count_if(age > 3) / count(*)",
    ):
        with pytest.raises(dpduck.UnsupportedSqlError, match="takes no quotient") as caught:
            db.execute(f"SELECT {quotient} AS r, dp_low(r) FROM visits")
        assert "an average has an interval" in str(caught.value.hint)
    assert "Write avg(CASE WHEN age > 3 THEN 1 ELSE 0 END) AS a, dp_low(a)" in str(caught.value.hint)
    db.execute("SELECT avg(CASE WHEN age > 3 THEN 1 ELSE 0 END) AS a, dp_low(a), dp_high(a) FROM visits")


def test_the_difference_of_sums_that_are_clamped_apart_has_a_form_that_works(db: dpduck.Connection) -> None:
    with pytest.raises(dpduck.UnsupportedSqlError, match="has no interval") as caught:
        db.execute("SELECT sum(amount) AS a, sum(age) AS b, dp_low(a - b) FROM visits")
    bounds = "contribution_bounds_per_group => (LOW, HIGH)"
    hint = str(caught.value.hint)
    forms = (
        f"sum(x - y, {bounds}) AS d, dp_low(d), dp_high(d)",
        f"sum(CASE WHEN a THEN x ELSE -x END, {bounds})",
    )
    assert f"{forms[0]}; of rows that differ" in hint
    assert forms[1] in hint
    one, other = (
        form.replace("LOW", "-2000").replace("HIGH", "2000").replace("x", "amount").replace("y", "age")
        for form in (forms[0], f"{forms[1].replace('WHEN a', 'WHEN free > 5')} AS d, dp_low(d), dp_high(d)")
    )
    for form in (one, other):
        [[number, low, high]] = db.execute(f"SELECT {form} FROM visits").fetchall()
        assert low < number < high


def test_a_preview_does_not_say_that_no_row_exists(db: dpduck.Connection) -> None:
    db.execute("SET dp_preview = empty")
    for query in ("SELECT 1 AS a FROM visits LIMIT 1", "SELECT 1 FROM visits WHERE person = 5 LIMIT 1"):
        with pytest.raises(dpduck.UnsupportedSqlError, match="whether private rows exist"):
            db.execute(query)
    assert db.execute("SELECT person FROM visits LIMIT 1").fetchall() == []
    assert db.execute("SELECT 1 FROM visits LIMIT 0").fetchall() == []


def test_ranges_of_two_arguments_are_said_of_each(db: dpduck.Connection) -> None:
    notices = said(db, "SELECT corr(amount, age) AS c, avg(age) AS a FROM visits")
    ranges = (
        "c takes amount from 0 to 200; c takes age from 0 to 80; a takes values from 0 to 80; those beyond"
    )
    assert any(one.startswith(ranges) for one in notices), notices


def test_one_group_is_one_and_a_clamp_that_none_is_too_few_for_says_nothing_of_few(
    db: dpduck.Connection,
) -> None:
    db.execute("SET dp_max_groups_contributed = 1")
    text = str(db.explain("SELECT region, count(*) AS n FROM visits GROUP BY region"))
    assert "one person may be in up to 1 group\n" in text
    db.execute("SET dp_epsilon = 20")
    assert "about 1 unit" not in str(db.explain("SELECT sum(amount) AS s FROM visits"))


def test_each_sentence_is_short_and_the_meaning_is_never_folded(db: dpduck.Connection) -> None:
    for query in (
        "count(*) AS n",
        "sum(amount) AS n",
        "avg(age) AS n",
        "max(age) AS n",
        "median(age) AS n",
        "count(DISTINCT age) AS n",
        "sum(amount) / count(*) AS n",
        "mode(region) AS n",
        "sum(amount, contribution_bounds_per_group => (0, 9)) AS n",
    ):
        for keys in ("", "region, "):
            answer = db.sql(f"SELECT {keys}{query} FROM visits {'GROUP BY region' if keys else ''}")
            for notice in answer._notices:
                assert isinstance(notice, Notice)
                assert len(notice.sentence.split()) <= 12, notice
                if notice.rank is Rank.MEANING:
                    body = notice.sentence.removeprefix(f"{notice.lead}: ").removesuffix(".")
                    assert body in repr(answer), notice
                if notice.rank is Rank.ADVICE:
                    assert notice.sentence not in repr(answer)
                    assert notice.text() in answer.notices


def test_what_a_number_means_is_said_beside_its_error_too() -> None:
    means, unsure = (Notice(rank, f"n {rank}.", columns=("n",)) for rank in (Rank.MEANING, Rank.UNCERTAIN))
    assert brief_of([means, unsure]).lines == ("n 1.", "n 2.")
    assert brief_of([means, unsure], with_errors=["n"]).lines == ("n 1.",)
