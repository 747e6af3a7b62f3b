"""Five schemas for which a policy is proposed, without rows."""

from __future__ import annotations

SHOP = """
CREATE TYPE tier AS ENUM ('free', 'paid');
CREATE TABLE towns (name VARCHAR PRIMARY KEY, country VARCHAR);
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, email VARCHAR, town VARCHAR REFERENCES towns(name),
    age INTEGER CHECK (age BETWEEN 0 AND 120), vip BOOLEAN, plan tier, joined DATE);
CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR, price DECIMAL(9, 2));
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), day DATE,
    status VARCHAR CHECK (status IN ('open', 'sent')));
CREATE TABLE order_items (
    order_id INTEGER REFERENCES orders(id), product_id INTEGER REFERENCES products(id), amount INTEGER);
CREATE TABLE messages (
    sender INTEGER REFERENCES customers(id), receiver INTEGER REFERENCES customers(id), body VARCHAR);
CREATE VIEW sent AS SELECT * FROM orders WHERE status = 'sent';
"""
TPCH = """
CREATE TABLE region (r_regionkey INTEGER PRIMARY KEY, r_name VARCHAR);
CREATE TABLE nation (n_nationkey INTEGER PRIMARY KEY, n_name VARCHAR, n_regionkey INTEGER);
CREATE TABLE customer (
    c_custkey BIGINT PRIMARY KEY, c_name VARCHAR, c_nationkey INTEGER, c_acctbal DECIMAL(15, 2));
CREATE TABLE supplier (s_suppkey BIGINT PRIMARY KEY, s_name VARCHAR, s_nationkey INTEGER);
CREATE TABLE part (p_partkey BIGINT PRIMARY KEY, p_name VARCHAR);
CREATE TABLE partsupp (ps_partkey BIGINT, ps_suppkey BIGINT, ps_availqty BIGINT);
CREATE TABLE orders (
    o_orderkey BIGINT PRIMARY KEY, o_custkey BIGINT, o_orderstatus VARCHAR, o_orderdate DATE);
CREATE TABLE lineitem (l_orderkey BIGINT, l_partkey BIGINT, l_suppkey BIGINT, l_quantity DECIMAL(15, 2));
"""
SURVEY = "CREATE TABLE survey (respondentId VARCHAR, age INTEGER, happy BOOLEAN, why VARCHAR)"
EVENTS = """
CREATE TABLE events (
    user_id UUID, "user agent" VARCHAR, seen TIMESTAMP, page VARCHAR, referred_by_user_id UUID)
"""
NO_KEY = "CREATE TABLE readings (seen TIMESTAMP, temperature DOUBLE, room VARCHAR)"
EMPTY = ""
WIDE = (
    "CREATE TABLE wide (person_id VARCHAR, "
    + ", ".join(f"q{i} {('VARCHAR', 'INTEGER', 'BOOLEAN', 'DATE', 'DOUBLE')[i % 5]}" for i in range(500))
    + ', "a\nDROP TABLE x; --" VARCHAR)'
)
SCHEMAS = {
    "shop": SHOP,
    "tpch": TPCH,
    "survey": SURVEY,
    "events": EVENTS,
    "no key": NO_KEY,
    "empty": EMPTY,
    "wide": WIDE,
}
