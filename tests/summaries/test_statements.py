"""The statements of summaries: what they charge, record and say, and what they refuse before a charge."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.kernel.errors import DpduckError
from tests.sources import HALF, Quiet
from tests.summaries.asking import ledger, refusal, rows, spent, told
from tests.summaries.conftest import BOARD, GAUSSIAN

SMALL = "CREATE PRIVACY SUMMARY small ON people (region, member) EPSILON 1"
NUMBERS = "SELECT * FROM dp_summary('small')"


def test_a_summary_is_one_charge(db: dpduck.Connection) -> None:
    db.execute(BOARD)
    assert "Asking it costs nothing" in told(db)
    assert (db.charged, spent(db)) == ("1", 1)
    [(mechanism, epsilon, replayed, text)] = ledger(db)
    assert (mechanism, epsilon, replayed) == ("summary", 1, False)
    assert BOARD in str(text)
    assert "on age, region, member" in str(text)
    db._service.session.ledger.verify()


def test_explain_charges_nothing_and_says_what_it_would_make(db: dpduck.Connection) -> None:
    said = "\n".join(str(line) for (line,) in rows(db, f"EXPLAIN {BOARD}"))
    assert spent(db) == 0
    assert said.startswith("summary board: laplace noise, ")
    assert "5 x 4 x 2 x 6 x 12" not in said
    assert "2,880 full cells" in said
    assert "each unit once: the schema allows it one row" in said
    assert "cannot    ask of other columns than age, region, member, grade, month" in said
    assert "or within a band of age" in said
    assert "9 such summaries" not in said  # the default cap of 10 leaves 10
    assert "left      10 such summaries" in said


def test_explain_warns_of_what_is_paid_for_already(db: dpduck.Connection) -> None:
    db.execute(SMALL)
    said = "\n".join(str(line) for (line,) in rows(db, f"EXPLAIN {BOARD}"))
    assert "summary small has region, member already; this pays for them again" in said


def test_what_explain_predicts_is_what_is_made(db: dpduck.Connection) -> None:
    predicted = [str(line) for (line,) in rows(db, f"EXPLAIN {BOARD}") if "by region" in str(line)]
    db.execute(BOARD)
    errors = db.explain("SELECT region, count(*) AS n FROM people GROUP BY region").expected_error
    assert f"within {errors['n']:,.0f} with probability" in predicted[0]


def test_a_refresh_pays_again_and_counts_the_present_rows(file: Path) -> None:
    with dpduck.connect(file, epsilon="0.001") as db:
        db._service._entropy = Quiet(HALF)
        db.execute(SMALL)
    with duckdb.connect(str(file)) as con:
        con.execute("DELETE FROM people WHERE region = 'n'")
    with dpduck.connect(file, epsilon="0.001") as db:
        db._service._entropy = Quiet(HALF)
        query = "SELECT region, count(*) FROM people GROUP BY region ORDER BY region"
        old = dict(rows(db, query))
        assert "Its database has changed since" in told(db)
        assert rows(db, "SHOW PRIVACY SUMMARIES")[0][-1] == "its database has changed since"
        db.execute("ALTER PRIVACY SUMMARY small REFRESH")
        assert "epsilon 2 with those before it" in told(db)
        assert spent(db) == 2
        new = dict(rows(db, query))
        assert (old["n"] > 900, new["n"], new["s"]) == (True, 0, old["s"])
        assert "changed since" not in told(db)
        [row] = rows(db, "SHOW PRIVACY SUMMARIES")
        assert row[6:] == ("1", "2", "of the present rows")
        db._service.session.ledger.verify()


def test_a_dropped_summary_answers_no_more(db: dpduck.Connection) -> None:
    db.execute(SMALL)
    db.execute("DROP PRIVACY SUMMARY small")
    assert "Epsilon 1 stays spent" in told(db)
    assert rows(db, "SHOW PRIVACY SUMMARIES") == []
    rows(db, "SELECT region, count(*) FROM people GROUP BY region")
    assert "summary" not in told(db)
    assert "there is no summary small" in str(refusal(db, "DROP PRIVACY SUMMARY small"))
    statements = [row[3] for row in rows(db, "FROM dp_policies()")]
    assert statements[-2:] == [SMALL, "DROP PRIVACY SUMMARY small"]
    db._service.session.ledger.verify()


def test_a_name_is_taken_once(db: dpduck.Connection) -> None:
    db.execute(SMALL)
    assert "there is a summary small already" in str(refusal(db, SMALL))
    assert "there is a summary SMALL already" in str(refusal(db, SMALL.replace("small", "SMALL")))
    assert "table or view people" in str(refusal(db, SMALL.replace("small", "people")))
    db.execute(SMALL.replace("CREATE", "CREATE OR REPLACE"))
    assert spent(db) == 2
    assert len(rows(db, "SHOW PRIVACY SUMMARIES")) == 1


BAD = {
    "CREATE PRIVACY SUMMARY s ON people (age BANDS (30, 18)) EPSILON 1": "do not divide its domain",
    "CREATE PRIVACY SUMMARY s ON people (age BANDS (30, 30)) EPSILON 1": "do not divide its domain",
    "CREATE PRIVACY SUMMARY s ON people (age BANDS (200)) EPSILON 1": "do not divide its domain",
    "CREATE PRIVACY SUMMARY s ON people (age BANDS (0)) EPSILON 1": "do not divide its domain",
    "CREATE PRIVACY SUMMARY s ON people (age BANDS ('x')) EPSILON 1": "is no INTEGER",
    "CREATE PRIVACY SUMMARY s ON people (region BANDS ('n')) EPSILON 1": "numbers or times",
    "CREATE PRIVACY SUMMARY s ON people (hidden) EPSILON 1": "has no public domain",
    "CREATE PRIVACY SUMMARY s ON people (nothing) EPSILON 1": "has no column nothing",
    "CREATE PRIVACY SUMMARY s ON nowhere (x) EPSILON 1": "table nowhere does not exist",
    "CREATE PRIVACY SUMMARY s ON people (id) EPSILON 1": "id",
    "CREATE PRIVACY SUMMARY s ON people (region, region AS r) EPSILON 1": "twice",
    "CREATE PRIVACY SUMMARY s ON people (1 AS one) EPSILON 1": "is a constant",
    "CREATE PRIVACY SUMMARY s ON people (year(now()) AS y) EPSILON 1": "expression of a row",
    "CREATE PRIVACY SUMMARY s ON visits (page) EPSILON 1": "CONTRIBUTION (rows = 5)",
    "CREATE PRIVACY SUMMARY s ON people (region) WORKLOAD (ALL 2 WAY) EPSILON 1": "ALL 2 WAY of 1 columns",
    "CREATE PRIVACY SUMMARY s ON people (region) WORKLOAD ('SELECT count(*) FROM visits') "
    "EPSILON 1": "not about people alone",
    "CREATE PRIVACY SUMMARY s ON people (region) WORKLOAD ('SELECT count(*) FROM people WHERE age < 18') "
    "EPSILON 1": "no column age",
    "CREATE PRIVACY SUMMARY s ON people (region) WORKLOAD ('SELECT count(*) FROM people WHERE region = ?') "
    "EPSILON 1": "parameter",
    "CREATE PRIVACY SUMMARY s ON people (region) WORKLOAD ('DROP TABLE people') EPSILON 1": "DROP",
    "CREATE PRIVACY SUMMARY s ON people (region, member) EPSILON 0.0000000001": "epsilon",
    "CREATE PRIVACY SUMMARY s ON people (region) EPSILON 1 NOISE gaussian": "needs a DELTA",
    "CREATE PRIVACY SUMMARY s ON people (region) EPSILON 1 DELTA 0 NOISE gaussian": "needs a DELTA",
    "CREATE PRIVACY SUMMARY s ON people (region) EPSILON 11": "remains",
    "ALTER PRIVACY SUMMARY s REFRESH": "there is no summary s",
    "SHOW PRIVACY SUMMARY s": "there is no summary s",
    "SELECT * FROM dp_summary('s')": "there is no summary s",
    "SELECT n FROM dp_summary('s')": "this use of dp_summary",
}


@pytest.mark.parametrize("statement", BAD)
def test_bad_input_is_refused_and_costs_nothing(db: dpduck.Connection, statement: str) -> None:
    assert BAD[statement] in str(refusal(db, statement))
    assert rows(db, "SHOW PRIVACY SUMMARIES") == []


def test_too_many_cells_are_refused_by_explain(db: dpduck.Connection) -> None:
    db.execute("ALTER TABLE people ALTER COLUMN id SET PRIVACY DOMAIN BETWEEN (0, 9)")
    db.execute("ALTER TABLE people ALTER COLUMN hidden SET PRIVACY DOMAIN BETWEEN (0, 19999)")
    statement = "EXPLAIN CREATE PRIVACY SUMMARY s ON people (hidden, age) EPSILON 1"
    assert "the summary would have 2,000,000 cells" in str(refusal(db, statement))


def test_two_at_once_make_one(file: Path) -> None:
    """One of them is refused, before or at its charge: what is charged is what there is."""
    with dpduck.connect(file, epsilon="0.01") as db:
        outcomes: list[str] = []

        def make(connection: dpduck.Connection) -> None:
            try:
                connection.execute(SMALL)
                outcomes.append("made")
            except DpduckError as error:
                outcomes.append(f"{error.charged} {error.message}")

        threads = [threading.Thread(target=make, args=(db.cursor().connection,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["0 there is a summary small already", "made"]
        assert spent(db) == 1


def test_the_cap_holds_for_refreshes(db: dpduck.Connection) -> None:
    db.execute(SMALL.replace("EPSILON 1", "EPSILON 6"))
    error = refusal(db, "ALTER PRIVACY SUMMARY small REFRESH")
    assert "4 remains" in error.message
    assert len(rows(db, "SHOW PRIVACY SUMMARIES")) == 1


def test_a_changed_domain_makes_it_answer_nothing(db: dpduck.Connection) -> None:
    db.execute(SMALL)
    db.execute("ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('n', 's')")
    rows(db, "SELECT region, count(*) FROM people GROUP BY region")
    assert "summary" not in told(db)
    assert rows(db, "SHOW PRIVACY SUMMARIES")[0][-1] == "its columns have other values than when it was made"
    db.execute("ALTER PRIVACY SUMMARY small REFRESH")
    rows(db, "SELECT member, count(*) FROM people GROUP BY member")
    assert "summary small" in told(db)


def test_a_table_whose_people_are_others_is_not_answered_for(db: dpduck.Connection) -> None:
    db.execute(SMALL)
    db.execute("ALTER TABLE people DROP PRIVACY_KEY FORCE")
    assert rows(db, "SHOW PRIVACY SUMMARIES")[0][-1] != "of the present rows"
    db.execute("ALTER TABLE people SET PUBLIC FORCE")
    assert rows(db, "SELECT count(*) FROM people") == [(4000,)]


def test_it_is_not_asked_after_its_max_age(db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    db.execute(SMALL.replace("EPSILON", "MAX AGE '7 days' EPSILON"))
    db.execute("SET dp_summaries = only")
    for days in (6, 8):
        later = datetime.now(UTC) + timedelta(days=days)
        monkeypatch.setattr("dpduck.answers.summaries._now", lambda later=later: later)
        if days < 7:
            rows(db, "SELECT count(*) FROM people")
    assert "older than its MAX AGE" in str(refusal(db, "SELECT count(*) FROM people"))
    assert rows(db, "SHOW PRIVACY SUMMARIES")[0][-1] == "older than its MAX AGE"


def test_the_numbers_are_as_they_were_released(quiet: dpduck.Connection) -> None:
    quiet.execute(SMALL)
    found = rows(quiet, "SELECT * FROM dp_summary('small')")
    assert len(found) == 8
    assert {row[0] for row in found} == {"region, member"}
    assert sum(int(str(row[2])) for row in found) == 4000
    assert found[0][1] == "region=n, member=false"


def test_an_analyst_pays_as_for_a_query_and_owns_what_was_made(file: Path) -> None:
    with dpduck.connect(file) as db:
        db.execute("CREATE PRIVACY BUDGET team LIMIT 1.5 FOR ana, bob")
        db.execute("CREATE PRIVACY SUMMARY of_owner ON people (region, age BANDS (50)) EPSILON 0.5")
    with dpduck.connect(file, analyst="ana", epsilon="0.01") as ana:
        ana.execute(SMALL)
        assert (spent(ana, "budget"), spent(ana, "people")) == (1, Decimal("1.5"))
        assert "belongs to somebody else" in str(refusal(ana, "DROP PRIVACY SUMMARY of_owner"))
        assert "belongs to somebody else" in str(refusal(ana, "ALTER PRIVACY SUMMARY of_owner REFRESH"))
        rows(ana, "SELECT member, count(*) FROM people GROUP BY member")
        assert "summary small" in told(ana)
        assert (ana.charged, spent(ana, "budget")) == ("0", 1)
    with dpduck.connect(file, analyst="bob", epsilon="0.01") as bob:
        rows(bob, "SELECT member, count(*) FROM people GROUP BY member")
        assert "summary small" in told(bob)
        assert (bob.charged, spent(bob, "people")) == ("0", Decimal("1.5"))
        assert "belongs to somebody else" in str(refusal(bob, "DROP PRIVACY SUMMARY small"))
        asked = "SELECT region, count(*) FROM people WHERE age < 50 GROUP BY region"
        assert bob.explain(asked).epsilon == "0.01"  # more is not spent without being asked to
        rows(bob, "SELECT * FROM dp_summary('of_owner')")
        assert bob.charged == "0.5"  # by the budget for them, the people lose nothing
        rows(bob, asked)
        assert "it costs nothing" in told(bob)
        assert (spent(bob, "budget"), spent(bob, "people")) == (Decimal("1.5"), Decimal("1.5"))
        rows(bob, "SELECT age < 50 AS a, count(*) FROM people GROUP BY a")
        assert spent(bob, "budget") == Decimal("1.5")
    with dpduck.connect(file) as db:
        db._service.session.ledger.verify()


def test_a_budget_that_cannot_pay_for_it_asks_the_table(file: Path) -> None:
    with dpduck.connect(file) as db:
        db.execute("CREATE PRIVACY BUDGET team LIMIT 0.3 FOR ana")
        db.execute(SMALL)
    with dpduck.connect(file, analyst="ana", epsilon="0.01") as ana:
        rows(ana, "SELECT region, count(*) FROM people GROUP BY region")
        assert "summary" not in told(ana)
        assert float(spent(ana, "budget")) == pytest.approx(0.01)
        ana.execute("SET dp_summaries = only")
        assert "a budget FOR somebody, which has not paid for it yet" in str(
            refusal(ana, "SELECT member, count(*) FROM people GROUP BY member")
        )


def test_where_only_summaries_may_answer_nothing_is_charged(file: Path) -> None:
    """Neither a summary that a budget FOR somebody has not paid for, nor an earlier answer, nor the table."""
    medians = "SELECT median(age) AS m FROM people"
    counts = "SELECT region, count(*) AS n FROM people GROUP BY region"
    with dpduck.connect(file, epsilon="0.5") as db:
        db.execute("CREATE PRIVACY BUDGET team LIMIT 5 FOR ana")
        db.execute(SMALL)
        rows(db, medians)
    with dpduck.connect(file, analyst="ana", epsilon="0.1") as ana:
        ana.execute("SET dp_summaries = only")
        for sql in (medians, counts, "SELECT count(*) FROM small"):
            assert "no summary answers this query" in str(refusal(ana, sql))
        unasked = "SELECT median(age) AS m FROM people WHERE region = 'n'"
        assert str(refusal(ana, medians)) == str(refusal(ana, unasked))  # whether others asked is not told
        assert spent(ana, "budget") == 0
        ana.execute("SET dp_summaries = on")
        of_rows = ana.explain("SELECT count(*) FROM small")
        assert (of_rows.epsilon, "epsilon 1 once" in str(of_rows)) == ("1", True)
        explained = ana.explain(counts)
        assert explained.epsilon == "0.1"
        assert "a budget FOR somebody would pay its price" in str(explained)
        rows(ana, "SELECT * FROM dp_summary('small')")
        assert (ana.charged, spent(ana, "budget")) == ("1", 1)
        assert ana.explain(counts).epsilon == "0"
        assert ana.explain("SELECT count(*) FROM small").epsilon == "0"
        ana.execute("SET dp_summaries = only")
        rows(ana, counts)
        rows(ana, "SELECT count(*) FROM small")
        assert (ana.charged, spent(ana, "budget")) == ("0", 1)


def test_settings_are_shown_and_reset(db: dpduck.Connection) -> None:
    assert rows(db, "SHOW dp_summaries") == [("on",)]
    db.execute("SET dp_summaries = 'off'")
    assert rows(db, "SHOW dp_summaries") == [("off",)]
    db.execute("RESET dp_summaries")
    assert rows(db, "SHOW dp_summaries") == [("on",)]
    assert "dp_summaries is on, only or off" in str(refusal(db, "SET dp_summaries = sometimes"))


def test_only_needs_no_epsilon(file: Path) -> None:
    with dpduck.connect(file) as db:
        db.execute(SMALL)
        assert "no epsilon is set" in str(refusal(db, "SELECT count(*) FROM people"))
        db.execute("SET dp_summaries = only")
        rows(db, "SELECT count(*) FROM people")
        assert "summary small" in told(db)


def test_who_reads_the_numbers_has_learned_them(file: Path) -> None:
    """A budget FOR somebody pays for the numbers as for an answer that is made of them."""
    with dpduck.connect(file) as db:
        db.execute("CREATE PRIVACY BUDGET team LIMIT 1.5 FOR ana")
        db.execute("CREATE PRIVACY BUDGET little LIMIT 0.3 FOR bob")
        db.execute(SMALL)
        people = spent(db, "people")
        rows(db, NUMBERS)
        assert db.charged == "0"
    with dpduck.connect(file, analyst="ana", epsilon="0.01") as ana:
        rows(ana, NUMBERS)
        assert (ana.charged, spent(ana, "budget"), spent(ana, "people")) == ("1", 1, people)
        rows(ana, NUMBERS)
        rows(ana, "SELECT region, count(*) FROM people GROUP BY region")
        assert (ana.charged, spent(ana, "budget")) == ("0", 1)
    with dpduck.connect(file, analyst="bob", epsilon="0.01") as bob:
        assert "no budget has what it cost left" in str(refusal(bob, NUMBERS))
        assert spent(bob, "budget") == 0


def test_who_is_given_no_answers_is_given_no_numbers(db: dpduck.Connection) -> None:
    db.execute(SMALL)
    session = replace(db._service.session, asks=False)
    db._service.session = db._service._summaries._session = session
    rows_of_it = "SELECT * FROM small"
    for sql in (
        NUMBERS,
        rows_of_it,
        SMALL.replace("CREATE", "CREATE OR REPLACE"),
        "ALTER PRIVACY SUMMARY small REFRESH",
    ):
        assert "an auditor is given no answers" in str(refusal(db, sql))
    assert spent(db) == 1


def plans(db: dpduck.Connection, statement: str) -> list[str]:
    """The kinds of noise that EXPLAIN compares, the one that is taken with an arrow."""
    return [
        str(line).split(": ")[0].strip()
        for (line,) in rows(db, f"EXPLAIN {statement}")
        if "  plan" in str(line)
    ]


def test_a_summary_with_gaussian_noise_is_one_charge(db: dpduck.Connection) -> None:
    db.execute(GAUSSIAN)
    assert "residuals was paid for with epsilon 1 and delta 0.000001. Asking" in told(db)
    assert (db.charged, spent(db)) == ("1", 1)
    [entry] = db._service.session.ledger.entries()
    assert (entry.epsilon, entry.delta, entry.mechanism) == (1, Fraction(1, 10**6), "summary")
    details = dict(rows(db, "SHOW PRIVACY SUMMARY board"))
    assert details["delta"] == "0.000001"
    assert "mu squared" in str(details["residual age, region"])
    db._service.session.ledger.verify()


def test_the_better_noise_is_taken_where_there_is_a_delta(db: dpduck.Connection) -> None:
    """Of a few tables Laplace noise is better; of all three of five columns Gaussian noise."""
    few, many = f"{SMALL} DELTA 1e-6", f"{BOARD} DELTA 1e-6"
    assert plans(db, few) == ["plan      -> laplace noise", "plan         gaussian noise"]
    assert plans(db, many) == ["plan         laplace noise", "plan      -> gaussian noise"]
    assert plans(db, BOARD) == ["plan      -> laplace noise", "plan         gaussian noise"]
    assert plans(db, f"{SMALL} NOISE laplace") == plans(db, f"{many} NOISE gaussian") == []
    with_delta = [str(line) for (line,) in rows(db, f"EXPLAIN {BOARD}") if "with DELTA 1e-6" in str(line)]
    assert len(with_delta) == 1
    db.execute(few)
    assert "1 table was paid for with epsilon 1. " in told(db)
    db.execute(many)
    assert "and delta 0.000001" in told(db)


def test_what_a_budget_has_no_delta_for_is_not_taken(db: dpduck.Connection) -> None:
    db.execute("CREATE PRIVACY BUDGET life LIMIT 3 DELTA 1e-7")
    assert plans(db, f"{BOARD} DELTA 1e-6") == ["plan      -> laplace noise", "plan         gaussian noise"]
    error = refusal(db, GAUSSIAN)
    assert "delta" in str(error)


def test_where_rho_adds_up_the_error_at_an_equal_price_counts(db: dpduck.Connection) -> None:
    """One table of Laplace noise of epsilon 1 costs rho 0.46, and any number with Gaussian noise 0.028."""
    db.execute("CREATE PRIVACY BUDGET life LIMIT 10 DELTA 1e-5 ACCOUNTING zcdp")
    said = [
        str(line).split("error")[1]
        for (line,) in rows(db, f"EXPLAIN {BOARD} DELTA 1e-6")
        if "  plan" in str(line)
    ]
    laplace, gaussian = (float(line.split("rho ")[1]) for line in said)
    assert (laplace > gaussian, round(gaussian, 4)) == (True, 0.028)
    assert plans(db, f"{BOARD} DELTA 1e-6")[1] == "plan      -> gaussian noise"
    assert plans(db, f"{SMALL} DELTA 1e-6")[0] == "plan      -> laplace noise"
    db.execute(f"{BOARD} DELTA 1e-6")
    [entry] = db._service.session.ledger.entries()
    assert float(entry.rho) == pytest.approx(0.028, rel=0.01)
    db._service.session.ledger.verify()


def test_a_refresh_has_the_noise_that_was_chosen(db: dpduck.Connection) -> None:
    db.execute(f"{SMALL} DELTA 1e-6 NOISE gaussian")
    assert [row[0] for row in rows(db, NUMBERS)][:2] == ["all rows", "region"]
    db.execute("ALTER PRIVACY SUMMARY small REFRESH")
    assert "of 4 residuals" in told(db)
    db.execute(f"{BOARD} DELTA 1e-6")
    db.execute("CREATE PRIVACY BUDGET life LIMIT 13 DELTA 1e-5")
    db.execute("ALTER PRIVACY SUMMARY board REFRESH")
    assert "residuals" in told(db)


def test_the_numbers_of_a_fitted_matrix_are_named_by_its_rows(db: dpduck.Connection) -> None:
    db.execute(GAUSSIAN)
    cells = [str(row[1]) for row in rows(db, "SELECT * FROM dp_summary('board')") if row[0] == "age"]
    assert cells == [f"age row {number}" for number in range(1, 6)]


def test_a_summary_does_not_say_the_bounds_of_the_table(tmp_path: Path) -> None:
    """It has its own number of rows of each unit, and counts all groups of one."""
    path = tmp_path / "visits.duckdb"
    with duckdb.connect(path) as con:
        con.execute(
            "CREATE TABLE visits AS SELECT i % 1000 AS u, i // 1000 AS page FROM range(6000) AS t (i)"
        )
    with dpduck.connect(path, epsilon="1") as db:
        db.execute("ALTER TABLE visits ADD PRIVACY_KEY (u)")
        db.execute("ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 5)")
        db.execute("ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 1, rows = 6)")
        db.execute("CREATE PRIVACY SUMMARY all_pages ON visits (page) EPSILON 1")
        db.execute("SET dp_count = 'rows'")
        db.execute("SET dp_summaries = only")
        found = rows(db, "SELECT page, count(*) AS n FROM visits GROUP BY page")
        assert all(800 < int(str(n)) < 1200 for _, n in found)
        assert "at most 6 rows of each unit" in told(db)
        assert "in at most 1 group" not in told(db)
