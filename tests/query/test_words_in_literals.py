"""What looks like SQL inside a literal, an alias, a quoted name or a comment changes nothing else.

The mechanism, the shares of epsilon, the scores and the released columns are those of the same query with a
harmless word, and the SQL of both differs in that word alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import duckdb
import pytest

from dpduck import policies
from dpduck.answers.replay.derive import _listed, _over_keys
from dpduck.answers.replay.describe import describe
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.plan.keys import key_column
from dpduck.kernel.plan.model import RELEASE, Plan
from dpduck.kernel.tree import build
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.emit import identifier, string
from tests.query.shop import any_plan, open_shop
from tests.query.test_golden import summary

HARMLESS = "harmless"
WORDS = [
    '"answer"."a0" DESC',
    '"answer"."a0"',
    '"answer"."a0_low"',
    '"answer"."k0"',
    '"answer"."rank"',
    " OVER (",
    "x OVER (ORDER BY a) ",
    " WHERE ",
    "SELECT",
    "a BETWEEN b AND c",
    't."page"',
    't2."id"',
    "t.unit",
    " AND ",
    " ON ",
    ") AS t",
    "', '",
    "it's",
    'a "b"',
    "CAST('1' AS INTEGER)",
    "hash(",
    "--",
    "; DROP TABLE visits",
    "temp.main.dp_given",
]
# {l}: the literal, {n}: the same word as a quoted name, {c}: in a comment.
TEMPLATES = [
    "SELECT page, {l} AS note, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 2",
    "SELECT page, {l} AS note FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 2",
    "SELECT page AS {n} FROM visits GROUP BY page ORDER BY count(*) DESC LIMIT 2",
    "SELECT page, count(*) AS {n} FROM visits GROUP BY page ORDER BY {n} DESC LIMIT 2",
    "SELECT page FROM visits GROUP BY page ORDER BY count(*) DESC, {l} || page LIMIT 2",
    "SELECT page /* {c} */ FROM visits -- {c}\n GROUP BY page ORDER BY count(*) DESC LIMIT 2",
    "SELECT page, {l} AS {n} FROM visits GROUP BY page HAVING count(*) > 5 LIMIT 2",
    "SELECT page, count(*) FROM visits GROUP BY page HAVING count(*) > 5 OR page = {l}",
    "SELECT page, count(*) AS n FROM visits GROUP BY page QUALIFY page <> {l} AND row_number() OVER () < 3",
    "SELECT CASE WHEN page = {l} THEN 1 ELSE 0 END AS {n}, count(*) FROM visits GROUP BY 1",
    "SELECT page, (count(*) BETWEEN 1 AND length({l})) BETWEEN false AND true AS b FROM visits GROUP BY 1",
    "SELECT ({l} BETWEEN lower('a') AND upper('b')) AS b, CASE {l} WHEN 'a' THEN 1 END AS c, count(*) "
    "FROM visits",
    "SELECT count(*) FROM visits WHERE disease = {l}",
    "SELECT count(*) AS {n} FROM visits",
    "SELECT sum(age) FROM visits WHERE disease IN ({l}) GROUP BY page",
    "SELECT median(age) FROM visits WHERE disease <> {l}",
    "SELECT disease || {l} AS {n}, count(*) AS n FROM visits GROUP BY 1 ORDER BY n DESC LIMIT 3",
    "SELECT max_by(page, n) FROM (SELECT page, {l} AS {n}, count(*) AS n FROM visits GROUP BY page) AS t",
    "SELECT {n}.page, count(*) FROM visits AS {n} WHERE {n}.disease <> {l} GROUP BY {n}.page",
    "SELECT approx_top_k(page, 2) AS {n} FROM visits WHERE disease <> {l}",
    "SELECT DISTINCT page, {l} AS {n}, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 2",
]


@dataclass(frozen=True)
class Shop:
    """The tables of the golden queries."""

    connection: duckdb.DuckDBPyConnection
    catalog: Catalog

    def plan(self, template: str, word: str) -> Plan:
        said = word.replace("*/", "").replace("\n", " ")
        text = template.replace("{l}", string(word)).replace("{n}", identifier(word)).replace("{c}", said)
        made = any_plan(text, self.catalog)
        assert isinstance(made, Plan), text
        return made


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    with open_shop() as connection:
        yield Shop(connection, replace(policies.load_catalog(connection), salt=7))


def _with(text: str, word: str) -> str:
    """SQL with the harmless word in place of another, in literals and in quoted names."""
    for quoted in (string, identifier):
        text = text.replace(quoted(word), quoted(HARMLESS))
    return text


def differences(shop: Shop, template: str, word: str) -> list[str]:
    """In what the plan differs from that with the harmless word."""
    made, plain = shop.plan(template, word), shop.plan(template, HARMLESS)
    alike = {
        "mechanism": (_with(summary(made).replace(repr(word), repr(HARMLESS)), word), summary(plain)),
        "scores": ([_with(sql(q), word) for q in made.queries], [sql(q) for q in plain.queries]),
        "columns": (made.columns, plain.columns),
        "answer": (_with(made.answer_sql, word), plain.answer_sql),
        "shown": ([column for _, column in made.shown], [column for _, column in plain.shown]),
        "alternatives": (made.alternatives, plain.alternatives),
        "form": (
            (made.is_one_count, made.is_held, made.shows_all),
            (plain.is_one_count, plain.is_held, plain.shows_all),
        ),
    }
    return [name for name, (one, other) in alike.items() if one != other]


@pytest.mark.slow
@pytest.mark.parametrize("template", TEMPLATES)
def test_a_word_changes_nothing_but_itself(shop: Shop, template: str) -> None:
    for word in WORDS:
        assert differences(shop, template, word) == [], word


@pytest.mark.parametrize("seed", range(4))
def test_words_put_together_change_nothing(shop: Shop, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(60):
        word = "".join(chance.choices(WORDS, k=chance.randint(2, 4)))
        template = chance.choice(TEMPLATES)
        assert differences(shop, template, word) == [], (template, word)


def test_a_note_stays_what_it_says(shop: Shop) -> None:
    """It came back as the noisy order of the groups."""
    made = shop.plan(TEMPLATES[1], '"answer"."a0" DESC')
    assert """'"answer"."a0" DESC' AS "note\"""" in made.answer_sql


def test_a_condition_on_released_keys_keeps_its_literals(shop: Shop) -> None:
    """A key's SQL inside a literal is no key."""
    made = shop.plan("SELECT page, count(*) FROM visits GROUP BY page", HARMLESS)
    kept, [page] = describe(made), made.asked.keys
    for word in (sql(page), f"{made.asked.aliases[0]}.x", HARMLESS):
        test = build.compare(page, "<>", build.string(word))
        over = sql(_over_keys(test, kept))
        assert over == f"({RELEASE}.{identifier(key_column(0))} <> {string(word)})"
        assert _listed(build.compare(page, "=", build.string(word)), sql(page)) == 1
