"""Declared budgets and the ledger; settings and options of a query; what may be spent, shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.answers.settings import Settings
from dpduck.compiler.parse.statements import QueryOptions
from dpduck.kernel.ledger import open_ledger
from dpduck.policies.accounts import unit_accounts_of
from tests.policies.shop import KEY, ORDERS, TABLES

RETURNS = "ALTER TABLE returns ADD PRIVACY_KEY (r_orderkey)"
COUNT = "SELECT count(*) FROM customer"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(TABLES)
    return path


@pytest.fixture
def db(file: Path) -> Iterator[dpduck.Connection]:
    with dpduck.connect(file, epsilon="0.5") as connection:
        connection.execute(KEY)
        connection.execute(ORDERS)
        yield connection


def limits(db: dpduck.Connection) -> dict[str, tuple[str, str]]:
    return {
        row["name"]: (format(row["epsilon_limit"].normalize(), "f"), str(row["delta_limit"].normalize()))
        for row in db.budget().to_pylist()
        if row["scope"] == "people"
    }


def refusal(db: dpduck.Connection, sql: str) -> str:
    with pytest.raises(dpduck.DpduckError) as caught:
        db.execute(sql)
    return str(caught.value)


class TestTheLifetimeCap:
    def test_it_is_10_until_a_budget_says_otherwise(self, db: dpduck.Connection) -> None:
        assert limits(db) == {"customer.c_custkey": ("10", "0.00001")}
        db.execute("CREATE PRIVACY BUDGET life LIMIT 20.5")
        assert limits(db) == {"customer.c_custkey": ("20.5", "0.00001")}
        db.execute("CREATE OR REPLACE PRIVACY BUDGET life LIMIT 3 DELTA 0.001 FORCE")
        assert limits(db) == {"customer.c_custkey": ("3", "0.001")}
        db.execute("DROP PRIVACY BUDGET life FORCE")
        assert limits(db) == {"customer.c_custkey": ("10", "0.00001")}

    def test_it_is_kept_to(self, db: dpduck.Connection) -> None:
        db.execute("SET dp_replay = off")
        db.execute("CREATE PRIVACY BUDGET life LIMIT 0.7")
        db.execute(COUNT)
        assert refusal(db, COUNT) == (
            "query needs epsilon 0.5 but only 0.2 remains\n"
            "DETAIL: The cap of people 'customer.c_custkey' is epsilon 0.7, of which 0.5 is spent. "
            "No data was read. Nothing was charged.\n"
            "HINT: Lower epsilon to 0.2 or less, or raise their lifetime cap "
            "(CREATE OR REPLACE PRIVACY BUDGET)."
        )
        db.execute("CREATE OR REPLACE PRIVACY BUDGET life LIMIT 1 FORCE")
        db.execute(COUNT)

    def test_the_smallest_holds(self, db: dpduck.Connection) -> None:
        db.execute("CREATE PRIVACY BUDGET a LIMIT 5 DELTA 0.001")
        db.execute("CREATE PRIVACY BUDGET b LIMIT 7")
        assert limits(db) == {"customer.c_custkey": ("5", "0.00001")}
        db.execute("DROP PRIVACY BUDGET a FORCE")
        assert limits(db) == {"customer.c_custkey": ("7", "0.00001")}

    def test_tables_that_become_private_later_have_it_too(self, db: dpduck.Connection) -> None:
        db.execute("CREATE PRIVACY BUDGET life LIMIT 3")
        db.execute(RETURNS)
        assert limits(db) == {
            "customer.c_custkey": ("3", "0.00001"),
            "returns.r_orderkey": ("3", "0.00001"),
        }

    def test_it_is_the_default_in_another_ledger(self, db: dpduck.Connection) -> None:
        db.execute("CREATE PRIVACY BUDGET life LIMIT 3 DELTA 0")
        (account,) = unit_accounts_of(db._service.catalog())
        with open_ledger(None) as other:
            (budget,) = other.budgets([account])
        assert (budget.epsilon_limit, budget.delta_limit) == (Fraction(3), Fraction(0))

    def test_analysts_declare_none(self, file: Path, db: dpduck.Connection) -> None:
        db.close()
        with dpduck.connect(file, analyst="ana") as ana:
            for sql in ("CREATE PRIVACY BUDGET b LIMIT 100", "DROP PRIVACY BUDGET b"):
                assert refusal(ana, sql).startswith("only the data owner sets policies\n")


class TestNamedBudgets:
    """Budgets with FOR, WINDOW, PER QUERY and ACCOUNTING."""

    def asking(self, file: Path, analyst: str | None, *queries: str) -> list[str]:
        """What an analyst's queries come to: 'ok', or the first line of the refusal."""
        said = []
        with dpduck.connect(file, analyst=analyst, epsilon="0.5") as db:
            db.execute("SET dp_replay = off")
            for query in queries:
                try:
                    db.execute(query)
                    said.append("ok")
                except dpduck.DpduckError as error:
                    said.append(error.message)
        return said

    def test_for_counts_its_analysts_together_and_nobody_else(
        self, file: Path, db: dpduck.Connection
    ) -> None:
        db.execute("CREATE PRIVACY BUDGET team LIMIT 0.8 FOR ana, bob")
        db.close()
        assert self.asking(file, "ana", COUNT) == ["ok"]
        assert self.asking(file, "bob", COUNT) == ["query needs epsilon 0.5 but only 0.3 remains"]
        assert self.asking(file, "eve", COUNT) == ["ok"]
        assert self.asking(file, None, COUNT) == ["ok"]

    def test_per_query_holds_for_each(self, file: Path, db: dpduck.Connection) -> None:
        db.execute("CREATE PRIVACY BUDGET small LIMIT 5 PER QUERY 0.25 FOR ana")
        db.close()
        larger = "query needs epsilon 0.5 but one query may use 0.25"
        assert self.asking(file, "ana", COUNT, "SET dp_epsilon = 0.25", COUNT) == [larger, "ok", "ok"]
        assert self.asking(file, "bob", COUNT) == ["ok"]

    def test_per_query_of_a_lifetime_cap(self, db: dpduck.Connection) -> None:
        db.execute("CREATE PRIVACY BUDGET life LIMIT 5 PER QUERY 0.25")
        assert refusal(db, COUNT) == (
            "query needs epsilon 0.5 but one query may use 0.25\n"
            "DETAIL: PER QUERY of people 'customer.c_custkey' says so. No data was read. "
            "Nothing was charged.\n"
            "HINT: Lower epsilon to 0.25 or less, or raise their lifetime cap "
            "(CREATE OR REPLACE PRIVACY BUDGET)."
        )

    def test_a_window_is_a_rate_limit_beside_the_lifetime_cap(self, db: dpduck.Connection) -> None:
        db.execute("CREATE PRIVACY BUDGET daily LIMIT 0.5 WINDOW 'day'")
        db.execute("SET dp_replay = off")
        db.execute(COUNT)
        said = refusal(db, COUNT)
        assert said.startswith(
            "query needs epsilon 0.5 but none remains\nDETAIL: The cap of budget 'daily' in 2"
        )
        assert limits(db) == {"customer.c_custkey": ("10", "0.00001")}

    def test_zcdp_admits_more_small_queries(self, db: dpduck.Connection) -> None:
        db.execute("CREATE PRIVACY BUDGET life LIMIT 3 DELTA 1e-6 ACCOUNTING zcdp")
        db.execute("SET dp_replay = off")
        db.execute("SET dp_epsilon = 0.02")
        ask = "SELECT * FROM ESTIMATE_REMAINING_DP_AGGREGATES('customer')"
        ((number, *_),) = db.execute(ask).fetchall()
        assert int(number) == 917  # the sum of epsilon allows 150
        db.execute(COUNT)
        ((number, _, _, spent, *_),) = db.execute(ask).fetchall()
        assert int(number) == 916
        assert float(spent) == pytest.approx(0.078245, rel=1e-3)
        db.execute("SET dp_epsilon = 1")
        assert refusal(db, COUNT).startswith("query needs rho 0.462117 but only 0.1")

    @pytest.mark.parametrize(("keys", "left"), [("", 1930), (" KEYS DELTA 0", 1948)])
    def test_a_histogram_costs_the_rho_of_one_of_its_groups(
        self, db: dpduck.Connection, keys: str, left: int
    ) -> None:
        """Of 16, in all of which a unit may be: 83 fitted by the price and conversion of version 4."""
        db.execute("ALTER TABLE orders ALTER COLUMN o_orderkey SET PRIVACY DOMAIN BETWEEN (1, 16)")
        asked = "SELECT o_orderkey, count(*) FROM orders GROUP BY o_orderkey"
        db.execute("SET dp_epsilon = 0.02")
        assert "rho" not in str(db.explain(asked))
        db.execute(f"CREATE PRIVACY BUDGET life LIMIT 1 DELTA 1e-6 ACCOUNTING zcdp{keys}")
        said = db.explain(asked)
        assert said.queries_left == left
        assert "\n  rho       1.25e-05 of the budgets that add up rho\n" in str(said)
        db.execute(asked)
        [row] = [row for row in db.execute("SHOW PRIVACY BUDGETS").fetchall() if row[0] == "people"]
        assert row[10] == "0.000012499999"
        assert db.explain(asked).queries_left == left - 1

    def test_a_part_of_delta_is_for_keys(self, db: dpduck.Connection) -> None:
        """A tenth, unless the owner says another; what was stored before says none, and means half."""
        life = "CREATE OR REPLACE PRIVACY BUDGET life LIMIT 3 DELTA 1e-6 ACCOUNTING zcdp"
        for clause, keys in (("", 10), (" KEYS DELTA 0", None), (" KEYS DELTA 5e-7", 2)):
            db.execute(f"{life}{clause} FORCE")
            (budget,) = db._service.catalog().budgets
            assert budget.keys_delta == (Fraction(1, keys * 10**6) if keys else 0)
        db.execute("ALTER PRIVACY BUDGET life LIMIT 2")
        assert db._service.catalog().budgets[0].keys_delta == Fraction(1, 2 * 10**6)
        said = refusal(db, "ALTER PRIVACY BUDGET life KEYS DELTA 0")
        assert said.startswith("raising privacy budget life needs the word FORCE\n")
        assert "It allows more than it did" in said
        said = refusal(db, "ALTER PRIVACY BUDGET life DELTA 4e-7")
        assert said.startswith("KEYS DELTA 0.0000005 leaves nothing of the delta of privacy budget life\n")
        db.execute("ALTER PRIVACY BUDGET life ACCOUNTING pure FORCE")
        assert db._service.catalog().budgets[0].keys_delta is None
        said = refusal(db, "ALTER PRIVACY BUDGET life KEYS DELTA 0")
        assert said.startswith("privacy budget life adds up epsilon, and has no KEYS DELTA\n")
        db.execute("CREATE OR REPLACE PRIVACY BUDGET life LIMIT 3 ACCOUNTING zcdp FORCE")
        assert db._service.catalog().budgets[0].keys_delta == Fraction(1, 10**6)  # of the default

    def test_zcdp_needs_a_delta_and_no_rival(self, db: dpduck.Connection) -> None:
        said = refusal(db, "CREATE PRIVACY BUDGET b LIMIT 3 ACCOUNTING zcdp FOR ana")
        assert said.startswith("privacy budget b needs a DELTA\n")
        db.execute("CREATE PRIVACY BUDGET life LIMIT 3")
        said = refusal(db, "CREATE PRIVACY BUDGET other LIMIT 3 ACCOUNTING zcdp")
        assert said.startswith("a lifetime cap under zcdp must be the only one\n")
        assert "HINT: DROP PRIVACY BUDGET life." in said

    def test_the_stored_cap_is_the_one_to_drop(self, db: dpduck.Connection) -> None:
        """It named the first by name, which may be the one that was refused."""
        db.execute("CREATE PRIVACY BUDGET main LIMIT 3")
        wanted = "CREATE PRIVACY BUDGET life LIMIT 1 DELTA 1e-6 ACCOUNTING zcdp"
        said = refusal(db, wanted)
        assert "HINT: DROP PRIVACY BUDGET main." in said
        db.execute("DROP PRIVACY BUDGET main FORCE")
        db.execute(wanted)

    @pytest.mark.parametrize("cap", ["DELTA 4e-6 ACCOUNTING zcdp", "DELTA 4e-6 ACCOUNTING gdp", "DELTA 3e-9"])
    def test_the_delta_of_a_hint_is_admitted(self, db: dpduck.Connection, cap: str) -> None:
        """Where a tenth of delta is for keys, the usual one led to another refusal."""
        db.execute(f"CREATE PRIVACY BUDGET life LIMIT 100 {cap}")
        db.execute("ALTER TABLE orders SET PRIVACY CONTRIBUTION (groups = 2)")
        db.execute("SET dp_replay = off")
        for _ in range(3):
            said = refusal(db, "SELECT o_date, count(*) FROM orders GROUP BY o_date")
            found = re.search(r"or SET dp_delta = (1e-[0-9]+)[.]", said)
            assert found is not None, said
            db.execute(f"SET dp_delta = {found[1]}")
            db.execute("SELECT o_date, count(*) FROM orders GROUP BY o_date")
            db.execute("SET dp_delta = 0")

    def test_a_hint_says_that_no_delta_is_left(self, db: dpduck.Connection) -> None:
        db.execute("CREATE PRIVACY BUDGET life LIMIT 100 DELTA 1e-6 KEYS DELTA 0 ACCOUNTING zcdp")
        db.execute("ALTER TABLE orders SET PRIVACY CONTRIBUTION (groups = 2)")
        said = refusal(db, "SELECT o_date, count(*) FROM orders GROUP BY o_date")
        assert (
            "or a delta, of which people 'customer.c_custkey' has none left: its owner can raise it." in said
        )
        said = refusal(
            db, "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = gaussian) count(*) FROM customer"
        )
        assert "HINT: SET dp_delta = 1e-6, or " in said

    @pytest.mark.parametrize("accounting", ["zcdp", "gdp"])
    @pytest.mark.parametrize("delta", ["0", "1e-6"])
    def test_the_epsilon_of_a_refusal_in_rho_is_admitted(
        self, db: dpduck.Connection, accounting: str, delta: str
    ) -> None:
        """Whichever plan the query then has: what is left is never so little that its hint fails."""
        db.execute(f"CREATE PRIVACY BUDGET life LIMIT 1 DELTA 1e-6 ACCOUNTING {accounting}")
        db.execute("ALTER TABLE orders ALTER COLUMN o_orderkey SET PRIVACY DOMAIN BETWEEN (1, 16)")
        db.execute("SET dp_replay = off")
        db.execute(f"SET dp_delta = {delta}")
        queries = (
            COUNT,
            "SELECT o_orderkey, count(*) FROM orders GROUP BY o_orderkey ORDER BY 2 DESC LIMIT 3",
        )
        for epsilon, query in zip(("2", "1", "3", "4"), queries * 2, strict=True):
            db.execute(f"SET dp_epsilon = {epsilon}")
            said = refusal(db, query)
            found = re.search(r"HINT: Lower epsilon to ([0-9.]+) or less, which fits with any noise", said)
            assert found is not None, said
            db.execute(f"SET dp_epsilon = {found[1]}")
            db.execute(query)
        assert [budget.name for budget in db._service.catalog().budgets] == ["life"]

    def test_alter_changes_what_it_says(self, file: Path, db: dpduck.Connection) -> None:
        db.execute("CREATE PRIVACY BUDGET team LIMIT 0.5 FOR ana")
        db.execute("ALTER PRIVACY BUDGET team LIMIT 1.5 PER QUERY 1 FORCE")
        (budget,) = db._service.catalog().budgets
        assert (budget.epsilon, budget.per_query, budget.analysts) == (Fraction(3, 2), 1, ("ana",))
        said = refusal(db, "ALTER PRIVACY BUDGET life LIMIT 1")
        assert said.startswith("privacy budget life does not exist\n")
        assert refusal(db, "ALTER PRIVACY BUDGET team").startswith("nothing is said of privacy budget team\n")
        db.close()
        assert self.asking(file, "ana", COUNT, COUNT, COUNT) == ["ok", "ok", "ok"]
        assert self.asking(file, "ana", COUNT) == ["query needs epsilon 0.5 but none remains"]

    def test_a_dropped_budget_caps_nobody(self, file: Path, db: dpduck.Connection) -> None:
        db.execute("CREATE PRIVACY BUDGET team LIMIT 0.1 FOR ana")
        db.execute("DROP PRIVACY BUDGET team FORCE")
        db.close()
        assert self.asking(file, "ana", COUNT) == ["ok"]

    def test_what_is_shown(self, file: Path, db: dpduck.Connection) -> None:
        db.execute("CREATE PRIVACY BUDGET team LIMIT 2 WINDOW 'month' FOR ana")
        db.execute("CREATE PRIVACY BUDGET other LIMIT 2 FOR bob")
        db.close()
        self.asking(file, "ana", COUNT)
        with dpduck.connect(file, analyst="ana") as ana:
            rows = {row[:2]: row for row in ana.execute("SHOW PRIVACY BUDGETS").fetchall()}
        assert rows["budget", "team"][2:5] == ("2", "0.5", "1.5")
        assert len(rows["budget", "team"][9]) == len("2026-11")
        assert rows["analyst", "ana"][3] == "0.5"
        assert ("budget", "other") not in rows


class TestShowing:
    def test_budgets(self, db: dpduck.Connection) -> None:
        db.execute(COUNT)
        db.execute("CREATE PRIVACY BUDGET life LIMIT 20.5 DELTA 0.001")
        rows = db.execute("SHOW PRIVACY BUDGETS").fetchall()
        names = [column[0] for column in db.description]
        ways = ["rho_spent", "epsilon_by_zcdp", "mu_squared_spent", "epsilon_by_gdp"]
        assert names == [*db.budget().column_names, "accounting", "period", *ways]
        found = {row[:2]: row[2:] for row in rows}
        assert found["budget", "life"] == ("20.5", None, None, "0.001", None, None, "pure", *[None] * 5)
        sums = ("0.5", "20", "0.001", "0", "0.001", "pure", None, "0.122459331202")
        assert found["people", "customer.c_custkey"][:9] == ("20.5", *sums)
        implied = [float(amount) for amount in found["people", "customer.c_custkey"][9:]]
        assert implied == pytest.approx([1.6336, 0.389242, 1.9011], rel=1e-4)
        assert found["table", "customer"][:3] == (None, "0.5", None)

    @pytest.mark.parametrize("table", ["customer", "main.orders"])
    def test_how_many_queries_remain(self, db: dpduck.Connection, table: str) -> None:
        ask = f"SELECT * FROM TABLE(SNOWFLAKE.DATA_PRIVACY.ESTIMATE_REMAINING_DP_AGGREGATES('{table}'))"
        db.execute(COUNT)
        assert db.execute(ask).fetchall() == [
            ("19", "10", "never", "0.5", "9.5", "people customer.c_custkey")
        ]
        assert [column[0] for column in db.description][:4] == [
            "number_of_remaining_dp_aggregates",
            "budget_limit",
            "budget_window",
            "budget_spent",
        ]
        db.execute("SET dp_delta = 2e-6")
        assert db.execute(ask).fetchall()[0][0] == "5"

    def test_the_tightest_account_comes_first(self, file: Path, db: dpduck.Connection) -> None:
        db.close()
        with dpduck.connect(file, session="s", budget="2") as capped:
            ask = "SELECT * FROM ESTIMATE_REMAINING_DP_AGGREGATES('orders')"
            rows = capped.execute(ask).fetchall()
            assert [row[0] for row in rows] == [None, None]  # no dp_epsilon is set
            capped.execute("SET dp_epsilon = 0.3")
            rows = capped.execute(ask).fetchall()
            assert [(row[0], row[-1]) for row in rows] == [
                ("6", "session s"),
                ("33", "people customer.c_custkey"),
            ]

    def test_other_tables_have_no_budget(self, db: dpduck.Connection) -> None:
        db.execute("ALTER TABLE pages SET PUBLIC")
        ask = "SELECT * FROM ESTIMATE_REMAINING_DP_AGGREGATES('{}')"
        assert refusal(db, ask.format("pages")) == (
            "table pages holds no private rows\n"
            "DETAIL: It has no privacy key or link, and so no budget. Nothing was charged.\n"
            "HINT: SHOW PRIVACY shows which tables have one."
        )
        assert refusal(db, ask.format("returns")).startswith("table returns is closed\n")
        assert refusal(db, ask.format("nix")).startswith("table nix does not exist\n")

    def test_privacy_for_a_table(self, db: dpduck.Connection) -> None:
        rows = db.execute("SHOW PRIVACY FOR orders").fetchall()
        assert rows[0] == ("count(*)", "yes", "It counts distinct customer.c_custkey.")
        assert [column[0] for column in db.description] == ["query", "answered", "how"]

    @pytest.mark.parametrize(
        "sql",
        [
            "SHOW PRIVACY",
            "SHOW PRIVACY FOR customer",
            "SHOW PRIVACY BUDGETS",
            "SELECT * FROM TABLE(ESTIMATE_REMAINING_DP_AGGREGATES('customer'))",
        ],
    )
    def test_analysts_may_look(self, file: Path, db: dpduck.Connection, sql: str) -> None:
        db.close()
        with dpduck.connect(file, analyst="ana") as ana:
            assert ana.execute(sql).fetchall()
            assert ana.ledger().num_rows == 0


class TestSettings:
    def test_a_query_may_say_otherwise(self) -> None:
        settings = Settings(Fraction(1), Fraction(0), 5)
        assert settings.of_query(QueryOptions()) == settings
        assert settings.of_query(QueryOptions("0.5", "1e-6", 2)) == Settings(
            Fraction(1, 2), Fraction(1, 10**6), 2
        )
        assert settings.of_query(QueryOptions(groups=9)).groups == 5

    def test_and_pays_for_what_it_says(self, db: dpduck.Connection) -> None:
        db.execute("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.125) count(*) FROM customer")
        assert [str(row["epsilon"]) for row in db.ledger().to_pylist()] == ["0.125000000"]
        assert db.explain(COUNT).epsilon == "0.5"

    def test_wrong_options_are_not_charged(self, db: dpduck.Connection) -> None:
        text = refusal(db, "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0) count(*) FROM customer")
        assert text.startswith("epsilon '0' is out of range\n")
        assert db.ledger().num_rows == 0

    def test_groups(self, db: dpduck.Connection) -> None:
        db.execute("SET dp_max_groups_contributed = 5")
        assert db._service.settings.groups == 5
        assert refusal(db, "SET dp_max_groups_contributed = 0") == (
            "dp_max_groups_contributed = 0 is not a bound on contributions\n"
            "DETAIL: It is a whole number from 1 to 1000000. Nothing was charged.\n"
            "HINT: Write dp_max_groups_contributed = 5."
        )

    def test_replay(self, db: dpduck.Connection) -> None:
        db.execute("SET dp_replay = off")
        db.execute("SET dp_replay = on")
        assert refusal(db, "SET dp_replay = 'often'") == (
            "dp_replay is on or off\n"
            "DETAIL: On: a question that was answered before gets the same answer again. "
            "Nothing was charged.\n"
            "HINT: Write SET dp_replay = off."
        )
