"""Damaged texts: characters, tokens and pieces of other texts, put in, taken out and swapped."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_CHARACTERS = (
    "()',\";:*+-/%|.[]{}=<>@\\$?!#&^~`0 1e9\t\n\r\x00\x0b\u00a0\u200b\u202e\ufeff\ud800éß字😀\U0010ffff"
)
_WORDS = (
    *(
        "SELECT",
        "FROM",
        "WHERE",
        "GROUP BY",
        "HAVING",
        "ORDER BY",
        "LIMIT",
        "OFFSET",
        "QUALIFY",
        "WINDOW w AS ()",
    ),
    *(
        "UNION ALL",
        "INTERSECT",
        "EXCEPT",
        "VALUES (1)",
        "WITH RECURSIVE x AS (SELECT 1)",
        "WITH x AS (SELECT 1)",
    ),
    *("EXISTS (SELECT 1 FROM orders)", "IN (SELECT c_id FROM customer)", "(SELECT max(c_id) FROM customer)"),
    *("OVER ()", "OVER w", "FILTER (WHERE TRUE)", "WITHIN GROUP (ORDER BY 1)", "DISTINCT", "DISTINCT ON (1)"),
    *("LIMIT 0", "LIMIT 10%", "OFFSET -1", "LIMIT ALL", "LIMIT (SELECT 1)", "FETCH FIRST 3 ROWS ONLY"),
    *(
        "error('x')",
        "random()",
        "sleep_ms(9)",
        "nextval('s')",
        "current_setting('x')",
        "getvariable('x')",
        "now()",
    ),
    *("read_csv('x')", "query('SELECT 1')", "query_table('orders')", "glob('*')", "range(9)", "unnest([1])"),
    *(
        "pragma_table_info('orders')",
        "duckdb_tables()",
        "'orders.csv'",
        "sqlite_master",
        "information_schema.tables",
    ),
    *(
        "customer",
        "orders",
        "closed",
        "nation",
        "dpduck.policies",
        "main.orders",
        "memory.main.orders",
        "c_id",
    ),
    *(
        "NATURAL JOIN",
        "CROSS JOIN",
        "LEFT JOIN",
        "FULL JOIN",
        "SEMI JOIN",
        "ANTI JOIN",
        "ASOF JOIN",
        "POSITIONAL JOIN",
    ),
    *(
        "LATERAL",
        "USING (o_customer)",
        "ON TRUE",
        "TABLESAMPLE 10%",
        "USING SAMPLE 1",
        "PIVOT",
        "UNPIVOT",
        "AT (x => 1)",
    ),
    *(
        "CASE",
        "WHEN",
        "THEN",
        "ELSE",
        "END",
        "AND",
        "OR",
        "NOT",
        "IS NULL",
        "BETWEEN",
        "IN (1, 2)",
        "LIKE '%'",
        "GLOB 'x'",
    ),
    *(
        "COLLATE NOCASE",
        "AT TIME ZONE 'x'",
        "INTERVAL 1 DAY",
        "ROW(1)",
        "MAP {}",
        "{'a': 1}",
        "[1, 2]",
        "x -> x + 1",
    ),
    *(
        "TRY_CAST(1 AS",
        "CAST(1 AS BLOB)",
        "::JSON",
        "::INT[]",
        "AS",
        "AS count",
        "* EXCLUDE (c_id)",
        "* REPLACE (1 AS c_id)",
    ),
    *(
        "COLUMNS(*)",
        "GROUPING SETS (())",
        "ROLLUP (1)",
        "CUBE (1)",
        "ALL",
        "#1",
        "$1",
        "?",
        ":x",
        "@x",
        "$$a$$",
        "$x$ ' $x$",
    ),
    *(
        "1e999",
        "NaN",
        "'inf'::DOUBLE",
        "0x1F",
        "1_0",
        "-0",
        ".5",
        "5.",
        "9" * 40,
        "١٢",
        "E'\\n'",
        "X'00'",
        "U&'\\0041'",
    ),
    *("--", "/*", "*/", "-- x\n", "/* x */", ";", "; SELECT 1", "\\", "''", "'", '"', '""', "()", "((", "))"),
    *(
        "WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1)",
        "OPTIONS (delta = 2)",
        "epsilon",
        "dp_low(n)",
        "dp_gap(count(*))",
    ),
    *(
        "SET dp_epsilon = 1",
        "SET x = 1",
        "SHOW PRIVACY",
        "EXPLAIN",
        "EXPLAIN ANALYZE",
        "DESCRIBE",
        "SUMMARIZE",
        "PRAGMA x",
    ),
    *(
        "ATTACH 'x'",
        "COPY orders TO 'x'",
        "INSTALL x",
        "LOAD x",
        "CREATE TABLE x (a INT)",
        "DROP TABLE orders",
        "CALL x()",
    ),
    *(
        "ALTER TABLE orders",
        "ADD PRIVACY_KEY (o_id)",
        "SET PRIVACY DOMAIN IN (1)",
        "CREATE PRIVACY BUDGET b LIMIT 1",
    ),
    *(
        "INSERT INTO orders",
        "DELETE FROM orders",
        "UPDATE orders SET x = 1",
        "PREPARE p AS",
        "EXECUTE p",
        "BEGIN",
        "VACUUM",
    ),
)
_TOKEN = re.compile(r"\s+|\w+|'(?:[^']|'')*'|.", re.DOTALL)


class Damage:
    """Random damage to texts. The same seed gives the same damage."""

    def __init__(self, chance: random.Random, texts: Sequence[str]) -> None:
        self._chance = chance
        self._texts = texts
        self._ways: tuple[Callable[[str], str], ...] = (
            self._put_character,
            self._put_character,
            self._put_word,
            self._put_word,
            self._put_word,
            self._replace_token,
            self._replace_token,
            self._drop_tokens,
            self._drop_tokens,
            self._swap_tokens,
            self._repeat_tokens,
            self._splice,
            self._splice,
            self._cut,
            self._in_parentheses,
            self._other_case,
        )

    def text(self) -> str:
        """One damaged text; a few are very long or very deep."""
        text = self._chance.choice(self._texts)
        if self._chance.random() < 0.005:
            return self._extreme(text)
        for _ in range(self._chance.choice([1, 1, 1, 2, 2, 3, 5])):
            text = self._chance.choice(self._ways)(text)
        return text

    def _place(self, text: str) -> int:
        return self._chance.randrange(len(text) + 1)

    def _tokens(self, text: str) -> tuple[list[str], int, int]:
        """All tokens, and the ends of a few of them in a row."""
        tokens = _TOKEN.findall(text)
        start = self._chance.randrange(len(tokens) + 1)
        return tokens, start, min(len(tokens), start + self._chance.choice([1, 1, 2, 3, 8]))

    def _put_character(self, text: str) -> str:
        place = self._place(text)
        end = place + self._chance.choice([0, 1])
        return text[:place] + self._chance.choice(_CHARACTERS) + text[end:]

    def _put_word(self, text: str) -> str:
        tokens, start, _ = self._tokens(text)
        return "".join([*tokens[:start], f" {self._chance.choice(_WORDS)} ", *tokens[start:]])

    def _replace_token(self, text: str) -> str:
        tokens, start, end = self._tokens(text)
        new = self._chance.choice(_WORDS) if self._chance.random() < 0.5 else self._piece()
        return "".join([*tokens[:start], new, *tokens[end:]])

    def _drop_tokens(self, text: str) -> str:
        tokens, start, end = self._tokens(text)
        return "".join([*tokens[:start], *tokens[end:]])

    def _swap_tokens(self, text: str) -> str:
        tokens, start, end = self._tokens(text)
        return "".join([*tokens[:start], *reversed(tokens[start:end]), *tokens[end:]])

    def _repeat_tokens(self, text: str) -> str:
        tokens, start, end = self._tokens(text)
        return "".join([*tokens[:end], " ", *tokens[start:end], *tokens[end:]])

    def _piece(self) -> str:
        tokens, start, end = self._tokens(self._chance.choice(self._texts))
        return "".join(tokens[start:end])

    def _splice(self, text: str) -> str:
        """The start of one text and the end of another, or a piece of another inside."""
        other = self._chance.choice(self._texts)
        if self._chance.random() < 0.5:
            return text[: self._place(text)] + other[self._place(other) :]
        place = self._place(text)
        return text[:place] + self._piece() + text[place:]

    def _cut(self, text: str) -> str:
        place = self._place(text)
        return text[:place] if self._chance.random() < 0.5 else text[place:]

    def _in_parentheses(self, text: str) -> str:
        tokens, start, end = self._tokens(text)
        pair = self._chance.choice(
            [("(", ")"), ("[", "]"), ("(SELECT ", ")"), ("/*", "*/"), ("$$", "$$"), ('"', '"')]
        )
        return "".join([*tokens[:start], pair[0], *tokens[start:end], pair[1], *tokens[end:]])

    def _other_case(self, text: str) -> str:
        return self._chance.choice([str.upper, str.lower, str.swapcase, str.title])(text)

    def _extreme(self, text: str) -> str:
        """Very long, or nested very deeply."""
        many = self._chance.choice([60, 150, 1_000, 5_000])
        deep: tuple[str, ...] = (
            "(" * many + text + ")" * many,
            f"SELECT count(*) FROM orders WHERE {'NOT ' * many}o_price > 1",
            f"SELECT count(*) FROM orders WHERE {'(' * many}o_price{')' * many} > 1",
            f"SELECT count(*) FROM orders WHERE o_price > 1{' AND o_price > 1' * many}",
            f"SELECT count(*) FROM orders WHERE o_price > 1{' OR o_price > 1 AND o_id > 1' * many}",
            f"SELECT count(*) FROM orders WHERE o_id = 1{' + 1' * many}",
            f"SELECT count(*) FROM orders WHERE o_id = {'-' * many}1",
            f"SELECT count(*) FROM orders WHERE o_clerk = {'lower(' * many}o_clerk{')' * many}",
            f"SELECT count(*) FROM orders WHERE o_id IN ({'1, ' * many}1)",
            f"SELECT {'count(*), ' * many}1 FROM orders",
            f"SELECT count(*) FROM {'(SELECT * FROM ' * min(many, 1_000)}orders{') AS t' * min(many, 1_000)}",
            f"SELECT {'CASE WHEN TRUE THEN ' * many}1{' END' * many}",
            f"SELECT n_id FROM nation{', nation' * min(many, 200)}",
            f"SELECT 1{' UNION ALL SELECT 1' * many}",
            f"SELECT {'[' * many}1{']' * many}",
            text + " " * many + "-- " + "x" * many,
            text + "/*" * many + "*/" * many,
            "'" * many,
            '"' * many,
            "$" * many,
            "a." * many + "b",
            "WITH a AS (SELECT 1 AS x)"
            + "".join(f", a{i} AS (SELECT * FROM a JOIN a AS b ON TRUE)" for i in range(min(many, 300)))
            + " SELECT 1",
            "WITH a0 AS (SELECT * FROM orders)"
            + "".join(
                f", a{i + 1} AS (SELECT * FROM a{i} AS x JOIN a{i} AS y USING (o_customer))"
                for i in range(min(many, 60))
            )
            + f" SELECT count(*) FROM a{min(many, 60)}",
        )
        return self._chance.choice(deep)
