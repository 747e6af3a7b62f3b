"""A shop's dashboard: twelve queries as business tools send them, each also spelled in other ways."""

from __future__ import annotations

from pathlib import Path

import duckdb

import dpduck

ANALYST = "ana"
EPSILON = "0.1"

_TABLE = """
CREATE TABLE sales (customer BIGINT, city VARCHAR, channel VARCHAR, age INTEGER, bought DATE, pieces INTEGER,
                    amount DECIMAL(9, 2), is_gift BOOLEAN);
INSERT INTO sales SELECT i % 800, ['Bonn', 'Lyon', 'Oslo', 'Riga', 'Turin'][1 + i % 5],
    ['app', 'shop', 'web'][1 + i % 3], 18 + i % 70, DATE '2026-01-01' + (i % 181)::INTEGER, 1 + i % 9,
    (i % 400) / 4, i % 11 = 0
FROM range(4000) AS t (i);
"""
_POLICIES = [
    "ALTER TABLE sales ADD PRIVACY_KEY (customer)",
    "ALTER TABLE sales ALTER COLUMN city SET PRIVACY DOMAIN IN ('Bonn', 'Lyon', 'Oslo', 'Riga', 'Turin')",
    "ALTER TABLE sales ALTER COLUMN channel SET PRIVACY DOMAIN IN ('app', 'shop', 'web')",
    "ALTER TABLE sales ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (18, 90)",
    "ALTER TABLE sales ALTER COLUMN bought SET PRIVACY DOMAIN BETWEEN ('2026-01-01', '2026-06-30')",
    "ALTER TABLE sales ALTER COLUMN pieces SET PRIVACY DOMAIN BETWEEN (0, 10)",
    "ALTER TABLE sales ALTER COLUMN amount SET PRIVACY DOMAIN BETWEEN (0, 100)",
]

# The first spelling is asked first; the others ask the same.
QUERIES: dict[str, list[str]] = {
    "customers": [
        "SELECT count(*) AS customers FROM sales",
        'select COUNT(*) as "Customers" from Sales',
        "SELECT count(*) FROM sales AS s",
        "SELECT count(DISTINCT customer) FROM main.sales -- one per customer",
    ],
    "customers by day": [
        "SELECT bought, count(*) AS n FROM sales GROUP BY bought ORDER BY bought",
        'SELECT s."bought" AS "day",\n\tcount(*) AS "n"\nFROM "sales" AS s\nGROUP BY s."bought"\nORDER BY 1',
        "SELECT BOUGHT, COUNT(*) FROM SALES GROUP BY ALL ORDER BY bought",
    ],
    "customers by month": [
        "SELECT date_trunc('month', bought) AS m, count(*) AS n FROM sales GROUP BY m ORDER BY m",
        "SELECT date_trunc('month', bought) AS month, count(*) FROM sales GROUP BY 1 ORDER BY month",
        "select DATE_TRUNC('MONTH', t.bought) m, count(*) n from sales t"
        " group by date_trunc('month', t.bought) order by m",
    ],
    "top 3 cities": [
        "SELECT city, count(*) AS n FROM sales GROUP BY city ORDER BY n DESC LIMIT 3",
        "SELECT city, count(*) FROM sales GROUP BY 1 ORDER BY 2 DESC LIMIT 3",
        'SELECT "city" AS "City", count(*) AS "Number" FROM "main"."sales" GROUP BY "city"'
        ' ORDER BY "Number" DESC LIMIT 3',
    ],
    "revenue": [
        "SELECT sum(amount) AS revenue FROM sales",
        "SELECT SUM ( s.amount ) FROM sales s",
        'SELECT sum("amount") AS "total" FROM sales',
    ],
    "revenue by channel": [
        "SELECT channel, sum(amount) AS revenue FROM sales GROUP BY channel ORDER BY channel",
        "SELECT s.channel AS c, sum(s.amount) AS r FROM sales AS s GROUP BY c ORDER BY c",
        "SELECT channel, sum(amount) AS revenue FROM sales GROUP BY channel ORDER BY revenue DESC",
    ],
    "average pieces by city": [
        "SELECT city, avg(pieces) AS pieces FROM sales GROUP BY city ORDER BY city",
        "SELECT city AS place, AVG(sales.pieces) AS mean FROM sales GROUP BY place ORDER BY place",
        "SELECT\tcity,\tmean(pieces)\tFROM\tsales\tGROUP\tBY\tcity\tORDER\tBY\tcity",
    ],
    "grown-ups on the web": [
        "SELECT count(*) AS n FROM sales WHERE channel = 'web' AND age >= 21 AND NOT is_gift",
        "SELECT count(*) AS n FROM sales WHERE age >= 21 AND NOT is_gift AND channel = 'web'",
        "SELECT count(*) FROM sales WHERE (NOT (is_gift)) AND ((channel = 'web') AND (21 <= age))",
    ],
    "large sales by channel": [
        "SELECT channel, count(*) AS n FROM sales WHERE amount > 5 AND city IN ('Bonn', 'Oslo')"
        " GROUP BY channel ORDER BY n DESC",
        "SELECT channel, count(*) AS n FROM sales WHERE city IN ('Bonn', 'Oslo') AND amount > 5.0"
        " GROUP BY channel ORDER BY n DESC",
        "SELECT channel, count(*) AS n FROM sales WHERE 5.00 < amount AND sales.city IN ('Oslo', 'Bonn')"
        " GROUP BY 1 ORDER BY 2 DESC",
    ],
    "median age": [
        "SELECT median(age) AS age FROM sales",
        "SELECT MEDIAN(Age) FROM sales",
        "SELECT quantile_cont(s.age, 0.5) AS middle FROM sales AS s",
    ],
    "median amount by channel": [
        "SELECT channel, median(amount) AS typical FROM sales GROUP BY channel ORDER BY channel",
        'SELECT "channel", median("amount") FROM "sales" GROUP BY "channel" ORDER BY "channel"',
        "SELECT x.channel, median(x.amount) AS m FROM sales AS x GROUP BY x.channel ORDER BY x.channel",
    ],
    "busy cities": [
        "SELECT city, count(*) AS n FROM sales GROUP BY city HAVING count(*) >= 100 ORDER BY n DESC",
        "SELECT city, count(*) AS n FROM sales GROUP BY city HAVING n >= 100 ORDER BY n DESC",
        "SELECT city, count(*) AS busy FROM sales GROUP BY city HAVING 100 <= count(*) ORDER BY busy DESC",
    ],
}


# These ask the same too, which is not seen yet: each spelling is charged once.
OTHERWISE: dict[str, list[str]] = {
    "BETWEEN": [
        "SELECT count(*) AS n FROM sales WHERE age >= 30 AND age <= 40",
        "SELECT count(*) AS n FROM sales WHERE age BETWEEN 30 AND 40",
    ],
    "OR for IN": [
        "SELECT count(*) AS n FROM sales WHERE city IN ('Bonn', 'Oslo')",
        "SELECT count(*) AS n FROM sales WHERE city = 'Bonn' OR city = 'Oslo'",
    ],
}


def make(path: Path) -> None:
    """A new database file with the sales, and what is private of them."""
    with duckdb.connect(str(path)) as con:
        con.execute(_TABLE)
    with dpduck.connect(path) as owner:
        for policy in _POLICIES:
            owner.execute(policy)
