"""The sources, aggregates and windows that random derived tables are made of.

In a form, {u} is the unit of a source, {k} a column to group by, {n} a number and {m} a moment. At the levels
above, the unit is `u`, what is grouped by `k`, and numbers are `a` and `b`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Base:
    """A source of FROM with its unit: columns to group by, numbers, moments.

    `of`: whose key the unit column is; what is joined on units has the same.
    """

    source: str
    unit: str
    keys: Sequence[str]
    numbers: Sequence[str]
    moments: Sequence[str]
    of: str = "customer"


_MONTH = "date_trunc('month', o_day)"
BASES = (
    Base(
        "orders",
        "o_customer",
        ["o_status", "o_clerk", "o_day", _MONTH, "o_price IS NULL", "coalesce(o_status, 'O')"],
        ["o_price", "o_price * 0.0", "o_id", "length(o_clerk)", "1 / o_price", "o_id % 4", "-o_price"],
        ["o_day", "o_seen"],
    ),
    Base(
        "visit",
        "v_customer",
        ["v_page", "v_tiny", "v_tiny % 3", "lower(v_page)"],
        ["v_tiny", "v_huge", "v_unsigned", "v_huge - 1", "abs(v_tiny)", "v_tiny // 2"],
        ["v_at", "CAST(v_at AS DATE)"],
    ),
    Base(
        "customer",
        "c_id",
        ["c_segment", "c_ok", "c_nation", "NOT c_ok"],
        ["c_balance", "c_id % 3", "c_balance * 2", "c_nation"],
        ["c_born"],
    ),
    Base("late", "o_customer", ["o_day", "o_clerk"], ["o_price", "o_id"], ["o_day", "o_seen"]),
    Base("sales", "customer", ["day", "day IS NULL"], ["price", "price + 1"], ["day"]),
)
JOINED = (
    Base(
        "(SELECT * FROM lineitem JOIN orders ON l_order = o_id)",
        "o_customer",
        ["l_mode", "o_status", "l_part", _MONTH],
        [
            "l_quantity",
            "l_price",
            "l_discount",
            "l_big",
            "l_weight",
            "l_quantity * l_price",
            "l_price / l_big",
        ],
        ["o_day", "o_seen"],
    ),
    Base(
        "(SELECT * FROM orders LEFT JOIN clerk ON o_clerk = k_name)",
        "o_customer",
        ["k_level", "k_name", "o_status"],
        ["k_level", "o_price", "o_id"],
        ["o_seen"],
    ),
    Base(
        "(SELECT * FROM orders JOIN clerk ON o_clerk = k_name)",
        "o_customer",
        ["k_level", "k_name"],
        ["k_level", "o_price"],
        ["o_seen", "o_day"],
    ),
    Base(
        "(SELECT * FROM customer LEFT JOIN nation ON c_nation = n_id)",
        "c_id",
        ["n_region", "n_name", "c_segment"],
        ["n_id", "c_balance", "length(n_name)"],
        ["c_born"],
    ),
    Base(
        "(SELECT * FROM lineitem JOIN orders ON l_order = o_id JOIN part ON l_part = p_id)",
        "o_customer",
        ["p_brand", "p_size", "l_mode"],
        ["p_size", "l_quantity", "l_quantity * p_size"],
        ["o_day"],
    ),
)
LINKED = Base(
    "lineitem",
    "l_order",
    ["l_mode", "l_part", "l_quantity"],
    ["l_quantity", "l_price", "l_big", "l_weight", "l_discount * 10"],
    ["l_price", "l_big"],
    of="orders",
)
_SINCE = "f_home.since AS since"
NESTED = (
    Base(
        "profile",
        "f_customer",
        ["f_home.city", "f_tags[1]", "len(f_tags)", "list_contains(f_tags, 'new')", "f_json->'net'->>'type'"],
        [
            "f_home.zip",
            "len(f_marks)",
            "f_marks[1]",
            "CAST(f_json->>'ms' AS INTEGER)",
            "least(greatest(len(f_tags), 0), 4)",
        ],
        ["f_home.since", "f_days[1]"],
    ),
    Base(
        "badge",
        "b_customer",
        ["b_tags[1]", "list_contains(b_tags, 'vip')", "len(b_marks) > 1"],
        ["b_marks[1]", "len(b_tags)", "b_customer % 4"],
        ["b_marks[2]"],
    ),
)
UNNESTED = (
    Base(
        f"(SELECT f_customer, f_home.city AS city, {_SINCE}, unnest(f_tags) AS tag FROM profile)",
        "f_customer",
        ["tag", "city", "tag || '!'"],
        ["length(tag)", "f_customer % 3"],
        ["since"],
    ),
    Base(
        f"(SELECT f_customer, f_home.city AS city, {_SINCE}, mark FROM profile, unnest(f_marks) AS m(mark))",
        "f_customer",
        ["city", "mark % 3", "mark IS NULL"],
        ["mark", "mark * 2", "abs(mark)"],
        ["since"],
    ),
    Base(
        "(SELECT f_customer, f_json->'net'->>'type' AS net, day FROM profile "
        "LEFT JOIN unnest(f_days) AS d(day) ON true)",
        "f_customer",
        ["net", "day", "day IS NULL"],
        ["date_diff('day', DATE '2024-01-01', day)", "f_customer % 2"],
        ["day"],
    ),
    Base(
        "(SELECT f_customer, good.kind AS kind, good.price AS price "
        "FROM (SELECT f_customer, unnest(f_goods) AS good FROM profile))",
        "f_customer",
        ["kind", "price IS NULL"],
        ["price", "length(kind)"],
        ["price"],
    ),
    Base(
        "(SELECT b_customer, tag, mark FROM badge, unnest(b_tags) AS t(tag), unnest(b_marks) AS m(mark))",
        "b_customer",
        ["tag", "mark > 1"],
        ["mark", "length(tag)"],
        ["mark"],
    ),
    Base(
        "(SELECT o_customer, o_status, o_seen, tag FROM orders "
        "JOIN (SELECT b_customer, unnest(b_tags) AS tag FROM badge) ON o_customer = b_customer)",
        "o_customer",
        ["tag", "o_status"],
        ["length(tag)", "o_customer % 5"],
        ["o_seen"],
    ),
)
# Those with numbers whose ranges follow from domains and from bounds on rows, without a clamp.
RANGED = (
    Base(
        "orders",
        "o_customer",
        ["o_status", "o_day", _MONTH],
        ["o_price", "date_diff('day', DATE '2024-01-01', o_day)"],
        ["o_day", "o_seen"],
    ),
    Base("visit", "v_customer", ["v_page"], ["v_tiny", "v_huge", "abs(v_tiny)", "v_tiny // 2"], ["v_at"]),
    Base(
        "profile", "f_customer", ["f_home.city"], ["f_home.zip", "f_marks[1]"], ["f_home.since", "f_days[1]"]
    ),
    UNNESTED[1],
)
RANGED_AGGREGATES = (
    "date_diff('day', min({m}), max({m}))",
    "date_diff('hour', min({m}), max({m}))",
    "date_diff('day', DATE '2024-01-01', min({m}))",
    "extract(day FROM max({m}))",
    "count(DISTINCT {k})",
    "count(*)",
    "count({n})",
    "count_if({n} > 2)",
    "sum({n})",
    "max({n}) - min({n})",
    "avg({n})",
    "min({n})",
    "median({n})",
    "CAST(bool_or({n} > 2) AS INTEGER)",
)
RANGED_WINDOWS = (
    "date_diff('day', lag({m}) OVER (PARTITION BY {u} ORDER BY {m}), {m})",
    "row_number() OVER (PARTITION BY {u} ORDER BY {m})",
    "{n} - lag({n}) OVER (PARTITION BY {u} ORDER BY {m})",
    "max({n}) OVER (PARTITION BY {u}) - {n}",
    "count(*) OVER (PARTITION BY {u}, {k})",
    "sum({n}) OVER (PARTITION BY {u} ORDER BY {m} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
)
RANGED_MEASURES = (
    "sum(a)",
    "avg(b)",
    "avg(a) FILTER (WHERE b > 0)",
    "sum(a - b)",
    "median(a)",
    "quantile_disc(b, 0.9)",
    "stddev(a)",
    "corr(a, b)",
    "max(a)",
    "count(*) FILTER (WHERE a > b)",
)
RANGED_KEYS = ("CAST(a AS INTEGER)", "CAST(a AS INTEGER) // 3", "a > b", "k IS NULL", "b IS NULL", "k")
AGGREGATES = (
    "count(*)",
    "count({n})",
    "count(DISTINCT {k})",
    "count(DISTINCT {n}) FILTER (WHERE {n} > 1)",
    "count_if({n} > 2)",
    "sum({n})",
    "sum({n}) FILTER (WHERE {k} IS NOT NULL)",
    "sum(CASE WHEN {n} > 0 THEN 1 ELSE 0 END)",
    "avg({n})",
    "avg({n}) FILTER (WHERE {n} > 0)",
    "round(avg({n}), 1)",
    "min({n})",
    "max({n})",
    "max({n}) - min({n})",
    "sum({n}) / count(*)",
    "median({n})",
    "quantile_disc({n}, 0.25)",
    "quantile_cont({n}, 0.75)",
    "arg_max({n}, {m})",
    "arg_min({n}, {k})",
    "arg_min({n}, {m}) FILTER (WHERE {n} <> 0)",
    "count(*) FILTER (WHERE {n} > 1)",
    "first({n} ORDER BY {m})",
    "last({n} ORDER BY {m})",
    "first({n} ORDER BY {k} DESC)",
    "date_diff('day', min({m}), max({m}))",
    "any_value({n})",
    "CAST(bool_or({n} > 2) AS INTEGER)",
    "CAST(bool_and({n} IS NULL) AS INTEGER)",
    "coalesce(sum({n}), 0)",
)
# Those that are one aggregate, and so the value of a subquery.
VALUES = tuple(
    form
    for form in AGGREGATES
    if not form.startswith(("CAST", "round", "coalesce", "date_diff")) and not {"/", "-"} & {*form.split()}
)
KEYS_OF_GROUPS = (
    "min({k})",
    "min({k})",
    "max({k})",
    "arg_max({k}, {m})",
    "arg_min({k}, {n})",
    "first({k} ORDER BY {m})",
    "count(*) > 2",
    "min({k}) FILTER (WHERE {n} > 1)",
)
WINDOWS = (
    "row_number() OVER (PARTITION BY {u} ORDER BY {m})",
    "row_number() OVER (PARTITION BY {u}, {k} ORDER BY {n} DESC)",
    "row_number() OVER (PARTITION BY {u})",
    "rank() OVER (PARTITION BY {u} ORDER BY {n} DESC)",
    "dense_rank() OVER (PARTITION BY {u}, {k} ORDER BY {m})",
    "percent_rank() OVER (PARTITION BY {u} ORDER BY {n})",
    "cume_dist() OVER (PARTITION BY {u} ORDER BY {n}, {k})",
    "lag({n}) OVER (PARTITION BY {u} ORDER BY {m})",
    "lag({n}, 1, 0) OVER (PARTITION BY {u} ORDER BY {m} NULLS FIRST)",
    "lead({n}, 2, 0) OVER (PARTITION BY {u}, {k} ORDER BY {m} DESC)",
    "{n} - lag({n}) OVER (PARTITION BY {u} ORDER BY {m})",
    "date_diff('hour', lag({m}) OVER (PARTITION BY {u} ORDER BY {m}), {m})",
    "sum({n}) OVER (PARTITION BY {u} ORDER BY {m} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
    "avg({n}) OVER (PARTITION BY {u} ORDER BY {m} ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)",
    "min({n}) OVER (PARTITION BY {u} ORDER BY {m} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)",
    "max({n}) OVER (PARTITION BY {u} ORDER BY {m} ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)",
    "sum({n}) OVER (PARTITION BY {u} ORDER BY {m})",
    "count(*) OVER (PARTITION BY {u}, {k})",
    "max({n}) OVER (PARTITION BY {u})",
    "ntile(2) OVER (PARTITION BY {u} ORDER BY {n})",
    "first_value({n}) OVER (PARTITION BY {u} ORDER BY {k})",
    "first_value({n}) OVER (PARTITION BY {u}, {k} ORDER BY {m} DESC)",
    "arg_max({n}, {m}) OVER (PARTITION BY {u})",
)
WINDOWS_AGAIN = (
    "row_number() OVER (PARTITION BY u ORDER BY a)",
    "rank() OVER (PARTITION BY u ORDER BY b DESC)",
    "lag(a) OVER (PARTITION BY u ORDER BY b, k)",
    "lead(b) OVER (PARTITION BY u, k ORDER BY a)",
    "sum(a) OVER (PARTITION BY u ORDER BY b)",
    "sum(CASE WHEN a > 1 THEN 1 ELSE 0 END) OVER (PARTITION BY u ORDER BY b ROWS UNBOUNDED PRECEDING)",
    "count(k) OVER (PARTITION BY u)",
    "ntile(3) OVER (PARTITION BY u ORDER BY a, b)",
)
OUTER_KEYS = (
    "k",
    "k",
    "a IS NULL",
    "b > a",
    "CASE WHEN a > 2 THEN 'many' WHEN a > 0 THEN 'few' ELSE 'none' END",
    "CAST(least(greatest(a, 0), 3) AS INTEGER)",
    "least(greatest(CAST(a AS INTEGER), 0), 3)",
    "CAST(b AS VARCHAR) = '-0.0'",
    "CAST(least(greatest(b, 0), 2) AS INTEGER)",
    "coalesce(a, 0) > coalesce(b, 0)",
)
NUMBER = "least(greatest({n}, {low}), {high})"
OUTER_AGGREGATES = (
    "count(*)",
    "count(*)",
    "count(b)",
    "count_if(a > 1)",
    "count(DISTINCT u)",
    "count(DISTINCT k)",
    "count(DISTINCT a > b)",
    "sum({a})",
    "sum({a}) FILTER (WHERE b > 0)",
    "sum(CASE WHEN a > b THEN 1 ELSE 0 END)",
    "avg({b})",
    "sum(least(greatest(1 / b, -1), 1))",
    "avg(CASE WHEN a IS NULL THEN 0 ELSE 1 END)",
    "median(least(greatest(CAST(a AS INTEGER), 0), 9))",
    "quantile_disc(least(greatest(CAST(b AS INTEGER), 0), 9), 0.9)",
    "max(least(greatest(CAST(b AS INTEGER), -5), 5))",
    "stddev({a})",
    "var_pop({b})",
    "corr({a}, {b})",
    "regr_slope({b}, {a})",
    "covar_pop({a}, {a}) FILTER (WHERE k IS NOT NULL)",
    "mode(a > b)",
    "mode(CASE WHEN a > 2 THEN 'many' WHEN b > 1 THEN 'some' ELSE 'few' END)",
    "count(*) FILTER (WHERE b > a)",
)
OUTER_TESTS = (
    "a = 1",
    "a BETWEEN 0 AND 3",
    "b IS NOT NULL",
    "a > b OR k IS NULL",
    "k IS NOT NULL",
    "NOT a < 2",
)
ENDS = (
    "",
    "",
    "",
    " ORDER BY count(*) DESC LIMIT 2",
    " ORDER BY 2 DESC LIMIT 1",
    " HAVING count(*) > 1",
    " QUALIFY row_number() OVER (ORDER BY count(*) DESC) <= 2",
    " HAVING count(*) > 2 LIMIT 2",
)
OPTIONS = (
    "max_groups_contributed = 1",
    "max_groups_contributed = 2",
    "delta = 1e-6, max_groups_contributed = 2",
    "delta = 1e-6, max_groups_contributed = 1",
)
