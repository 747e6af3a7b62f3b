"""A small database with awkward data: NULL units and keys, NaN, infinities, values out of the domain."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

import duckdb

from dpduck import policies
from dpduck.answers.settings import Settings
from dpduck.compiler.compile import AnyPlan, QueryLimits, make_plan
from dpduck.compiler.parse.statements import Parameters, Select, bind, parse
from dpduck.compiler.planner.distinct_values import Function
from dpduck.compiler.validate.clock import validated_at
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.public_facts import NoFacts, PublicValues

NOON = datetime(2024, 1, 20, 12, 30)  # when queries of tests are planned
SCHEMA = """
CREATE TABLE visits (
    uid INTEGER, page VARCHAR, age INTEGER, tiny TINYINT, big BIGINT, huge HUGEINT, amount DECIMAL(9,2),
    x DOUBLE, f FLOAT, day DATE, moment TIMESTAMP, ok BOOLEAN, grade ENUM('low', 'mid', 'high'),
    disease VARCHAR, "order" INTEGER, "A b" INTEGER, score INTEGER, zone TIMESTAMP WITH TIME ZONE);
CREATE TABLE people (
    id INTEGER PRIMARY KEY, region VARCHAR, age INTEGER, income DOUBLE, member BOOLEAN, born DATE, t INTEGER);
CREATE TABLE shops (name VARCHAR);
CREATE TABLE closed (a INTEGER);
"""

ROWS = """
INSERT INTO visits SELECT
    CASE WHEN i % 13 = 0 THEN NULL ELSE (i * 7) % 23 END,
    CASE WHEN i % 11 = 0 THEN NULL ELSE chr((97 + ((i * i) % 5))::INTEGER) END,
    CASE WHEN i % 17 = 0 THEN NULL ELSE (i * 31) % 130 - 10 END,
    i % 100, CASE WHEN i % 2 = 0 THEN 9223372036854775807 - i ELSE i - 9223372036854775808 END,
    CASE i % 3 WHEN 0 THEN 170141183460469231731687303715884105727 WHEN 1 THEN -5 ELSE i END,
    i * 0.37 - 3,
    CASE i % 7 WHEN 0 THEN 'nan'::DOUBLE WHEN 1 THEN 'inf' WHEN 2 THEN '-inf' ELSE i / 100.0 END,
    CASE i % 9 WHEN 0 THEN 'nan'::DOUBLE ELSE i / 64.0 END,
    CASE i % 19 WHEN 0 THEN 'infinity'::DATE WHEN 1 THEN '-infinity'::DATE
        ELSE DATE '2024-01-01' + (i % 40)::INTEGER END,
    CASE i % 19 WHEN 0 THEN 'infinity'::TIMESTAMP ELSE TIMESTAMP '2024-01-01' + INTERVAL (i * 37) MINUTE END,
    CASE i % 4 WHEN 0 THEN NULL ELSE i % 4 = 1 END,
    CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'low' WHEN 2 THEN 'high' ELSE 'mid' END,
    CASE i % 6 WHEN 0 THEN 'it''s "x"' ELSE 'flu' || (i % 3) END, i % 4, i % 3, i % 12,
    CASE i % 19 WHEN 0 THEN 'infinity'::TIMESTAMPTZ
        ELSE TIMESTAMPTZ '2024-03-30 00:00:00+00' + to_minutes((i * 37) % 4000) END
FROM range(1, 201) AS r(i);
INSERT INTO people SELECT i, CASE i % 6 WHEN 0 THEN NULL ELSE 'r' || (i % 3) END, i % 90,
    CASE i % 8 WHEN 0 THEN 'nan'::DOUBLE ELSE i * 10.5 END, i % 3 = 0,
    DATE '1950-01-01' + (i * 100)::INTEGER, i % 5
FROM range(1, 61) AS r(i);
INSERT INTO shops VALUES ('north'), ('south');
"""

POLICIES = """
ALTER TABLE visits ADD PRIVACY_KEY (uid)
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('a', 'b', 'e', 'z')
ALTER TABLE visits ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99)
ALTER TABLE visits ALTER COLUMN tiny SET PRIVACY DOMAIN BETWEEN (10, 90) STEP 20
ALTER TABLE visits ALTER big SET PRIVACY DOMAIN BETWEEN (-9000000000000000000, 9000000000000000000) STEP 1000
ALTER TABLE visits ALTER COLUMN huge SET PRIVACY DOMAIN BETWEEN (0, 100) STEP 10
ALTER TABLE visits ALTER COLUMN amount SET PRIVACY DOMAIN BETWEEN (0, 50) STEP 0.50
ALTER TABLE visits ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 2)
ALTER TABLE visits ALTER COLUMN f SET PRIVACY DOMAIN BETWEEN (0, 2) STEP 0.25
ALTER TABLE visits ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN ('2024-01-05', '2024-01-31') STEP 2
ALTER TABLE visits ALTER COLUMN moment SET PRIVACY DOMAIN BETWEEN ('2024-01-02', '2024-01-04') STEP 3600
ALTER TABLE visits ALTER COLUMN "order" SET PRIVACY DOMAIN IN (0, 1, 2)
ALTER TABLE visits ALTER COLUMN "A b" SET PRIVACY DOMAIN IN (0, 2)
ALTER TABLE visits ALTER COLUMN score SET PRIVACY DOMAIN BETWEEN (0, 10) STEP 5
ALTER TABLE visits ALTER zone SET PRIVACY DOMAIN BETWEEN ('2024-03-30', TIMESTAMPTZ '2024-04-01 14:00:00+02')
ALTER TABLE people ADD PRIVACY_KEY (id)
ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (18, 80)
ALTER TABLE people ALTER COLUMN income SET PRIVACY DOMAIN BETWEEN (0, 500) STEP 100
ALTER TABLE people ALTER COLUMN born SET PRIVACY DOMAIN BETWEEN ('1950-01-01', '1970-01-01')
ALTER TABLE shops SET PUBLIC
"""


def statement(text: str) -> PolicyStatement:
    parsed = parse(text)
    assert isinstance(parsed, PolicyStatement)
    return parsed


def open_shop(path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(path)
    connection.execute("SET GLOBAL TimeZone = 'UTC'")
    connection.execute(SCHEMA)
    connection.execute(ROWS)
    for text in POLICIES.strip().splitlines():
        policies.execute(connection, statement(text))
    return connection


def any_plan(
    text: str,
    catalog: Catalog,
    parameters: Parameters = None,
    epsilon: Fraction = Fraction(1, 2),
    delta: Fraction = Fraction(1, 10**6),
    groups: int | None = None,
    facts: PublicValues | None = None,
    distinct: Function = "ranked",
) -> AnyPlan:
    """The plan as a session makes it, with these settings where the query's OPTIONS say nothing."""
    parsed = parse(text)
    assert isinstance(parsed, Select), text
    settings = Settings(epsilon, delta, groups, distinct=distinct).of_query(parsed.options)
    assert settings.epsilon is not None
    limits = QueryLimits(
        settings.epsilon,
        settings.delta,
        settings.bound_on_groups,
        parsed.options.unit,
        noise=settings.noise,
        population=settings.population,
        counts_rows=settings.counts_rows,
        private_clamp=settings.private_clamp,
        distinct=settings.distinct,
        private_groups=settings.groups == "private",
    )
    return make_plan(validated_at(bind(parsed, parameters), NOON), catalog, limits, facts or NoFacts())


def plan(
    text: str,
    catalog: Catalog,
    parameters: Parameters = None,
    epsilon: Fraction = Fraction(1, 2),
    delta: Fraction = Fraction(1, 10**6),
    groups: int | None = None,
) -> Plan:
    made = any_plan(text, catalog, parameters, epsilon, delta, groups)
    assert isinstance(made, Plan)
    return made


def score_sql(made: Plan | CompoundPlan) -> list[str]:
    """The score SQL of all parts of all blocks."""
    parts = [part for block in made.blocks for part in (block.selection, *block.measures)]
    return [part.score_sql for part in parts if part.score_sql]
