"""A database whose tables belong to each other: customers, their orders, the lines of those; public pages."""

from __future__ import annotations

import duckdb
import pytest

from dpduck import policies
from dpduck.compiler.parse.statements import parse
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.errors import DpduckError

TABLES = """
CREATE TABLE customer (c_custkey INTEGER PRIMARY KEY, c_name VARCHAR, segment VARCHAR, balance DOUBLE);
CREATE TABLE orders (o_orderkey INTEGER PRIMARY KEY, o_custkey INTEGER NOT NULL, o_date DATE);
CREATE TABLE lineitem (l_orderkey INTEGER, l_number INTEGER, l_big BIGINT, UNIQUE (l_orderkey, l_number));
CREATE TABLE returns (r_orderkey INTEGER);
CREATE TABLE pages (name VARCHAR, day DATE, price DECIMAL(9,2), heat DOUBLE);
INSERT INTO pages VALUES ('b', '2024-01-02', 2, 1), ('a', 'infinity', 1.5, 1), (NULL, NULL, NULL, 1),
    ('b', '2024-01-01', 2, 1), ('', NULL, NULL, 1);
"""
KEY = "ALTER TABLE customer ADD PRIVACY_KEY (c_custkey)"
ORDERS = "ALTER TABLE orders ADD PRIVACY_LINK (o_custkey) REFERENCES customer(c_custkey)"
LINES = "ALTER TABLE lineitem ADD PRIVACY_LINK (l_orderkey) REFERENCES orders(o_orderkey)"


def statement(text: str) -> PolicyStatement:
    parsed = parse(text)
    assert isinstance(parsed, PolicyStatement)
    return parsed


def open_tables(*texts: str, path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    """The tables, after some policy statements."""
    connection = duckdb.connect(path)
    connection.execute(TABLES)
    run(connection, *texts)
    return connection


def run(connection: duckdb.DuckDBPyConnection, *texts: str) -> Catalog:
    """The catalog after some policy statements."""
    for text in texts:
        policies.execute(connection, statement(text))
    return policies.load_catalog(connection)


def refused(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """The text of the error; what is stored has not changed."""
    before = policies.load_catalog(connection)
    with pytest.raises(DpduckError) as caught:
        policies.execute(connection, statement(text))
    assert policies.load_catalog(connection) == before
    return str(caught.value)
