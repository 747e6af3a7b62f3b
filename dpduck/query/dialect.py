"""DuckDB's dialect plus the policy statements, as a small extension of sqlglot's parser.

What sqlglot itself would wrap into a `Command` (text that it did not understand) is refused here, at
the place where it gives up, so that no such node and no warning ever leaves the parser.
"""

from __future__ import annotations

from typing import NoReturn

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.tokenizer_core import Token, TokenType

from dpduck.errors import UnsupportedSqlError

POLICY_FORMS = (
    "ALTER TABLE t ADD PRIVACY_KEY (col), ALTER TABLE t DROP PRIVACY_KEY, ALTER TABLE t SET PUBLIC, or "
    "ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN (...) or BETWEEN (low, high) [STEP s]"
)
STATEMENT_FORMS = "SELECT ..., EXPLAIN SELECT ..., SET dp_epsilon = 0.5, SET dp_delta = 1e-6, SHOW PRIVACY"


class AddKey(exp.Expression):
    """ALTER TABLE this ADD PRIVACY_KEY (column)."""

    arg_types = {"this": True, "column": True}  # noqa: RUF012 (the form that sqlglot prescribes)


class DropKey(exp.Expression):
    """ALTER TABLE this DROP PRIVACY_KEY."""

    arg_types = {"this": True}  # noqa: RUF012


class MakePublic(exp.Expression):
    """ALTER TABLE this SET PUBLIC."""

    arg_types = {"this": True}  # noqa: RUF012


class SetDomain(exp.Expression):
    """ALTER TABLE this ALTER COLUMN column SET PRIVACY DOMAIN IN (expressions) or BETWEEN (low, high)."""

    arg_types = {  # noqa: RUF012
        "this": True,
        "column": True,
        "expressions": False,
        "low": False,
        "high": False,
        "step": False,
    }


class ShowPolicies(exp.Expression):
    """SHOW PRIVACY."""

    arg_types = {}  # noqa: RUF012


class ExplainQuery(exp.Expression):
    """EXPLAIN this."""

    arg_types = {"this": True}  # noqa: RUF012


class DpduckParser(DuckDBParser):
    """DuckDB's parser with dpduck's statements, and without a way to pass on what it cannot read."""

    def _parse_alter(self) -> exp.Expr:  # type: ignore[override]
        if not self._match(TokenType.TABLE):
            self._refuse("this ALTER statement is not supported", POLICY_FORMS)
        table = self._parse_table_parts()
        if self._match_text_seq("ADD", "PRIVACY_KEY"):
            return AddKey(this=table, column=self._parse_wrapped(self._parse_id_var))
        if self._match_text_seq("DROP", "PRIVACY_KEY"):
            return DropKey(this=table)
        if self._match_text_seq("SET", "PUBLIC"):
            return MakePublic(this=table)
        if not self._match_text_seq("ALTER"):
            self._refuse("this ALTER TABLE statement is not supported", POLICY_FORMS)
        return self._parse_alter_column(table)

    def _parse_alter_column(self, table: exp.Expr | None) -> exp.Expr:
        self._match_text_seq("COLUMN")
        column = self._parse_id_var()
        if not self._match_text_seq("SET", "PRIVACY", "DOMAIN"):
            self._refuse("this ALTER COLUMN statement is not supported", POLICY_FORMS)
        if self._match(TokenType.IN):
            values = self._parse_wrapped_csv(self._parse_unary)
            return SetDomain(this=table, column=column, expressions=values)
        if not self._match(TokenType.BETWEEN):
            self._refuse("this form of PRIVACY DOMAIN is not supported", POLICY_FORMS)
        ends = self._parse_wrapped_csv(self._parse_unary)
        if len(ends) != 2:
            self.raise_error("BETWEEN takes two bounds: (low, high)")
        step = self._parse_unary() if self._match_text_seq("STEP") else None
        return SetDomain(this=table, column=column, low=ends[0], high=ends[-1], step=step)

    def _parse_show(self) -> exp.Expr:
        if not self._match_text_seq("PRIVACY") or self._curr:
            self._refuse("this SHOW statement is not supported", "SHOW PRIVACY")
        return ShowPolicies()

    def _parse_describe(self) -> exp.Expr:  # type: ignore[override]
        if self._prev.text.upper() != "EXPLAIN":
            self._refuse("DESCRIBE is not supported", "EXPLAIN SELECT ..., which shows the plan of a query")
        if self._match_text_seq("ANALYZE"):
            self._refuse(
                "EXPLAIN ANALYZE is not supported",
                "EXPLAIN SELECT ..., which reads no private row",
            )
        return ExplainQuery(this=self._parse_statement())

    def _warn_unsupported(self) -> None:
        """Where sqlglot would warn and go on with a `Command`, stop."""
        self._refuse("this statement is not supported", f"one of: {STATEMENT_FORMS}")

    def _refuse(self, message: str, hint: str) -> NoReturn:
        token: Token = self._tokens[0] if self._tokens else self._prev
        raise UnsupportedSqlError(
            message,
            detail="Only statements whose effect dpduck fully understands are run.",
            hint=f"Write {hint}.",
            position=token.start + 1,
        )


class Dpduck(DuckDB):
    """DuckDB's SQL with privacy policies."""

    # 1_0 would be one number to DuckDB and something else to a reader; it is not needed here.
    NUMBERS_CAN_BE_UNDERSCORE_SEPARATED = False

    def to_json_path(self, path: exp.Expr | None) -> exp.Expr | None:
        """Leave JSON paths alone: they are refused later, and reading them may log a warning."""
        return path

    class Tokenizer(DuckDB.Tokenizer):
        KEYWORDS = {**DuckDB.Tokenizer.KEYWORDS, "EXPLAIN": TokenType.DESCRIBE}  # noqa: RUF012

    Parser = DpduckParser
