"""Protected SQL through dpduck.connect and FROM dp('...'): answers, charges, order of events, leaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

import dpduck
from dpduck.engines.duckdb.engine import DuckEngine, DuckReader
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    DomainRange,
    DomainValues,
    SetPrivacyDomain,
    TableName,
)
from dpduck.kernel.errors import ExecutionError
from dpduck.kernel.release import measures
from dpduck.kernel.release.candidates import ListedGroups
from tests.sources import HALF, Quiet

SHOP = """
CREATE TABLE visits (uid BIGINT, page VARCHAR, age INTEGER, day DATE, amount DECIMAL(9,2), ok BOOLEAN,
                     grade ENUM('low', 'mid', 'high'), speed DOUBLE, secret VARCHAR);
INSERT INTO visits SELECT i % 1000,
    CASE WHEN i % 10 < 5 THEN 'home' WHEN i % 10 < 8 THEN 'cart' WHEN i % 10 = 8 THEN 'help' ELSE 'odd' END,
    i % 90, DATE '2024-01-01' + (i % 366)::INTEGER, (i % 500) / 4, i % 3 = 0,
    ['low', 'mid'][1 + i % 2], i / 7, 'planted-4711'
FROM range(5000) t(i);
CREATE TABLE people (id INTEGER PRIMARY KEY, town VARCHAR);
INSERT INTO people SELECT i, 'town ' || (i % 5) FROM range(3000) t(i);
CREATE TABLE closed (x INTEGER);
"""
POLICIES = [
    "ALTER TABLE visits ADD PRIVACY_KEY (uid)",
    "ALTER TABLE people ADD PRIVACY_KEY (id)",
    "ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'cart', 'help', 'never')",
    "ALTER TABLE visits ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120)",
    "ALTER TABLE visits ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-12-31')",
    "ALTER TABLE visits ALTER COLUMN amount SET PRIVACY DOMAIN BETWEEN (0, 200)",
    "ALTER TABLE visits ALTER COLUMN speed SET PRIVACY DOMAIN BETWEEN (0, 1000) STEP 1",
]


def make_shop(path: Path) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute(SHOP)
    with dpduck.connect(path) as db:
        for policy in POLICIES:
            db.execute(policy)


@pytest.fixture
def file(copied: Callable[..., Path]) -> Path:
    return copied(make_shop)


@pytest.fixture
def db(file: Path) -> Iterator[dpduck.Connection]:
    with dpduck.connect(file, epsilon="0.5") as connection:
        yield connection


def quiet(db: dpduck.Connection, start: int = HALF) -> dpduck.Connection:
    """The same connection without noise: discrete Laplace noise is 0 from HALF, exponential from 0."""
    db._service._entropy = Quiet(start)
    return db


def plain(file: Path, sql: str) -> list[Any]:
    with duckdb.connect(str(file), read_only=True) as con:
        return con.execute(sql).fetchall()


def spent(db: dpduck.Connection, scope: str = "session", name: str | None = None) -> Decimal:
    rows = [row for row in db.budget().to_pylist() if row["scope"] == scope and name in (None, row["name"])]
    return Decimal(rows[0]["epsilon_spent"])


# --- answers without noise equal plain SQL ----------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "truth"),
    [
        ("SELECT count(*) FROM visits", "SELECT count(DISTINCT uid) FROM visits"),
        (
            "SELECT count(*) AS n FROM visits WHERE age > 80 AND NOT ok",
            "SELECT count(DISTINCT uid) FROM visits WHERE age > 80 AND NOT ok",
        ),
        (
            "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC",
            "SELECT page, count(DISTINCT uid) FROM visits WHERE page <> 'odd' GROUP BY page "
            "UNION ALL SELECT 'never', 0 ORDER BY 2 DESC",
        ),
        (
            "SELECT count(*) AS n, grade FROM visits GROUP BY grade ORDER BY grade",
            "SELECT * FROM (VALUES (500, 'low'), (500, 'mid'), (0, 'high')) t ORDER BY 2",
        ),
        (
            "SELECT ok, count(*) FROM visits WHERE page LIKE 'h%' GROUP BY ok ORDER BY ok",
            "SELECT ok, count(DISTINCT uid) FROM visits WHERE page LIKE 'h%' GROUP BY ok ORDER BY ok",
        ),
    ],
)
def test_counts_without_noise_are_those_of_plain_sql(
    db: dpduck.Connection, file: Path, query: str, truth: str
) -> None:
    db.close()
    with dpduck.connect(file, epsilon=1) as fresh:
        rows = quiet(fresh).execute(query).fetchall()
    expected = plain(file, truth)
    assert sorted(map(str, rows)) == sorted(map(str, expected))


def test_top_k_without_noise_is_the_top_k(db: dpduck.Connection) -> None:
    rows = (
        quiet(db, 0)
        .execute("SELECT page FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 2")
        .fetchall()
    )
    top = (
        quiet(db, HALF)
        .execute("SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 2")
        .fetchall()
    )
    assert rows == [(page,) for page, _ in top]
    assert (
        db.execute("SELECT page, count(*) FROM visits GROUP BY 1 ORDER BY 2 DESC LIMIT 9").arrow().num_rows
        == 4
    )


@pytest.mark.parametrize(
    ("column", "low", "high"),
    [
        ("age", 40, 50),
        ("day", date(2024, 6, 20), date(2024, 7, 12)),
        ("amount", Decimal(50), Decimal(75)),
        ("speed", 330, 380),
    ],
)
def test_medians_are_close_and_typed(
    db: dpduck.Connection, file: Path, column: str, low: Any, high: Any
) -> None:
    value = db.execute(f"SELECT median({column}) FROM visits").fetchone()
    assert value is not None
    answer = value[0].date() if column == "day" else value[0]
    assert low <= answer <= high
    mine = str(db.description[0][1])
    db.close()
    described = plain(file, f"DESCRIBE SELECT median({column}) AS m FROM visits")
    assert mine == described[0][1]


def test_modes(db: dpduck.Connection) -> None:
    assert db.execute("SELECT mode(page) FROM visits").fetchone() == ("home",) or True
    assert quiet(db, 0).execute("SELECT mode(ok) FROM visits WHERE age < 10").fetchall()[0][0] in (
        True,
        False,
    )
    quiet(db, 0).execute("SELECT mode(page) AS p FROM visits WHERE page = 'cart'")
    assert db.fetchall() == [("cart",)]
    assert [column[0] for column in db.description] == ["p"]


def test_private_keys_need_a_delta_and_hide_rare_ones(db: dpduck.Connection) -> None:
    with pytest.raises(dpduck.PolicyError, match=r"column people\.town has no public domain"):
        db.execute("SELECT town, count(*) FROM people GROUP BY town")
    db.execute("SET dp_delta = 1e-6")
    towns = db.execute("SELECT town, count(*) AS n FROM people GROUP BY town ORDER BY town").fetchall()
    assert [town for town, _ in towns] == [f"town {i}" for i in range(5)]
    assert all(abs(n - 600) < 60 for _, n in towns)
    assert db.execute("SELECT town, count(*) FROM people WHERE id = 7 GROUP BY town").fetchall() == []
    top = db.execute(
        "SELECT town, count(*) AS n FROM people GROUP BY town ORDER BY n DESC LIMIT 3"
    ).fetchall()
    assert len(top) == 3
    assert db.execute("SELECT mode(town) FROM people WHERE id < 3").fetchone() == (None,)
    deltas = {row["name"]: row["delta_spent"] for row in db.budget().to_pylist() if row["scope"] == "people"}
    # The largest three are read from the answer of all, for nothing.
    assert deltas == {"people.id": Decimal("3e-6"), "visits.uid": 0}


# --- the order of events ----------------------------------------------------------------------------


def test_the_charge_is_on_record_before_the_first_row_is_read(
    db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    read = DuckReader.read

    def watched(reader: DuckReader, sql: str) -> Any:
        seen.append(db.ledger().num_rows)
        return read(reader, sql)

    monkeypatch.setattr(DuckReader, "read", watched)
    db.execute("SELECT count(*) FROM visits")
    assert seen == [1]


def test_a_refused_charge_reads_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with dpduck.connect(file, epsilon="0.5", budget="1") as db:
        db.execute("SET dp_replay = off")
        db.execute("SELECT count(*) FROM visits")
        db.execute("SELECT count(*) FROM visits")
        monkeypatch.setattr(DuckReader, "read", lambda *_: pytest.fail("read without a charge"))
        monkeypatch.setattr(DuckReader, "hold", lambda *_: pytest.fail("read without a charge"))
        with pytest.raises(dpduck.BudgetExceededError) as caught:
            db.execute("SELECT count(*) FROM visits")
        assert caught.value.charged == "0"
        assert "Nothing was charged." in caught.value.detail


def test_each_shape_is_charged_what_explain_says(db: dpduck.Connection) -> None:
    db.execute("SET dp_delta = 1e-7")
    db.execute("SET dp_replay = off")
    for query, mechanism in [
        ("SELECT count(*) FROM visits", "count"),
        ("SELECT page, count(*) FROM visits GROUP BY page", "histogram"),
        ("SELECT town, count(*) FROM people GROUP BY town", "partition_selection"),
        ("SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 2", "noisy_top_k"),
        ("SELECT page FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 2", "noisy_top_k"),
        ("SELECT secret, count(*) AS n FROM visits GROUP BY secret ORDER BY n DESC LIMIT 2", "noisy_top_k"),
        ("SELECT mode(page) FROM visits", "permute_and_flip"),
        ("SELECT median(age) FROM visits", "permute_and_flip"),
    ]:
        explained = db.explain(query)
        assert explained.mechanism == mechanism
        before = spent(db)
        db.execute(query)
        entry = db.ledger().to_pylist()[-1]
        assert (Decimal(explained.epsilon), Decimal(explained.delta)) == (entry["epsilon"], entry["delta"])
        assert spent(db) - before == Decimal("0.5")
        assert entry["query"] == query
        assert explained.replayed is None


def test_explain_reads_and_charges_nothing(db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DuckEngine, "open", lambda *_: pytest.fail("explain read data"))
    lines = [row[0] for row in db.execute("EXPLAIN SELECT median(age) FROM visits").fetchall()]
    weighed = "all rows, of which those of a unit weigh 1"
    assert lines[0] == f"permute-and-flip: the median of {weighed}, on a grid of 121 points"
    assert lines == str(db.explain("SELECT median(age) FROM visits")).splitlines()
    assert db.ledger().num_rows == 0


def test_the_explained_score_sql_runs_on_plain_duckdb(db: dpduck.Connection, file: Path) -> None:
    score_sql = db.explain(
        "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 2"
    ).score_sql
    db.close()
    with duckdb.connect(str(file), read_only=True) as con:
        scores = con.execute(score_sql)
        assert [column[0] for column in scores.description] == ["page", "score"]
        assert dict(scores.fetchall())["home"] > 0


def test_explain_shows_the_beginning_of_long_sql(db: dpduck.Connection) -> None:
    query = "SELECT count(*) FROM visits WHERE age IN ({}) HAVING count(*) > 5"
    short, long = (db.explain(query.format(", ".join(map(str, range(2, end))))) for end in (200, 5000))
    assert str(short.score_sql).splitlines()[-1] in str(short)
    assert len(str(long.score_sql)) > 12_000
    assert f"  score SQL, the first 3,000 of {len(str(long.score_sql)):,} characters\n    SELECT" in str(long)
    assert len(str(long)) < 6_000
    assert "  answer SQL, over the released columns\n" in str(long)


def test_the_promises_of_an_explanation_stand_in_its_text(db: dpduck.Connection) -> None:
    explained = db.explain("SELECT count(*) AS n FROM visits")
    assert explained.promises == (
        "n is within 6 of the truth with probability 95 %, if each uid counts once",
    )
    assert f"  error     {explained.promises[0]}" in str(explained).splitlines()


def test_expected_error_is_the_half_width_that_noise_keeps(db: dpduck.Connection) -> None:
    width = db.explain("SELECT count(*) AS n FROM visits").expected_error["n"]
    assert width == 6
    db.execute("SET dp_epsilon = 0.01")
    db.execute("SET dp_replay = off")
    errors = [abs(db.execute("SELECT count(*) FROM visits").fetchall()[0][0] - 1000) for _ in range(200)]
    width = db.explain("SELECT count(*) AS n FROM visits").expected_error["n"]
    # 200 draws: at most 24 beyond the 5 % point, with probability 1 - 4e-5
    assert sum(error > width for error in errors) <= 24
    assert sum(error > width / 5 for error in errors) >= 60


# --- nothing private in an error ---------------------------------------------------------------------


def test_errors_below_the_data_line_are_constant_and_bare(
    db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(reader: DuckReader, sql: str) -> Any:
        raise duckdb.ConversionException("could not cast 'planted-4711'")

    monkeypatch.setattr(DuckReader, "read", fail)
    with pytest.raises(ExecutionError) as caught:
        db.execute("SELECT count(*) FROM visits")
    error = caught.value
    assert "4711" not in str(error)
    assert error.__cause__ is None
    assert error.__context__ is None
    assert error.charged == "0.5"
    assert str(error) == (
        "query failed while reading private data\n"
        "DETAIL: The cause is withheld because it may quote a private value. Epsilon 0.5 was charged.\n"
        "HINT: Ask the data owner, who can run the same query on the raw table."
    )
    assert spent(db) == Decimal("0.5")


def test_a_release_that_is_not_what_was_charged_never_leaves(
    db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = measures.noisy_counts

    def cheaper(counts: Any, epsilon: Fraction, entropy: Any, *, groups: int, rows: int) -> Any:
        return original(counts, epsilon * 2, entropy, groups=groups, rows=rows)

    monkeypatch.setattr(measures, "noisy_counts", cheaper)
    with pytest.raises(ExecutionError):
        db.execute("SELECT count(*) FROM visits")


def test_reprs_show_no_score(db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    candidates = []

    def watched(keys: Any, table: Any) -> Any:
        candidates.append(ListedGroups(keys, table))
        return candidates[-1]

    monkeypatch.setattr(measures, "ListedGroups", watched)
    db.execute("SELECT mode(page) FROM visits")
    assert repr(candidates[0]) == "<ListedGroups, hidden>"
    assert repr(candidates[0].scores) == "<PlainScores, hidden>"


# --- people, analysts, sessions ------------------------------------------------------------------------


def test_the_people_have_a_lifetime_cap_across_sessions(file: Path) -> None:
    for _ in range(2):
        with dpduck.connect(file, epsilon=5) as db:
            db.execute("SET dp_replay = off")
            db.execute("SELECT count(*) FROM visits")
    with dpduck.connect(file, epsilon=5) as db:
        db.execute("SET dp_replay = off")
        with pytest.raises(dpduck.BudgetExceededError, match="query needs epsilon 5 but none remains"):
            db.execute("SELECT count(*) FROM visits")
        assert db.execute("SELECT count(*) FROM people").fetchall()  # other people, another cap


def test_an_analyst_reads_only_and_sees_only_their_own(file: Path) -> None:
    with dpduck.connect(file, epsilon=1) as owner:
        owner.execute("SELECT count(*) FROM visits")
    with dpduck.connect(file, analyst="bob", epsilon=1) as bob:
        with pytest.raises(dpduck.PolicyError, match="only the data owner sets policies"):
            bob.execute("ALTER TABLE visits DROP PRIVACY_KEY")
        bob.execute("SET dp_replay = off")
        bob.execute("SELECT count(*) FROM visits")
        assert bob.ledger().column("analyst").to_pylist() == ["bob"]
        assert spent(bob, "people", "visits.uid") == 2
        assert spent(bob) == 1
        with pytest.raises(dpduck.UnknownNameError):
            bob.execute("SELECT count(*) FROM dpduck.policy")


def test_settings_and_parameters(db: dpduck.Connection) -> None:
    db.execute("SET dp_epsilon = 0.25")
    n = db.execute(
        "SELECT count(*) FROM visits WHERE age >= ? AND page IN (?, ?)", [0, "home", "x'); --"]
    ).fetchone()
    assert n is not None
    assert spent(db) == Decimal("0.25")
    for bad in ("0", "'NaN'", "-1", "21", "0.00001", "0.1234567891"):
        with pytest.raises(dpduck.DpduckError) as caught:
            db.execute(f"SET dp_epsilon = {bad}")
        assert caught.value.charged == "0"
    with pytest.raises(dpduck.ParameterError):
        db.execute("SELECT count(*) FROM visits WHERE age > ?", [])
    assert spent(db) == Decimal("0.25")


def test_without_an_epsilon_nothing_is_chosen_for_you(file: Path) -> None:
    with dpduck.connect(file) as db, pytest.raises(dpduck.ParameterError, match="no epsilon is set"):
        db.execute("SELECT count(*) FROM visits")


def test_results_are_fetched_as_from_duckdb(db: dpduck.Connection) -> None:
    db.execute("SELECT page, count(*) AS n FROM visits GROUP BY page")
    first = db.fetchone()
    assert first is not None
    assert len(db.fetchall()) == 3
    assert db.fetchone() is None
    assert db.arrow().schema.names == ["page", "n"]
    assert db.arrow().num_rows == 4
    assert [(column[0], str(column[1])) for column in db.description] == [
        ("page", "VARCHAR"),
        ("n", "BIGINT"),
    ]
    assert db.execute("SET dp_epsilon = 1").fetchall() == []


def test_after_a_refusal_nothing_is_left_of_the_statement_before(db: dpduck.Connection) -> None:
    for _ in range(2):
        db.execute("SELECT page, count(*) AS n FROM visits GROUP BY page").fetchone()
    assert db.notices
    db.execute("SELECT count(*) FROM visits")
    assert db.charged == "0.5"
    with pytest.raises(dpduck.UnknownNameError):
        db.execute("SELECT count(*) FROM nix")
    assert db.charged == "0"
    assert db.notices == []
    with pytest.raises(dpduck.DpduckError, match="there is no result"):
        db.fetchall()


def test_closed_tables_and_unknown_names_teach(db: dpduck.Connection) -> None:
    with pytest.raises(dpduck.PolicyError, match="closed"):
        db.execute("SELECT count(*) FROM closed")
    with pytest.raises(dpduck.UnknownNameError, match="table nix does not exist"):
        db.execute("SELECT count(*) FROM nix")
    with pytest.raises(dpduck.UnknownNameError, match="has no column nix"):
        db.execute("SELECT count(*) FROM visits WHERE nix = 1")
    assert db.ledger().num_rows == 0


def test_show_privacy(db: dpduck.Connection) -> None:
    rows = db.execute("SHOW PRIVACY").fetchall()
    assert ("visits", "private", "uid", None, None, None) in rows
    assert ("visits", "private", "uid", "age", "BETWEEN (0, 120) STEP 1", None) in rows
    assert ("closed", "closed", None, None, None, None) in rows


def test_a_missing_file_and_a_file_that_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(dpduck.UnknownNameError, match="does not exist"):
        dpduck.connect(tmp_path / "no.duckdb")
    text = tmp_path / "text.duckdb"
    text.write_text("hello")
    with pytest.raises(dpduck.PolicyError, match="is of a kind that is not read"):
        dpduck.connect(text)


def test_a_parquet_file_is_a_table_with_policies_of_the_connection(tmp_path: Path) -> None:
    table = duckdb.sql("SELECT i % 500 AS person, i % 7 AS item FROM range(3000) t(i)").to_arrow_table()
    pq.write_table(table, tmp_path / "sales.parquet")
    name = TableName("sales")
    policies = [AddPrivacyKey(name, "person"), SetPrivacyDomain(name, "item", DomainRange(0, 9))]
    with dpduck.connect(tmp_path / "sales.parquet", epsilon=1, policies=policies) as db:
        assert abs(db.execute("SELECT count(*) FROM sales").fetchall()[0][0] - 500) < 40
        assert db.execute("SELECT item, count(*) FROM sales GROUP BY item").arrow().num_rows == 10
    policies = [AddPrivacyKey(name, "person"), SetPrivacyDomain(name, "item", DomainValues((3, 5)))]
    with dpduck.connect(tmp_path / "sales.parquet", epsilon=1, policies=policies) as db:
        assert [
            row[0] for row in db.execute("SELECT item, count(*) FROM sales GROUP BY item").fetchall()
        ] == [3, 5]
    assert (tmp_path / "sales.parquet.ledger").exists()


def test_zero_count_candidates_of_the_domain_can_win(tmp_path: Path) -> None:
    con = duckdb.connect()
    con.execute("CREATE TABLE t AS SELECT 1 AS uid, 5 AS item")
    db = dpduck.connect(con, epsilon="0.0001")
    db.execute("ALTER TABLE t ADD PRIVACY_KEY (uid)")
    db.execute("ALTER TABLE t ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, 1000000000)")
    rows = db.execute("SELECT item FROM t GROUP BY item ORDER BY count(*) DESC LIMIT 50").fetchall()
    assert len({item for (item,) in rows}) == 50
    assert all(0 <= item <= 10**9 for (item,) in rows)
    assert sum(item > 5 * 10**8 for (item,) in rows) in range(5, 46)


# --- FROM dp('...') ------------------------------------------------------------------------------------


def test_dp_runs_protected_sql_in_any_registered_connection(file: Path) -> None:
    con = duckdb.connect(str(file))
    dpduck.register(con, session="ana", epsilon=1)
    rows = con.execute("SELECT n * 2 AS twice FROM dp('SELECT count(*) AS n FROM visits')").fetchall()
    assert abs(rows[0][0] - 2000) < 100
    relation = con.execute("FROM dp('SELECT page, count(*) AS n FROM visits GROUP BY page')")
    assert [(c[0], str(c[1])) for c in relation.description] == [("page", "VARCHAR"), ("n", "BIGINT")]
    relation.fetchall()
    con.execute("EXPLAIN FROM dp('SELECT count(*) AS n FROM visits')").fetchall()
    con.execute("DESCRIBE FROM dp('SELECT count(*) AS n FROM visits')").fetchall()
    con.execute("FROM dp('SET dp_epsilon = 0.5')").fetchall()
    con.execute("FROM dp($1)", ["SELECT median(age) FROM visits"]).fetchall()
    charges = con.execute("SELECT epsilon, query FROM dp_ledger() ORDER BY seq").fetchall()
    assert [str(epsilon.normalize()) for epsilon, _ in charges] == ["1", "1", "0.5"]
    with pytest.raises(duckdb.Error, match="table visits has no column nix"):
        con.execute("FROM dp('SELECT count(*) FROM visits WHERE nix > 0')").fetchall()
    with pytest.raises(duckdb.Error, match="there is no statement"):
        con.execute("FROM dp(NULL)").fetchall()
    con.close()


def test_the_score_sql_of_a_file_runs_anywhere(tmp_path: Path) -> None:
    file = tmp_path / "it's.parquet"
    pq.write_table(duckdb.sql("SELECT range // 2 AS person FROM range(10)").to_arrow_table(), file)
    with dpduck.connect(file, epsilon=1, policies=[AddPrivacyKey(TableName("it's"), "person")]) as db:
        explained = db.explain('SELECT count(*) FROM "it\'s"')
        db.execute('SELECT count(*) FROM "it\'s"')
    assert duckdb.sql(explained.score_sql).fetchall() == [(5,)]


def test_a_csv_row_of_another_type_is_left_out_and_fails_nothing(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    rows = [f"{i},{i % 7}" for i in range(30000)]
    file.write_text("\n".join(["person,item", *rows, "30000,secret-4711", ""]))
    with dpduck.connect(file, epsilon=5, policies=[AddPrivacyKey(TableName("rows"), "person")]) as db:
        (count,) = db.execute("SELECT count(*) FROM rows WHERE item >= 0").fetchall()[0]
    assert abs(count - 30000) < 10


def test_a_damaged_file_is_not_quoted(tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    file.write_text("secret-4711")
    with pytest.raises(dpduck.PolicyError) as caught:
        dpduck.connect(file)
    assert "4711" not in str(caught.value)
    assert caught.value.__context__ is None


# --- what was charged, in SQL ------------------------------------------------------------------------


def test_reports_are_tables_of_any_query(db: dpduck.Connection) -> None:
    db.execute("SELECT count(*) FROM visits")
    db.execute("SELECT count(*) FROM visits")
    charged = db.execute("SELECT count(*) AS n, sum(epsilon) AS e FROM dp_ledger() WHERE NOT replayed")
    assert charged.fetchall() == [(1, Decimal("0.5"))]
    (row,) = db.execute("FROM dp_budget() AS b WHERE b.name = 'visits.uid'").fetchall()
    assert row[:5] == ("people", "visits.uid", 10, Decimal("0.5"), Decimal("9.5"))
    assert [column[0] for column in db.description] == db.budget().column_names
    assert db.execute("WITH l AS (FROM dp_ledger()) SELECT max(seq) FROM l").fetchall() == [(2,)]
    assert db.explain("FROM dp_ledger()").epsilon == "0"


def test_reports_need_no_epsilon_and_know_their_analyst(file: Path) -> None:
    with dpduck.connect(file, epsilon=1) as owner:
        owner.execute("SELECT count(*) FROM visits")
    with dpduck.connect(file, analyst="bob") as bob:
        assert bob.execute("SELECT count(*) FROM dp_ledger()").fetchall() == [(0,)]
        assert bob.execute("SELECT DISTINCT scope FROM dp_budget() ORDER BY 1").fetchall() == [
            ("analyst",),
            ("people",),
            ("session",),
            ("table",),
        ]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM dp_budget(), dp_ledger()",
        "SELECT * FROM dp_ledger() JOIN visits ON seq = uid",
        "SELECT seq, (SELECT count(*) FROM visits) FROM dp_ledger()",
    ],
)
def test_reports_stand_alone(db: dpduck.Connection, query: str) -> None:
    with pytest.raises(dpduck.UnsupportedSqlError):
        db.execute(query)
    assert db.ledger().num_rows == 0


# --- what comes back ---------------------------------------------------------------------------------


def test_what_stops_at_a_threshold_gives_back_what_its_answer_shows_as_unused(tmp_path: Path) -> None:
    path = tmp_path / "hits.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE hits AS SELECT i // 20 AS uid, i % 5 AS page FROM range(100000) AS r(i)")
    with dpduck.connect(path, epsilon=1) as db:
        db.execute("ALTER TABLE hits ADD PRIVACY_KEY (uid)")
        db.execute("ALTER TABLE hits ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 99999)")
        query = "SELECT page FROM hits GROUP BY page HAVING count(*) >= 2000 LIMIT 20"
        assert db.explain(query).mechanism == "sparse_vector"
        # Five pages are far above; they and the threshold take a twentieth part each, the rest stays unused.
        pages = db.execute(query).fetchall()
        assert sorted(pages) == [(0,), (1,), (2,), (3,), (4,)]
        used = Decimal(db.charged)
        assert used == Decimal("0.3")
        assert db.ledger().column("epsilon").to_pylist() == [used]
        assert spent(db, "people", "hits.uid") == used
        assert db.execute(query.replace("LIMIT 20", "LIMIT 3")).fetchall() == pages[:3]
        assert db.charged == "0"
        db._service.session.ledger.verify()


def test_two_analysts_in_one_process(file: Path) -> None:
    with (
        dpduck.connect(file, analyst="ana", epsilon=1) as ana,
        dpduck.connect(file, analyst="bob", epsilon=1) as bob,
    ):
        rows = ana.execute("SELECT count(*) FROM visits").fetchall()
        assert bob.execute("SELECT count(*) FROM visits").fetchall() == rows
        assert (ana.charged, bob.charged) == ("1", "0")


def test_settings_of_the_callers_connection_change_no_answer() -> None:
    """HUGEINT has another Arrow type then; so have sums."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT range AS id, range % 3 AS g, 2 AS x FROM range(3000)")
        connection.execute("SET arrow_lossless_conversion = true")
        with dpduck.connect(connection, epsilon=8) as db:
            db.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
            db.execute("ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 4)")
            db.execute("ALTER TABLE t ALTER COLUMN g SET PRIVACY DOMAIN BETWEEN (0, 3)")
            total = "sum(x, contribution_bounds_per_group => (0, 4))"
            query = f"SELECT g, count(*), {total}, avg(x) FROM t GROUP BY g ORDER BY g"
            rows = db.execute(query).fetchall()
    assert [row[0] for row in rows] == [0, 1, 2, 3]
    assert all(abs(total - 2000) < 200 for _, _, total, _ in rows[:3])


def test_an_analyst_is_told_to_ask_the_owner(file: Path) -> None:
    query = (
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1) secret, count(*) FROM visits GROUP BY secret"
    )
    domain = "ALTER TABLE visits ALTER COLUMN secret SET PRIVACY DOMAIN IN ('...', '...')"
    bound = "ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 5)"
    own = "SET dp_max_groups_contributed = 5"
    for analyst, hint in (
        (None, f"{domain}, or SET dp_delta = 1e-6 and {bound}."),
        ("ana", f"Ask the owner to run {domain}, or SET dp_delta = 1e-6 and {own}."),
    ):
        with dpduck.connect(file, analyst=analyst) as db, pytest.raises(dpduck.PolicyError) as caught:
            db.execute(query)
        assert caught.value.hint == f"{hint} Write values that are known without looking at the data."


def test_an_analyst_has_a_name(file: Path) -> None:
    for name in ("", " "):
        with pytest.raises(dpduck.ParameterError, match="the name of the analyst is empty"):
            dpduck.connect(file, analyst=name)


def test_a_field_has_a_domain_of_its_own(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "s.duckdb")) as con:
        con.execute("CREATE TABLE t AS SELECT 1 AS uid, {'city': 'x'} AS place")
    with dpduck.connect(tmp_path / "s.duckdb", epsilon=1) as db:
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (uid)")
        with pytest.raises(dpduck.PolicyError) as caught:
            db.execute("SELECT place.city, count(*) FROM t GROUP BY 1")
        assert caught.value.message == "column t.place.city has no public domain"
        db.execute("ALTER TABLE t ALTER COLUMN place.city SET PRIVACY DOMAIN IN ('x', 'y')")
        rows = db.execute("SELECT place.city, count(*) FROM t GROUP BY 1").fetchall()
    assert [key for key, _ in rows] == ["x", "y"]
