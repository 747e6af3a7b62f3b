"""What a summary answers is what the same SQL counts without it; what it cannot tell is refused."""

from __future__ import annotations

import random
from pathlib import Path

import duckdb
import pytest

import dpduck
from tests.depth import FULL
from tests.sources import HALF, Quiet
from tests.summaries.asking import ledger, plain, refusal, rows, spent, told
from tests.summaries.conftest import BOARD

SERVED = [
    "SELECT count(*) FROM people",
    "SELECT region, count(*) AS n FROM people GROUP BY region ORDER BY region",
    "SELECT count(*) FROM people WHERE age < 18",
    "SELECT count(*) FROM people WHERE 1 = 1 AND TRUE",
    "SELECT count(*) FROM people WHERE age >= 30 AND age < 65 AND region IN ('n', 'e')",
    "SELECT count(*) FROM people WHERE age BETWEEN 45 AND 64 OR region = 's'",
    "SELECT member, region, count(*) FROM people WHERE NOT (age < 45 AND member) GROUP BY ALL ORDER BY ALL",
    "SELECT grade, count(*) FROM people GROUP BY grade ORDER BY grade",
    "SELECT count(*) FROM people WHERE grade IS NULL",
    "SELECT count(grade) FROM people WHERE member",
    "SELECT count(*) FILTER (WHERE grade > 2), count(*) FROM people WHERE region = 'w'",
    "SELECT date_trunc('month', joined) AS m, count(*) FROM people GROUP BY m ORDER BY m",
    "SELECT quarter(joined), count(*) FROM people GROUP BY 1 ORDER BY 1",
    "SELECT count(*) FROM people WHERE joined >= '2024-07-01'",
    "SELECT month(joined) AS m, count(*) FROM people WHERE month(joined) <= 6 GROUP BY m ORDER BY m",
    "SELECT CASE WHEN age < 30 THEN 'a' ELSE 'b' END AS w, count(*) FROM people GROUP BY w ORDER BY w",
    "SELECT grade + 1 AS g, region, count(*) FROM people WHERE grade IS NOT NULL GROUP BY ALL ORDER BY ALL",
    "SELECT region, count(*) AS n FROM people GROUP BY region HAVING n > 9 ORDER BY n DESC, region LIMIT 2",
    "SELECT sum(n) FROM (SELECT region, count(*) AS n FROM people WHERE member GROUP BY region)",
    "SELECT count(DISTINCT id) FROM people WHERE region = 'n'",
    "SELECT sum(grade) FROM people WHERE member",
    "SELECT region, sum(grade) AS s, count(*) FROM people GROUP BY region ORDER BY region",
    "SELECT sum(grade * 10) FILTER (WHERE region = 'n' OR age < 18) FROM people",
    "SELECT member, sum(CAST(grade AS DECIMAL(4,2))) FROM people GROUP BY member ORDER BY member",
]
NOT_SERVED = {
    "SELECT count(*) FROM people WHERE age < 20": "bands or groups of age",
    "SELECT age, count(*) FROM people GROUP BY age": "bands or groups of age",
    "SELECT count(*) FROM people WHERE joined >= '2024-07-02'": "bands or groups of month",
    "SELECT count(*) FROM people WHERE hidden = 0": "no column hidden",
    "SELECT avg(age) FROM people": "bands or groups of age, which the query divides",
    "SELECT sum(age) FROM people": "bands or groups of age",
    "SELECT sum(CAST(grade AS BIGINT) * 1000000000) FROM people": "too large",
    "SELECT region, member, grade, month(joined), count(*) FROM people GROUP BY ALL": "no table of",
    "SELECT count(*) FROM visits": "other rows",
}


def both(board: dpduck.Connection, queries: list[str]) -> list[tuple[list[tuple[object, ...]], str]]:
    """The answers of only summaries, each with what is said of it."""
    board.execute("SET dp_summaries = only")
    return [(rows(board, query), told(board)) for query in queries]


@pytest.mark.slow
def test_what_is_served_is_what_is_counted_today(board: dpduck.Connection, file: Path) -> None:
    found = both(board, SERVED)
    charged = spent(board)
    board.close()
    for query, (answer, said) in zip(SERVED, found, strict=True):
        assert answer == plain(file, query), query
        assert "This is from summary board" in said, query
    assert charged == 1


@pytest.mark.parametrize("query", NOT_SERVED)
def test_what_is_not_served_is_refused_with_a_reason(board: dpduck.Connection, query: str) -> None:
    board.execute("SET dp_summaries = only")
    error = refusal(board, query)
    assert error.message == "no summary answers this query"
    assert NOT_SERVED[query] in str(error)


def test_what_is_not_served_is_asked_of_the_table(board: dpduck.Connection) -> None:
    for query in list(NOT_SERVED)[:4]:
        before = spent(board)
        board.execute(query)
        assert spent(board) > before, query


def conditions(draw: random.Random) -> str:
    """A condition over columns of the summary, often one that it serves."""
    kinds = [
        lambda: f"age {draw.choice(['<', '>='])} {draw.choice([18, 30, 45, 65, 65, 20])}",
        lambda: f"region IN ({', '.join(repr(r) for r in draw.sample('nsew', draw.randint(1, 3)))})",
        lambda: draw.choice(["member", "NOT member"]),
        lambda: draw.choice(["grade IS NULL", "grade > 2", "grade <> 1", f"grade = {draw.randint(0, 4)}"]),
        lambda: f"month(joined) {draw.choice(['=', '<', '>='])} {draw.randint(1, 12)}",
    ]
    parts = [draw.choice(kinds)() for _ in range(draw.randint(0, 3))]
    if len(parts) > 1 and draw.random() < 0.3:
        return f" WHERE ({' OR '.join(parts[:2])})" + "".join(f" AND {part}" for part in parts[2:])
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def random_query(draw: random.Random) -> str:
    keys = ["region", "member", "grade", "month(joined) AS m", "age >= 45 AS late", "grade % 2 AS odd"]
    chosen = draw.sample(keys, draw.choice([0, 1, 1, 2]))
    group = f" GROUP BY ALL ORDER BY {', '.join(str(i + 1) for i in range(len(chosen)))}" if chosen else ""
    return f"SELECT {', '.join([*chosen, 'count(*) AS n'])} FROM people{conditions(draw)}{group}"


@pytest.mark.slow
def test_random_queries_are_the_same_or_refused(board: dpduck.Connection, file: Path) -> None:
    """1,000 queries with all noise at zero, at full depth; none is approximated."""
    draw = random.Random(7)
    queries = [random_query(draw) for _ in range(1000 if FULL else 150)]
    board.execute("SET dp_summaries = only")
    found: dict[str, list[tuple[object, ...]]] = {}
    for query in queries:
        try:
            found[query] = rows(board, query)
        except dpduck.DpduckError as error:
            assert error.charged == "0"
            assert error.message == "no summary answers this query" or "candidate" in error.message
    charged = spent(board)
    board.close()
    assert charged == 1
    assert len(found) > len(queries) / 3
    for query, answer in found.items():
        counted = {row[:-1]: row[-1] for row in plain(file, query)}
        assert {row[:-1]: row[-1] for row in answer if row[-1]} == {k: n for k, n in counted.items() if n}, (
            query
        )


def test_a_summary_answers_where_its_numbers_are_as_good(board: dpduck.Connection) -> None:
    """At epsilon 0.01 a fresh answer has much noise; at 10 it has less than the summary."""
    query = "SELECT region, count(*) AS n FROM people GROUP BY region"
    rows(board, query)
    assert "from summary board" in told(board)
    board.execute("SET dp_epsilon = 0.3")
    rows(board, query)
    assert "would give n to" in told(board)
    assert "from summary" not in told(board)
    board.execute("SET dp_epsilon = 4")
    rows(board, query)
    assert "summary" not in told(board)
    board.execute("SET dp_epsilon = 0.01")
    board.execute("SET dp_summaries = off")
    rows(board, query)
    assert "summary" not in told(board)


def test_each_question_of_a_session_is_on_record_once(board: dpduck.Connection) -> None:
    for query in (SERVED[0], SERVED[1], SERVED[0]):
        rows(board, query)
    entries = [entry for entry in ledger(board) if entry[2]]
    assert [(name, int(cost), text) for name, cost, _, text in entries] == [
        ("summary", 0, SERVED[0]),
        ("summary", 0, SERVED[1]),
    ]
    board._service.session.ledger.verify()


def test_a_kept_answer_of_the_same_question_comes_first(quiet: dpduck.Connection) -> None:
    query = "SELECT region, count(*) AS n FROM people GROUP BY region"
    rows(quiet, query)
    quiet.execute(BOARD)
    rows(quiet, query)
    assert "This is from the answer of" in told(quiet)
    rows(quiet, "SELECT member, count(*) AS n FROM people GROUP BY member")
    assert "from summary board" in told(quiet)


def test_explain_says_what_a_summary_would_answer(board: dpduck.Connection) -> None:
    said = str(board.explain("SELECT region, count(*) AS n FROM people GROUP BY region"))
    assert said.startswith("from summary board: ")
    assert "nothing: paid for on" in said
    assert "n is within" in said
    assert "fresh     n +-" in said
    refused = str(board.explain("SELECT count(*) FROM people WHERE age < 20"))
    assert "summary   board does not answer: it has bands or groups of age" in refused
    assert spent(board) == 1


def test_intervals_are_those_that_explain_predicts(board: dpduck.Connection) -> None:
    query = "SELECT region, count(*) AS n, dp_low(n), dp_high(n) FROM people GROUP BY region"
    error = board.explain(query).expected_error["n"]
    for _, n, low, high in rows(board, query):
        assert high - n == pytest.approx(n - low)
        assert error - 1 < high - n <= error


def test_rows_of_a_unit_are_never_people(quiet: dpduck.Connection) -> None:
    """Three pages of one visitor are three rows, and one visitor: what counts visitors is not served."""
    quiet.execute("CREATE PRIVACY SUMMARY v ON visits (page, month) CONTRIBUTION (rows = 5) EPSILON 1")
    quiet.execute("SET dp_summaries = only")
    assert "counts rows, and the query counts people" in str(
        refusal(quiet, "SELECT page, count(*) FROM visits GROUP BY page")
    )
    assert "counts people" in str(refusal(quiet, "SELECT count(DISTINCT uid) FROM visits"))


def test_rows_are_counted_where_the_table_says_so(quiet: dpduck.Connection, file: Path) -> None:
    quiet.execute("ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 5)")
    quiet.execute("CREATE PRIVACY SUMMARY v ON visits (page, month) CONTRIBUTION (rows = 5) EPSILON 1")
    quiet.execute("SET dp_summaries = only")
    query = "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY page"
    answer = rows(quiet, query)
    assert "It counts rows, at most 5 rows of each unit" in told(quiet)
    quiet.close()
    assert answer == plain(file, query)


def test_the_first_of_two_summaries_goes_on_to_answer_a_page(quiet: dpduck.Connection) -> None:
    """So that totals of two charts agree."""
    for name in ("one", "two"):
        quiet.execute(f"CREATE PRIVACY SUMMARY {name} ON people (region, member) EPSILON 1")
    rows(quiet, "SELECT region, count(*) FROM people GROUP BY region")
    assert "summary one" in told(quiet)
    quiet.execute("CREATE OR REPLACE PRIVACY SUMMARY two ON people (region, member) EPSILON 5")
    rows(quiet, "SELECT member, count(*) FROM people GROUP BY member")
    assert "summary one" in told(quiet)


def test_a_summary_of_a_view_is_of_its_rows_alone(quiet: dpduck.Connection, file: Path) -> None:
    quiet.execute("SET dp_summaries = only")
    quiet.close()
    with duckdb.connect(str(file)) as con:
        con.execute("CREATE VIEW grown AS SELECT * FROM people WHERE hidden = 0")
    query = "SELECT region, count(*) FROM grown GROUP BY region ORDER BY region"
    with dpduck.connect(file) as db:
        db._service._entropy = Quiet(HALF)
        db.execute("CREATE PRIVACY SUMMARY some ON grown (region, member) EPSILON 1")
        db.execute("SET dp_summaries = only")
        found = rows(db, query)
        assert "a part of the rows" in str(refusal(db, query.replace("grown", "people")))
    assert found == plain(file, query)
    with duckdb.connect(str(file)) as con:
        con.execute("CREATE OR REPLACE VIEW grown AS SELECT * FROM people WHERE hidden = 1")
    with dpduck.connect(file) as db:
        db.execute("SET dp_summaries = only")
        assert "other values than when it was made" in str(refusal(db, query))


def test_each_block_of_a_query_is_served(board: dpduck.Connection, file: Path) -> None:
    queries = [
        "SELECT region, count(*) * 100 // (SELECT count(*) FROM people) AS share FROM people GROUP BY region "
        "ORDER BY region",
        "WITH a AS (SELECT region, count(*) n FROM people GROUP BY region), b AS (SELECT region, count(*) n "
        "FROM people WHERE member GROUP BY region) SELECT region, a.n, b.n FROM a JOIN b USING (region) "
        "ORDER BY region",
    ]
    found = both(board, queries)
    board.close()
    assert [answer for answer, _ in found] == [plain(file, query) for query in queries]


def test_the_error_of_the_largest_allows_for_their_choice(board: dpduck.Connection) -> None:
    """Of the largest of 12 noisy numbers the noise is larger than of one that is fixed beforehand.

    1.46 times as much of a normal number; of Laplace noise ln(240) / (1.96 sqrt 2) = 1.98, which is enough.
    """
    all_of_them = "SELECT month(joined) AS m, count(*) AS n FROM people GROUP BY m"
    one, other = (
        board.explain(q).expected_error["n"] for q in (all_of_them, f"{all_of_them} ORDER BY n DESC LIMIT 1")
    )
    assert 1.3 < other / one < 2


def test_a_name_that_with_gives_is_no_summary(board: dpduck.Connection) -> None:
    given = "WITH board AS (SELECT region FROM people)"
    error = refusal(board, f"{given} SELECT nothing, count(*) FROM board GROUP BY 1")
    assert "is a summary" not in str(error)
