"""Answers that are given again, end to end: which are, which are not, who pays, and what is said of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpduck
from dpduck.kernel.ledger import transactions
from tests.query.shop import statement

TABLES = """
CREATE TABLE members (id INTEGER PRIMARY KEY, town VARCHAR, age INTEGER, income DECIMAL(9,2));
INSERT INTO members SELECT i, ['north', 'south', 'it''s'][1 + i % 3], i % 90, i % 500 FROM range(900) t(i);
CREATE TABLE visits (uid INTEGER, page VARCHAR, item INTEGER, day DATE);
INSERT INTO visits SELECT i % 500, ['home', 'cart', 'help'][1 + i % 3], i % 100,
    DATE '2024-01-01' + (i % 60)::INTEGER FROM range(3000) t(i);
CREATE TABLE notes (text VARCHAR);
CREATE VIEW adults AS SELECT * FROM members WHERE age >= 18;
"""
POLICIES = (
    "ALTER TABLE members ADD PRIVACY_KEY (id)",
    "ALTER TABLE members ALTER COLUMN town SET PRIVACY DOMAIN IN ('north', 'south', 'it''s')",
    "ALTER TABLE members ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99)",
    "ALTER TABLE members ALTER COLUMN income SET PRIVACY DOMAIN BETWEEN (0, 500)",
    "ALTER TABLE visits ADD PRIVACY_LINK (uid) REFERENCES members(id)",
    "ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'cart', 'help')",
    "ALTER TABLE visits ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, 99)",
)
DECLARED = (
    "ALTER TABLE members SET PRIVACY VERSION 'one'",
    "ALTER TABLE visits SET PRIVACY VERSION 'one'",
)
COUNT = "SELECT count(*) FROM members"
OLDER = "SELECT count(*) FROM members WHERE age > 50 AND town = 'north'"
TOWNS = "SELECT town, count(*) AS n, sum(income) AS s, avg(age) AS a FROM members GROUP BY town ORDER BY town"
ITEMS = "SELECT item, count(*) AS n FROM visits GROUP BY item ORDER BY n DESC LIMIT 10"


def make(path: Path, *statements: str) -> Path:
    """A database file, and what its owner says of it."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(TABLES)
    with dpduck.connect(path) as owner:
        for statement in (*POLICIES, *statements):
            owner.execute(statement)
    return path


def make_declared(path: Path) -> Path:
    return make(path, *DECLARED)


@pytest.fixture
def file(copied: Callable[..., Path]) -> Path:
    return copied(make, "club.duckdb")


@pytest.fixture
def declared(copied: Callable[..., Path]) -> Path:
    return copied(make_declared, "club.duckdb")


@pytest.fixture
def db(file: Path) -> Iterator[dpduck.Connection]:
    with dpduck.connect(file, epsilon="0.1") as connection:
        yield connection


def asked(db: dpduck.Connection, sql: str, params: Any = None) -> tuple[list[Any], str]:
    """The rows of a query, and what it was charged."""
    return db.execute(sql, params).fetchall(), db.charged


def charges(file: Path, *queries: str, analyst: str | None = None, epsilon: str = "0.1") -> list[str]:
    """What each query is charged in a session of its own."""
    with dpduck.connect(file, analyst=analyst, epsilon=epsilon) as session:
        return [asked(session, query)[1] for query in queries]


def spent(file: Path, scope: str, name: str) -> Decimal:
    """What an account has spent, by the owner's view."""
    with dpduck.connect(file) as owner:
        rows = owner.budget().to_pylist()
    return sum((r["epsilon_spent"] for r in rows if (r["scope"], r["name"]) == (scope, name)), Decimal(0))


class TestTheSameQuestion:
    @pytest.mark.parametrize(
        ("first", "again"),
        [
            (COUNT, COUNT),
            (COUNT, "select  COUNT( * )\n from MEMBERS -- again"),
            (COUNT, "SELECT count(1) AS many FROM main.members AS m"),
            (COUNT, "SELECT count(*) FROM (SELECT id FROM members)"),
            (COUNT, "WITH all_of_them AS (SELECT * FROM members) SELECT count(*) FROM all_of_them"),
            (OLDER, "SELECT count(*) FROM members WHERE town = 'north' AND age > 50"),
            (OLDER, "SELECT count(*) FROM members WHERE age > 50.0 AND ((town) = 'north')"),
            (OLDER, "SELECT count(*) FROM members WHERE 50 < Age AND 'north' = TOWN AND age > 50"),
            (OLDER, "SELECT count(*) FROM (SELECT * FROM members WHERE age > 50) WHERE town = 'north'"),
            (TOWNS, TOWNS.replace("town,", "members.town AS place,").replace("ORDER BY town", "ORDER BY 1")),
            (ITEMS, ITEMS.replace("ORDER BY n", "ORDER BY count(*)")),
            ("SELECT median(age) FROM members", "SELECT quantile_cont(age, 0.5) FROM members"),
            (
                "SELECT count(*) FROM members WHERE age > 17.5",
                "SELECT count(*) FROM members WHERE age > 17",
            ),
        ],
    )
    def test_costs_once(self, db: dpduck.Connection, first: str, again: str) -> None:
        rows, charged = asked(db, first)
        assert charged == "0.1"
        assert asked(db, again) == (rows, "0")

    def test_in_other_sessions_of_anybody(self, file: Path) -> None:
        with dpduck.connect(file, analyst="ana", epsilon="0.1") as ana:
            rows, _ = asked(ana, TOWNS)
        for analyst in ("ana", "bob", None):
            with dpduck.connect(file, analyst=analyst, epsilon="0.1") as other:
                assert asked(other, TOWNS) == (rows, "0")
        assert spent(file, "people", "members.id") == Decimal("0.1")
        assert spent(file, "analyst", "bob") == 0

    @pytest.mark.parametrize("again", [COUNT, OLDER, f"{COUNT} UNION ALL {OLDER}"])
    def test_however_many_answers_came_since(
        self, file: Path, again: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(transactions, "_KEPT", transactions._KEPT.replace("LIMIT 200", "LIMIT 3"))
        monkeypatch.setattr(sys.modules["dpduck.answers.replay.find"], "MAX_ANSWERS", 3)
        others = [f"{COUNT} WHERE age <> {age}" for age in range(20, 26)]
        if "UNION" in again:
            others = [f"{other} UNION ALL {COUNT}" for other in others]
        with dpduck.connect(file, epsilon="0.1") as db:
            rows, _ = asked(db, again)
        assert "0" not in charges(file, *others)
        for analyst in (None, "ana"):
            with dpduck.connect(file, analyst=analyst, epsilon="0.1") as db:
                assert asked(db, again) == (rows, "0")
                assert asked(db, again) == (rows, "0")

    @pytest.mark.parametrize("weaker_last", [True, False])
    def test_whatever_weaker_answers_there_are(
        self, file: Path, *, weaker_last: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(transactions, "_KEPT", transactions._KEPT.replace("LIMIT 200", "LIMIT 3"))
        monkeypatch.setattr(sys.modules["dpduck.answers.replay.find"], "MAX_ANSWERS", 3)
        assert charges(file, COUNT, epsilon="0.5") == ["0.5"]
        others = [f"{COUNT} WHERE age <> {age}" for age in range(20, 26)]
        if weaker_last:
            charges(file, *others)
        with dpduck.connect(file, epsilon="0.1") as db:
            db.execute("SET dp_replay = off")
            assert asked(db, COUNT)[1] == "0.1"
        if not weaker_last:
            charges(file, *others)
        assert charges(file, COUNT, epsilon="0.5") == ["0"]

    def test_by_parameters_or_literals(self, db: dpduck.Connection) -> None:
        rows, _ = asked(db, OLDER)
        text = "SELECT count(*) FROM members WHERE age > ? AND town = ?"
        assert asked(db, text, [50, "north"]) == (rows, "0")
        assert asked(db, text, [51, "north"])[1] == "0.1"
        assert asked(db, text, [50, "south"])[1] == "0.1"

    def test_for_less_epsilon_but_not_for_more(self, db: dpduck.Connection) -> None:
        rows, _ = asked(db, TOWNS)
        db.execute("SET dp_epsilon = 0.05")
        assert asked(db, TOWNS) == (rows, "0")
        db.execute("SET dp_epsilon = 0.2")
        better, charged = asked(db, TOWNS)
        assert (charged, better == rows) == ("0.2", False)
        db.execute("SET dp_epsilon = 0.1")
        assert asked(db, TOWNS) == (better, "0")

    def test_as_it_is_even_if_a_newer_answer_holds_it_too(self, db: dpduck.Connection) -> None:
        rows, _ = asked(db, "SELECT town, count(*) FROM members GROUP BY town ORDER BY town")
        assert asked(db, TOWNS)[1] == "0.1"
        assert asked(db, "SELECT town, count(*) FROM members GROUP BY town ORDER BY town") == (rows, "0")

    def test_not_for_a_larger_delta(self, file: Path) -> None:
        options = "WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = {})"
        words = f"SELECT {options} substr(town, 1, 1), count(*) FROM members GROUP BY 1"
        with dpduck.connect(file, epsilon="0.1") as owner:
            owner.execute("ALTER TABLE members ALTER COLUMN town DROP PRIVACY DOMAIN")
            assert asked(owner, words.format("1e-8"))[1] == "0.1"
            assert asked(owner, words.format("1e-6"))[1] == "0.1"
            assert asked(owner, words.format("1e-7"))[1] == "0"

    def test_not_if_replay_is_off(self, db: dpduck.Connection) -> None:
        asked(db, TOWNS)
        db.execute("SET dp_replay = off")
        newest, charged = asked(db, TOWNS)
        assert charged == "0.1"
        db.execute("SET dp_replay = on")
        assert asked(db, TOWNS) == (newest, "0")


class TestWhatFollows:
    def test_fewer_columns_fewer_groups_a_coarser_threshold(self, db: dpduck.Connection) -> None:
        rows, _ = asked(db, TOWNS)
        assert asked(db, "SELECT town, sum(income) FROM members GROUP BY 1 ORDER BY 1") == (
            [(t, s) for t, _, s, _ in rows],
            "0",
        )
        north = "SELECT count(*), avg(age) FROM members WHERE town = 'north'"
        assert asked(db, north) == ([(n, a) for t, n, _, a in rows if t == "north"], "0")
        limit = sorted(n for _, n, _, _ in rows)[1]
        above = f"SELECT town FROM members GROUP BY town HAVING count(*) >= {limit} ORDER BY town"
        assert asked(db, above) == ([(t,) for t, n, _, _ in rows if n >= limit], "0")
        largest = "SELECT town FROM members GROUP BY town ORDER BY count(*) DESC LIMIT 1"
        assert asked(db, largest) == ([(max(rows, key=lambda row: row[1])[0],)], "0")

    def test_sums_over_groups_say_what_is_in_them(self, db: dpduck.Connection) -> None:
        rows, _ = asked(db, TOWNS)
        total, charged = asked(db, "SELECT count(*), sum(income) FROM members")
        assert charged == "0"
        assert total == [(sum(n for _, n, _, _ in rows), sum(s for _, _, s, _ in rows))]
        said = "Rows whose town is not among its public values are not in it"
        assert any(said in notice for notice in db.notices)
        ends = "SELECT count(*) AS n, dp_low(n), dp_high(n) FROM members"
        assert asked(db, ends) == ([(total[0][0], None, None)], "0")
        asked(db, "SELECT count(*) FROM members WHERE town IN ('north', 'it''s')")
        assert not any(said in notice for notice in db.notices)

    def test_fewer_of_the_largest(self, db: dpduck.Connection) -> None:
        rows, _ = asked(db, ITEMS)
        assert asked(db, ITEMS.replace("10", "5")) == (rows[:5], "0")
        assert asked(db, ITEMS.replace("10", "11"))[1] == "0.1"

    def test_one_of_a_list_of_quantiles(self, db: dpduck.Connection) -> None:
        [(quartiles,)], _ = asked(db, "SELECT quantile_cont(age, [0.25, 0.5, 0.75]) FROM members")
        assert asked(db, "SELECT quantile_cont(age, 0.75) FROM members") == ([(quartiles[2],)], "0")
        assert asked(db, "SELECT quantile_cont(age, 0.9) FROM members")[1] == "0.1"

    def test_one_of_a_list_of_quantiles_is_noisier_and_says_so(self, db: dpduck.Connection) -> None:
        """Of three each has a half of epsilon: there are two levels."""
        asked(db, "SELECT quantile_cont(age, [0.25, 0.5, 0.75]) FROM members")
        said = "Its numbers are up to 2.0 times as noisy as fresh ones: q is."
        assert said in str(db.explain("SELECT quantile_cont(age, 0.75) AS q FROM members"))
        assert asked(db, "SELECT quantile_cont(age, 0.75) AS q FROM members")[1] == "0"
        assert any(said in notice for notice in db.notices)
        assert asked(db, "SELECT quantile_cont(age, [0.25, 0.5, 0.75]) FROM members")[1] == "0"
        assert not any("as noisy" in notice for notice in db.notices)

    def test_what_is_said_of_ranks_is_said_of_the_earlier_noise(self, db: dpduck.Connection) -> None:
        def rank() -> str:
            [said] = [one for one in db.notices if "in rank" in one]
            return said

        half = "SELECT median(age), count(*) FROM members"
        asked(db, half)
        first = rank()
        assert asked(db, "SELECT median(age) FROM members")[1] == "0"
        assert rank() == first
        db.execute("SET dp_replay = off")
        asked(db, "SELECT median(age) FROM members")
        assert rank() != first

    def test_another_bound_on_groups_is_another_answer(self, db: dpduck.Connection) -> None:
        query = "SELECT page, count(*) AS n, avg(item) AS m FROM visits GROUP BY page"
        assert asked(db, query)[1] == "0.1"
        db.execute("SET dp_max_groups_contributed = 2")
        assert asked(db, query)[1] == "0.1"
        assert any("in at most 2 groups" in one for one in db.notices)
        assert asked(db, query)[1] == "0"
        db.execute("RESET dp_max_groups_contributed")
        assert asked(db, query)[1] == "0"

    def test_no_quantile_that_had_a_small_part_of_epsilon(self, db: dpduck.Connection) -> None:
        asked(db, "SELECT median(age, epsilon => 0.001), count(*) FROM members")
        assert asked(db, "SELECT median(age) FROM members")[1] == "0.1"

    def test_the_first_that_reach_a_threshold(self, db: dpduck.Connection) -> None:
        above = "SELECT item FROM visits GROUP BY item HAVING count(*) >= {} LIMIT {}"
        rows, _ = asked(db, above.format(20, 4))
        assert asked(db, above.format(20, 2)) == (rows[:2], "0")
        assert asked(db, above.format(20, 5))[1] not in ("0", None)
        assert asked(db, above.format(21, 2))[1] not in ("0", None)

    @pytest.mark.parametrize(
        "other",
        [
            "SELECT town, count(*) FROM members WHERE age > 17 GROUP BY town",
            "SELECT town, count(*) FILTER (WHERE age > 17) FROM members GROUP BY town",
            "SELECT town, count(age) FROM members GROUP BY town",
            "SELECT town, sum(income, contribution_bounds_per_row => (0, 9)) FROM members GROUP BY town",
            "SELECT town, sum(age) FROM members GROUP BY town",
            "SELECT upper(town), count(*) FROM members GROUP BY 1",
            "SELECT avg(age) FROM members",
            "SELECT count(*) FROM members WHERE town = 'north' OR age > 80",
            "SELECT count(*) FROM adults",
            "SELECT town, count(*) FROM members JOIN visits ON id = uid GROUP BY town",
            "SELECT page, count(*) FROM visits GROUP BY page",
        ],
    )
    def test_nothing_else(self, db: dpduck.Connection, other: str) -> None:
        asked(db, TOWNS)
        assert asked(db, other)[1] == "0.1"

    def test_no_total_of_groups_that_share_people(self, db: dpduck.Connection) -> None:
        rows, _ = asked(db, "SELECT page, count(*) FROM visits GROUP BY page")
        assert asked(db, "SELECT count(*) FROM visits WHERE page = 'cart'") == (
            [(n,) for page, n in rows if page == "cart"],
            "0",
        )
        assert asked(db, "SELECT count(*) FROM visits WHERE page IN ('cart', 'home')")[1] == "0.1"
        assert asked(db, "SELECT count(*) FROM visits")[1] == "0.1"

    def test_no_part_of_groups_that_were_bounded(self, db: dpduck.Connection) -> None:
        db.execute("SET dp_max_groups_contributed = 2")
        rows, _ = asked(db, "SELECT page, count(*) FROM visits GROUP BY page")
        assert asked(db, "SELECT page, count(*) AS n FROM visits GROUP BY page") == (rows, "0")
        assert asked(db, "SELECT count(*) FROM visits WHERE page = 'cart'")[1] == "0.1"
        db.execute("SET dp_max_groups_contributed = 1")
        assert asked(db, "SELECT page, count(*) FROM visits GROUP BY page")[1] == "0.1"


class TestVersions:
    def test_a_write_to_the_file_ends_it(self, file: Path) -> None:
        assert charges(file, COUNT, COUNT) == ["0.1", "0"]
        assert charges(file, COUNT) == ["0"]
        with duckdb.connect(str(file)) as writer:
            writer.execute("INSERT INTO notes VALUES ('x')")
        assert charges(file, COUNT, COUNT) == ["0.1", "0"]

    def test_looking_does_not(self, file: Path) -> None:
        assert charges(file, COUNT) == ["0.1"]
        with duckdb.connect(str(file)) as reader:
            reader.execute("SELECT count(*) FROM members").fetchall()
        assert charges(file, "SHOW PRIVACY", COUNT, analyst="ana") == ["0", "0"]
        assert charges(file, COUNT) == ["0"]

    def test_a_write_beside_an_open_session_ends_it(self, file: Path) -> None:
        with duckdb.connect(str(file)) as data, dpduck.connect(data, epsilon="0.1") as db:
            assert [asked(db, COUNT)[1] for _ in range(2)] == ["0.1", "0"]
            data.execute("DELETE FROM members WHERE id < 100")
            assert [asked(db, COUNT)[1] for _ in range(2)] == ["0.1", "0"]

    def test_a_declared_version_holds_until_another(self, declared: Path) -> None:
        assert charges(declared, COUNT) == ["0.1"]
        with duckdb.connect(str(declared)) as writer:
            writer.execute("INSERT INTO notes VALUES ('x')")
        assert charges(declared, COUNT) == ["0"]
        with dpduck.connect(declared) as owner:
            owner.execute("ALTER TABLE visits SET PRIVACY VERSION 'two'")
        assert charges(declared, COUNT) == ["0"]
        with dpduck.connect(declared) as owner:
            owner.execute("ALTER TABLE members SET PRIVACY VERSION 'two'")
        assert charges(declared, COUNT) == ["0.1"]
        assert charges(declared, COUNT) == ["0"]

    @pytest.mark.parametrize("scan", ["FROM '{}/*.parquet'", "SELECT id FROM read_parquet('{}/ids.parquet')"])
    def test_a_view_of_files_is_as_new_as_they_are(self, file: Path, scan: str) -> None:
        def write(rows: int) -> None:
            duckdb.connect().execute(f"COPY (FROM range({rows}) t(id)) TO '{file.parent}/ids.parquet'")

        with duckdb.connect(str(file)) as data, dpduck.connect(data, epsilon="0.1") as db:
            write(100)
            data.execute(f"CREATE VIEW guests AS {scan.format(file.parent)}")
            db.execute("ALTER TABLE guests ADD PRIVACY_KEY (id)")
            assert [asked(db, "SELECT count(*) FROM guests")[1] for _ in range(2)] == ["0.1", "0"]
            write(200)
            assert [asked(db, "SELECT count(*) FROM guests")[1] for _ in range(2)] == ["0.1", "0"]

    def test_a_path_that_was_relative_stays_where_it_was(
        self, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        monkeypatch.chdir(file.parent)
        with duckdb.connect(file.name) as data, dpduck.connect(data, epsilon="0.1") as db:
            monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
            assert asked(db, COUNT)[1] == "0.1"
            data.execute("DELETE FROM members WHERE id < 100")
            assert asked(db, COUNT)[1] == "0.1"


class TestPolicies:
    """At a declared version, so that only the policy changes."""

    @pytest.mark.parametrize(
        "change",
        [
            "ALTER TABLE members ALTER COLUMN town SET PRIVACY DOMAIN IN ('north', 'south')",
            "ALTER TABLE members ALTER COLUMN town SET PRIVACY DOMAIN IN ('south', 'north', 'it''s')",
            "ALTER TABLE members ALTER COLUMN income SET PRIVACY DOMAIN BETWEEN (0, 499)",
            "ALTER TABLE members SET PRIVACY CONTRIBUTION (rows = 2)",
        ],
    )
    def test_another_policy_asks_another_question(self, declared: Path, change: str) -> None:
        towns = "SELECT town, sum(income) FROM members GROUP BY town"
        assert charges(declared, towns, change, towns) == ["0.1", "0", "0.1"]

    def test_a_policy_that_is_not_used_does_not(self, declared: Path) -> None:
        change = "ALTER TABLE members ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 50)"
        budget = "CREATE PRIVACY BUDGET life LIMIT 5"
        assert charges(declared, COUNT, change, budget, COUNT) == ["0.1", "0", "0", "0"]

    def test_other_owners_of_the_rows(self, declared: Path) -> None:
        pages = "SELECT page, count(*) FROM visits GROUP BY page"
        assert charges(declared, pages) == ["0.1"]
        drop = "ALTER TABLE visits DROP PRIVACY_LINK FORCE"
        own = "ALTER TABLE visits ADD PRIVACY_KEY (uid) FORCE"
        again = "ALTER TABLE visits SET PRIVACY VERSION 'one'"
        assert charges(declared, drop, own, again, pages) == ["0", "0", "0", "0.1"]

    def test_a_view_is_what_it_is_defined_as(self, tmp_path: Path) -> None:
        with duckdb.connect() as data, dpduck.connect(data, epsilon="0.1") as db:
            data.execute(f"COPY (FROM range(100) t(id)) TO '{tmp_path / 'ids.parquet'}'")
            view = f"CREATE OR REPLACE VIEW guests AS FROM '{tmp_path / 'ids.parquet'}' WHERE id < "
            data.execute(f"{view} 50")
            db.execute("ALTER TABLE guests ADD PRIVACY_KEY (id)")
            db.execute("ALTER TABLE guests SET PRIVACY VERSION 'one'")
            assert [asked(db, "SELECT count(*) FROM guests")[1] for _ in range(2)] == ["0.1", "0"]
            data.execute(f"{view} 60")
            assert asked(db, "SELECT count(*) FROM guests")[1] == "0.1"


class TestNamedBudgets:
    def test_an_analyst_without_one_gets_it_free(self, file: Path) -> None:
        charges(file, "CREATE PRIVACY BUDGET own LIMIT 1 FOR ana")
        assert charges(file, COUNT, analyst="ana") == ["0.1"]
        assert charges(file, COUNT, analyst="bob") == ["0"]
        assert spent(file, "budget", "own") == Decimal("0.1")

    def test_a_budget_for_an_analyst_pays_once(self, file: Path) -> None:
        charges(file, "CREATE PRIVACY BUDGET his LIMIT 1 FOR bob")
        assert charges(file, COUNT, analyst="ana") == ["0.1"]
        assert charges(file, COUNT, COUNT, analyst="bob") == ["0.1", "0"]
        assert charges(file, COUNT, analyst="bob") == ["0"]
        assert spent(file, "budget", "his") == spent(file, "analyst", "bob") == Decimal("0.1")
        assert spent(file, "people", "members.id") == Decimal("0.1")

    @pytest.mark.parametrize("terms", ["LIMIT 0.05 FOR bob", "LIMIT 1 PER QUERY 0.05 FOR bob"])
    def test_a_budget_for_an_analyst_refuses(self, file: Path, terms: str) -> None:
        charges(file, f"CREATE PRIVACY BUDGET his {terms}")
        assert charges(file, COUNT, analyst="ana") == ["0.1"]
        with pytest.raises(dpduck.BudgetExceededError, match=r"query needs epsilon 0\.1"):
            charges(file, COUNT, analyst="bob")
        assert spent(file, "budget", "his") == 0

    def test_a_budget_for_an_analyst_pays_what_was_released_but_never_more_than_was_asked(
        self, file: Path
    ) -> None:
        charges(file, "CREATE PRIVACY BUDGET his LIMIT 1 FOR bob")
        assert charges(file, COUNT, analyst="ana", epsilon="0.5") == ["0.5"]
        assert charges(file, COUNT, analyst="bob", epsilon="0.1") == ["0.1"]  # a fresh answer of his own
        assert (spent(file, "budget", "his"), spent(file, "analyst", "bob")) == (
            Decimal("0.1"),
            Decimal("0.1"),
        )
        assert charges(file, COUNT, analyst="bob", epsilon="0.5") == ["0.5"]  # hers, of which he knew nothing
        assert spent(file, "budget", "his") == Decimal("0.6")


class TestTheRecord:
    def test_a_row_for_each_session_and_answer(self, file: Path) -> None:
        with dpduck.connect(file, analyst="ana", epsilon="0.1") as ana:
            for query in (COUNT, COUNT, TOWNS, COUNT):
                ana.execute(query)
        assert charges(file, COUNT, COUNT, analyst="bob") == ["0", "0"]
        with dpduck.connect(file) as owner:
            rows = [
                (r["analyst"], r["epsilon"], r["replayed"], r["query"]) for r in owner.ledger().to_pylist()
            ]
        assert rows == [
            ("ana", Decimal("0.1"), False, COUNT),
            ("ana", Decimal(0), True, COUNT),
            ("ana", Decimal("0.1"), False, TOWNS),
            ("bob", Decimal(0), True, COUNT),
        ]

    def test_a_notice_says_when(self, db: dpduck.Connection) -> None:
        db.execute(COUNT)
        assert db.notices == []
        db.execute(COUNT)
        (made,) = (row["at"] for row in db.ledger().to_pylist() if not row["replayed"])
        assert db.notices == [
            f"This is from the answer of {made:%Y-%m-%d %H:%M:%S} UTC; nothing was charged. "
            "SET dp_replay = off asks for a new one."
        ]

    def test_a_notice_says_what_a_named_budget_paid(self, file: Path) -> None:
        charges(file, "CREATE PRIVACY BUDGET his LIMIT 1 FOR bob", COUNT)
        with dpduck.connect(file, analyst="bob", epsilon="0.1") as bob:
            bob.execute(COUNT)
            assert "; epsilon 0.1 was charged. " in bob.notices[-1]

    def test_explain_says_so_and_charges_nothing(self, file: Path) -> None:
        with dpduck.connect(file, epsilon="0.1", budget="0.25") as db:
            first = db.explain(COUNT)
            assert (first.replayed, first.queries_left) == (None, 2)
            db.execute(COUNT)
            second = db.explain(COUNT)
            assert second.replayed is not None
            assert second.queries_left == 1
            assert "which is paid for" in str(second)
            db.execute("SET dp_replay = off")
            assert db.explain(COUNT).replayed is None
            assert len(db.ledger()) == 1

    def test_explain_says_in_what_the_answer_differs_from_a_fresh_one(self, db: dpduck.Connection) -> None:
        db.execute(TOWNS)
        total = "SELECT count(*), sum(income) FROM members"
        said = "Rows whose town is not among its public values are not in it"
        assert said in str(db.explain(total))
        assert any(said in line for (line,) in db.execute(f"EXPLAIN {total}").fetchall())
        assert said not in str(db.explain(TOWNS))
        db.execute("SET dp_replay = off")
        assert said not in str(db.explain(total))

    def test_explain_is_never_taken_for_the_query(self, db: dpduck.Connection) -> None:
        db.explain(COUNT)
        assert asked(db, f"EXPLAIN {COUNT}") == asked(db, f"EXPLAIN {COUNT}")
        db.explain(f"EXPLAIN {COUNT}")
        assert len(asked(db, f"EXPLAIN {COUNT}")[0]) > 1
        assert len(db.ledger()) == 0

    def test_an_exhausted_session_still_sees_what_is_paid_for(self, file: Path) -> None:
        with dpduck.connect(file, epsilon="0.1", budget="0.1") as db:
            rows, _ = asked(db, COUNT)
            assert asked(db, COUNT) == (rows, "0")
            with pytest.raises(dpduck.BudgetExceededError):
                db.execute(TOWNS)


class TestOtherWaysIn:
    def test_a_database_in_memory_replays_until_it_is_told_otherwise(self) -> None:
        with duckdb.connect() as data:
            data.execute(TABLES)
            with dpduck.connect(data, epsilon="0.1") as db:
                for policy in POLICIES:
                    db.execute(policy)
                rows, _ = asked(db, COUNT)
                data.execute("DELETE FROM members WHERE id < 100")
                assert asked(db, COUNT) == (rows, "0")
                db.execute("ALTER TABLE members SET PRIVACY VERSION 'after'")
                assert asked(db, COUNT)[1] == "0.1"
            with dpduck.connect(data, epsilon="0.1", analyst="ana") as ana:
                assert asked(ana, COUNT)[1] == "0"

    def test_two_databases_in_memory_are_two(self, tmp_path: Path) -> None:
        charged = []
        for _ in range(2):
            with duckdb.connect() as data:
                data.execute(TABLES)
                with dpduck.connect(data, epsilon="0.1", ledger=tmp_path / "shared.ledger") as db:
                    for policy in POLICIES:
                        db.execute(policy)
                    charged.append(asked(db, COUNT)[1])
        assert charged == ["0.1", "0.1"]

    def test_from_dp_in_a_registered_connection(self, file: Path) -> None:
        with duckdb.connect(str(file)) as con:
            dpduck.register(con, epsilon="0.1")
            ask = f"FROM dp('{COUNT}')"
            rows = con.execute(ask).fetchall()
            assert con.execute(ask).fetchall() == rows
            assert con.execute("SELECT epsilon, replayed FROM dp_ledger() ORDER BY seq").fetchall() == [
                (Decimal("0.1"), False),
                (Decimal(0), True),
            ]
            con.execute("FROM dp('SET dp_replay = off')").fetchall()
            con.execute(ask).fetchall()
            assert con.execute("SELECT count(*) FROM dp_ledger() WHERE NOT replayed").fetchall() == [(2,)]

    def test_a_file_of_rows_that_is_written_anew(self, tmp_path: Path) -> None:
        path = tmp_path / "members.csv"
        path.write_text("id,age\n1,20\n2,30\n")
        policies = [statement("ALTER TABLE members ADD PRIVACY_KEY (id)")]
        with dpduck.connect(path, epsilon="0.1", policies=policies) as db:
            assert [asked(db, COUNT)[1] for _ in range(2)] == ["0.1", "0"]
        path.write_text("id,age\n1,20\n2,30\n3,40\n")
        with dpduck.connect(path, epsilon="0.1", policies=policies) as db:
            assert [asked(db, COUNT)[1] for _ in range(2)] == ["0.1", "0"]


class TestWhatIsWorthIt:
    def test_what_would_be_far_noisier_is_asked_anew(self, tmp_path: Path) -> None:
        """A count over 2,000 groups has 45 times the noise of a count."""
        path = tmp_path / "club.duckdb"
        with duckdb.connect(str(path)) as connection:
            connection.execute(
                "CREATE TABLE people AS SELECT i AS id, i % 2000 AS place FROM range(9000) t(i)"
            )
            connection.execute("ALTER TABLE people ADD PRIMARY KEY (id)")
        charges(path, "ALTER TABLE people ADD PRIVACY_KEY (id)")
        charges(path, "ALTER TABLE people ALTER COLUMN place SET PRIVACY DOMAIN BETWEEN (0, 1999)")
        groups = "SELECT place, count(*) FROM people GROUP BY place"
        assert charges(path, groups, "SELECT count(*) FROM people") == ["0.1", "0.1"]
        assert charges(path, f"{groups} ORDER BY 2 DESC LIMIT 3", "SELECT count(*) FROM people") == ["0", "0"]

    def test_a_notice_says_how_much_noisier(self, db: dpduck.Connection) -> None:
        [fresh] = db.explain("SELECT count(*) FROM members").expected_error.values()
        asked(db, "SELECT town, count(*) FROM members GROUP BY town")
        assert asked(db, "SELECT count(*) FROM members")[1] == "0"
        [again] = db.explain("SELECT count(*) FROM members").expected_error.values()
        assert again == pytest.approx(1.8 * fresh, rel=0.05)
        said = "Its numbers are up to 1.8 times as noisy as fresh ones: the noise of count(*) is within "
        [notice] = [one for one in db.notices if said in one]
        widths = notice.partition(said)[2].partition(". ")[0].split(" with probability 95 %, not ")
        assert float(widths[0]) / float(widths[1]) == pytest.approx(1.8, abs=0.05)
        assert float(widths[1]) == pytest.approx(fresh, abs=1)
        assert said in str(db.explain("SELECT count(*) FROM members"))

    @pytest.mark.parametrize(
        ("beside", "alone"),
        [
            ("avg(age) AS m, count(*), sum(age)", "avg(age) AS m"),
            ("stddev(age) AS m, count(*), sum(age)", "stddev(age) AS m"),
            ("median(age) AS m, count(*), sum(age)", "median(age) AS m"),
            ("quantile_cont(age, [0.25, 0.5, 0.75]) AS q", "median(age) AS m"),
        ],
    )
    def test_what_has_no_interval_of_fixed_width_is_said_to_be_noisier_too(
        self, db: dpduck.Connection, beside: str, alone: str
    ) -> None:
        """It had a part of epsilon, beside other numbers."""
        asked(db, f"SELECT town, {beside} FROM members GROUP BY town")
        query = f"SELECT {alone} FROM members WHERE town = 'north'"
        assert asked(db, query)[1] == "0"
        said = [one for one in db.notices if "times as noisy as fresh ones: m is." in one]
        assert len(said) == 1
        times = float(said[0].partition("up to ")[2].partition(" ")[0])
        assert 1.5 <= times < 5
        assert "times as noisy as fresh ones: m is." in str(db.explain(query))

    def test_an_average_that_had_all_of_epsilon_is_as_good_as_fresh(self, db: dpduck.Connection) -> None:
        asked(db, "SELECT town, avg(age) AS m FROM members GROUP BY town")
        assert asked(db, "SELECT avg(age) AS m FROM members WHERE town = 'north'")[1] == "0"
        assert not [one for one in db.notices if "as noisy" in one]

    def test_public_rows_that_are_joined_have_no_versions_of_their_own(self, declared: Path) -> None:
        with duckdb.connect(str(declared)) as connection:
            connection.execute("CREATE TABLE towns AS SELECT 'north' AS name, 'cold' AS air")
            connection.execute("ALTER TABLE towns ADD PRIMARY KEY (name)")
        joined = "SELECT count(*) FROM members JOIN towns ON town = name WHERE air = 'cold'"
        assert charges(declared, "ALTER TABLE towns SET PUBLIC", joined, COUNT)[1:] == ["0.1", "0.1"]
        assert charges(declared, joined, COUNT) == ["0", "0"]
        with duckdb.connect(str(declared)) as connection:
            connection.execute("UPDATE towns SET air = 'warm'")
        assert charges(declared, joined, COUNT) == ["0.1", "0"]
