"""Parses the statements that are not queries: ALTER TABLE, CREATE, DROP and SHOW PRIVACY.

sqlglot's parser calls one method for each first keyword. These methods parse dpduck's own statements by
recursive descent, and refuse all others. Snowflake's syntax for the same statements is accepted too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlglot import exp
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.tokenizer_core import Token, TokenType

from dpduck.compiler.parse.csv_statements import parse_csv_format
from dpduck.compiler.parse.effort import LimitedParser
from dpduck.compiler.parse.nodes import refusal, scalar
from dpduck.compiler.parse.summary_statements import (
    alter_summary,
    drop_summary,
    parse_summary,
    show_summaries,
    words_of_summary,
)
from dpduck.kernel.accounting.amounts import parse_budget, parse_delta, parse_epsilon
from dpduck.kernel.catalog.statements import (
    ACCOUNTINGS,
    WINDOWS,
    Accounting,
    AddPrivacyKey,
    AddPrivacyLink,
    AlterBudget,
    CreateBudget,
    DomainRange,
    DomainReference,
    DomainText,
    DomainValues,
    DropBudget,
    DropContribution,
    DropPrivacy,
    DropPrivacyDomain,
    DropPrivacyKey,
    DropPrivacyLink,
    PolicyStatement,
    SetContribution,
    SetPrivacyDomain,
    SetPublic,
    SetVersion,
    ShowBudgets,
    ShowBudgetsFor,
    ShowPrivacy,
    ShowPrivacyFor,
    ShowStatement,
    TableName,
    TableStatement,
    Window,
    parse_bound,
)
from dpduck.kernel.errors import ParameterError, UnsupportedSqlError
from dpduck.kernel.errors.advice import Hint
from dpduck.kernel.errors.names import written

_TABLE_FORMS = (
    "ALTER TABLE t ADD PRIVACY_KEY (col), ADD PRIVACY_LINK (col) REFERENCES t(col), SET PUBLIC, SET PRIVACY "
    "CONTRIBUTION (groups = 5, rows = 1), DROP PRIVACY_KEY, DROP PRIVACY_LINK or DROP PRIVACY CONTRIBUTION"
)
_COLUMN_FORMS = (
    "ALTER TABLE t ALTER COLUMN c SET PRIVACY DOMAIN IN (...), BETWEEN (low, high) [STEP s] or REFERENCES "
    "public_table(col), each [OR NULL], or DROP PRIVACY DOMAIN"
)
_BUDGET_FORM = (
    "CREATE PRIVACY BUDGET name LIMIT 10 [DELTA 1e-5] [PER QUERY 0.5] [WINDOW 'month'] "
    "[ACCOUNTING zcdp|gdp [KEYS DELTA 1e-6]] [FOR analyst, ...]"
)
_SNOWFLAKE_FORM = (
    "CREATE PRIVACY POLICY name AS () RETURNS PRIVACY_BUDGET -> PRIVACY_BUDGET(BUDGET_NAME => 'name', "
    "BUDGET_LIMIT => 10, MAX_BUDGET_PER_AGGREGATE => 0.5, BUDGET_WINDOW => 'monthly')"
)
# Snowflake's names for the clauses and the windows of a budget.
_SNOWFLAKE_CLAUSES = {
    "budget_name": "name",
    "budget_limit": "limit",
    "max_budget_per_aggregate": "per query",
    "budget_window": "window",
}
_SNOWFLAKE_WINDOWS: dict[str, Window | None] = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "never": None,
}
_ESTIMATE = "ESTIMATE_REMAINING_DP_AGGREGATES"


class StatementNode(exp.Expression):
    """The node of a parsed statement that is not a query: `this` is its record."""

    arg_types = {"this": True}  # noqa: RUF012 (the form that sqlglot prescribes)


_DROPS: dict[tuple[str, ...], type[TableStatement]] = {
    ("PRIVACY_KEY",): DropPrivacyKey,
    ("PRIVACY_LINK",): DropPrivacyLink,
    ("PRIVACY", "CONTRIBUTION"): DropContribution,
    ("PRIVACY",): DropPrivacy,  # last, since others have the same prefix
}


class PolicyParser(LimitedParser, DuckDBParser):
    """DuckDB's parser with ALTER, CREATE, DROP and SHOW limited to privacy policies and budgets."""

    def _parse_alter(self) -> exp.Expr:  # type: ignore[override]
        if words_of_summary(self):
            return StatementNode(this=alter_summary(self))
        if self._match_text_seq("PRIVACY", "BUDGET"):
            name = self._name()
            return self._node(AlterBudget(name, tuple(_read_clauses(name, self._clauses()).items())))
        if not self._match(TokenType.TABLE):
            raise self._refusal("this ALTER statement is not supported", _TABLE_FORMS)
        table = self._table_name()
        if self._match_text_seq("ALTER"):
            self._match_text_seq("COLUMN")
            return self._node(self._alter_column(table, self._column_name()))
        return self._node(self._alter_table(table))

    def _node(self, statement: PolicyStatement) -> StatementNode:
        """Return the node of a policy statement, and parse FORCE, which accepts irreversible consequences."""
        return StatementNode(
            this=replace(statement, forced=True) if self._match_text_seq("FORCE") else statement
        )

    def _alter_table(self, table: TableName) -> PolicyStatement:
        if self._match_text_seq("ADD", "PRIVACY_KEY"):
            return AddPrivacyKey(table, self._parse_wrapped(self._name))
        if self._match_text_seq("ADD", "PRIVACY_LINK"):
            column = self._parse_wrapped(self._name)
            return AddPrivacyLink(table, column, *self._references())
        if self._match_text_seq("SET", "PUBLIC"):
            return SetPublic(table)
        if self._match_text_seq("SET", "CSV"):
            return parse_csv_format(self, table)
        if self._match_text_seq("SET", "PRIVACY", "CONTRIBUTION"):
            return self._contribution(table)
        if self._match_text_seq("SET", "PRIVACY", "VERSION"):
            return SetVersion(table, constant_text(self._value()))
        dropped = next((made for words, made in _DROPS.items() if self._match_text_seq("DROP", *words)), None)
        if dropped is None:
            raise self._refusal("this ALTER TABLE statement is not supported", _TABLE_FORMS)
        return dropped(table)

    def _alter_column(self, table: TableName, column: str) -> PolicyStatement:
        if self._match_text_seq("DROP", "PRIVACY", "DOMAIN"):
            return DropPrivacyDomain(table, column)
        if not self._match_text_seq("SET", "PRIVACY", "DOMAIN"):
            raise self._refusal("this ALTER COLUMN statement is not supported", _COLUMN_FORMS)
        domain = self._domain()
        return SetPrivacyDomain(table, column, domain, or_null=bool(self._match_text_seq("OR", "NULL")))

    def _domain(self) -> DomainText:
        if self._match(TokenType.IN):
            return DomainValues(tuple(map(scalar, self._parse_wrapped_csv(self._parse_unary))))
        if self._match(TokenType.REFERENCES, advance=False):
            return DomainReference(*self._references())
        if not self._match(TokenType.BETWEEN):
            raise self._refusal("this form of PRIVACY DOMAIN is not supported", _COLUMN_FORMS)
        if self._match(TokenType.L_PAREN, advance=False):
            ends = [scalar(node) for node in self._parse_wrapped_csv(self._parse_unary)]
        else:  # as in a condition: low AND high
            ends = [scalar(self._value())]
            if self._match(TokenType.AND):
                ends.append(scalar(self._value()))
        if len(ends) != 2:
            self.raise_error("BETWEEN takes two bounds: (low, high)")
        return DomainRange(ends[0], ends[-1], scalar(self._value()) if self._match_text_seq("STEP") else None)

    def _references(self) -> tuple[TableName, str]:
        if not self._match(TokenType.REFERENCES):
            self.raise_error("Expecting REFERENCES t(col)")
        return self._table_name(), self._parse_wrapped(self._name)

    def _contribution(self, table: TableName) -> PolicyStatement:
        given = self._named_values(TokenType.EQ, ("groups", "rows"), "SET PRIVACY CONTRIBUTION")
        bounds = {name: parse_bound(constant_text(node), name) for name, node in given.items()}
        return SetContribution(table, bounds.get("groups"), bounds.get("rows"))

    # --- budgets ---------------------------------------------------------------------------------

    def _parse_create(self) -> exp.Expr:  # type: ignore[override]
        start = self._index
        or_replace = bool(self._match_pair(TokenType.OR, TokenType.REPLACE))
        if words_of_summary(self):
            return StatementNode(this=parse_summary(self, or_replace=or_replace))
        if self._match_text_seq("PRIVACY", "BUDGET"):
            return self._node(_budget(self._name(), self._clauses(), or_replace=or_replace))
        if self._match_text_seq("PRIVACY", "POLICY"):
            return self._node(self._snowflake_policy(or_replace=or_replace))
        self._retreat(start)
        return super()._parse_create()

    def _parse_drop(self, exists: bool = False, kind: str | None = None) -> exp.Expr:  # type: ignore[override]
        if words_of_summary(self):
            return StatementNode(this=drop_summary(self))
        if self._match_text_seq("PRIVACY", "BUDGET"):
            return self._node(DropBudget(self._name()))
        return super()._parse_drop(exists, kind)

    def _clauses(self) -> dict[str, Any]:
        """Parse LIMIT and the other clauses of a budget: the text of each by its keyword."""
        clauses: dict[str, Any] = {}
        while True:
            clause = next((words for words in _BUDGET_CLAUSES if self._match_text_seq(*words)), None)
            if clause is None:
                break
            key = " ".join(clause).lower()
            if key in clauses:
                self.raise_error(f"{' '.join(clause)} is given twice")
            if key == "for":
                clauses[key] = tuple(self._parse_csv(self._analyst))
            else:
                clauses[key] = self._name() if key == "accounting" else constant_text(self._value())
        return clauses

    def _snowflake_policy(self, *, or_replace: bool) -> PolicyStatement:
        name = self._name()
        body = ("AS", "(", ")", "RETURNS", "PRIVACY_BUDGET", "->", "PRIVACY_BUDGET")
        if not self._match_text_seq(*body):
            raise self._refusal("this form of PRIVACY POLICY is not supported", _SNOWFLAKE_FORM)
        given = self._named_values(TokenType.FARROW, tuple(_SNOWFLAKE_CLAUSES), "PRIVACY_BUDGET")
        clauses = {_SNOWFLAKE_CLAUSES[word]: constant_text(node) for word, node in given.items()}
        window = clauses.pop("window", "never").lower()
        if window not in _SNOWFLAKE_WINDOWS:
            raise ParameterError(
                f"{window!r} is not a budget window",
                detail=f"It is one of {', '.join(_SNOWFLAKE_WINDOWS)}.",
                hint="Write BUDGET_WINDOW => 'monthly'.",
            )
        named = clauses.pop("name", name)
        return _budget(named, {**clauses, "window": _SNOWFLAKE_WINDOWS[window]}, or_replace=or_replace)

    # --- SHOW ------------------------------------------------------------------------------------

    def _parse_show(self) -> exp.Expr:
        summaries = show_summaries(self)
        if summaries is not None:
            return StatementNode(this=summaries)
        if self._match_text_seq("PRIVACY", "BUDGETS") and not self._curr:
            return StatementNode(this=ShowBudgets())
        if self._match_text_seq("PRIVACY", "FOR"):
            return StatementNode(this=ShowPrivacyFor(self._table_name()))
        if not self._match_text_seq("PRIVACY") or self._curr:
            raise self._refusal(
                "this SHOW statement is not supported",
                "SHOW PRIVACY, which lists tables and policies",
            )
        return StatementNode(this=ShowPrivacy())

    # --- words -----------------------------------------------------------------------------------

    def _name(self) -> str:
        is_constant = self._curr.token_type in (TokenType.STRING, TokenType.NUMBER)
        node = None if is_constant else self._parse_id_var()
        if node is None:
            self.raise_error("Expecting a name")
        assert node is not None
        return node.name

    def _column_name(self) -> str:
        """Parse the name of a column, or of a field of a STRUCT: its column and fields, joined by dots."""
        names = [self._name()]
        while self._match(TokenType.DOT):
            names.append(self._name())
        return ".".join(names)

    def _value(self) -> exp.Expr:
        node = self._parse_unary()
        if node is None:
            self.raise_error("Expecting a value")
        assert node is not None
        return node

    def _table_name(self) -> TableName:
        name = self._name()
        return TableName(self._name(), name) if self._match(TokenType.DOT) else TableName(name)

    def _analyst(self) -> str:
        if self._match(TokenType.STRING):
            return self._prev.text
        return self._name()

    def _named_values(self, sign: TokenType, known: tuple[str, ...], what: str) -> dict[str, exp.Expr]:
        """Parse (name = value, ...). Each name must be in `known`, and may appear once."""
        pairs = self._parse_wrapped_csv(lambda: self._named_value(sign))
        names = [name for name, _ in pairs]
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None:
            raise ParameterError(
                f"{what} has no option {unknown}",
                detail=f"Its options are {', '.join(known)}.",
                hint="Leave it out.",
            )
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ParameterError(f"option {twice} is given twice", hint="Leave one out.")
        return dict(pairs)

    def _named_value(self, sign: TokenType) -> tuple[str, exp.Expr]:
        name = self._name().lower()
        if not self._match(sign):
            self.raise_error("Expecting name = value" if sign == TokenType.EQ else "Expecting name => value")
        return name, self._value()

    def _refusal(self, message: str, form: Hint | str) -> UnsupportedSqlError:
        token: Token = self._tokens[0] if self._tokens else self._prev
        return UnsupportedSqlError(
            message,
            detail="Only statements whose effect dpduck fully understands are run.",
            hint=Hint.of("Write ", form, "."),
            position=token.start + 1,
        )


_BUDGET_CLAUSES = (
    ("LIMIT",),
    ("DELTA",),
    ("PER", "QUERY"),
    ("WINDOW",),
    ("ACCOUNTING",),
    ("KEYS", "DELTA"),
    ("FOR",),
)


def constant_text(node: exp.Expr) -> str:
    """Return the text of a constant, so that 0.10 and 1e-6 stay exact. Errors: UnsupportedSqlError."""
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return f"-{node.this.this}"
    if isinstance(node, exp.Literal):
        return str(node.this)
    raise refusal(
        "a constant is expected here",
        "It must be a number or a string, as it stands.",
        "Write the value itself, such as 0.5.",
        node,
    )


def budgets_asked(tree: exp.Expr) -> ShowStatement | None:
    """Read Snowflake's SELECT * FROM TABLE(ESTIMATE_REMAINING_DP_AGGREGATES('t')); None for other queries."""
    source = tree.args.get("from_") if isinstance(tree, exp.Select) else None
    call = source.this.this if isinstance(source, exp.From) and isinstance(source.this, exp.Table) else None
    if isinstance(call, exp.Anonymous) and call.name.upper() == "TABLE" and len(call.expressions) == 1:
        call = call.expressions[0]
    if isinstance(call, exp.Dot):
        call = call.expression
    if not isinstance(call, exp.Anonymous) or call.name.upper() != _ESTIMATE:
        return None
    argument = call.expressions[0] if len(call.expressions) == 1 else None
    if not isinstance(argument, exp.Literal) or not argument.is_string or not _is_plain(tree):
        raise refusal(
            f"this use of {_ESTIMATE} is not supported",
            "It takes the name of a table, and its answer is taken as it is.",
            f"Write SELECT * FROM TABLE({_ESTIMATE}('t')).",
            tree,
        )
    return ShowBudgetsFor(_dotted(str(argument.this)))


def _is_plain(tree: exp.Expr) -> bool:
    """Whether the query is SELECT * FROM with one source and no other clause."""
    clauses = {name for name, value in tree.args.items() if value}
    source = {name for name, value in tree.args["from_"].this.args.items() if value}
    return clauses == {"expressions", "from_"} and tree.expressions == [exp.Star()] and source == {"this"}


def _dotted(text: str) -> TableName:
    schema, _, name = text.rpartition(".")
    return TableName(name, schema or None)


def _budget(name: str, clauses: dict[str, Any], *, or_replace: bool) -> PolicyStatement:
    if "limit" not in clauses:
        raise ParameterError(
            "a privacy budget has a name first"
            if _begins_clause(name)
            else f"privacy budget {name} has no LIMIT",
            detail="A budget is a cap in epsilon.",
            hint=_example(f"CREATE {'OR REPLACE ' * or_replace}PRIVACY BUDGET", name),
        )
    return CreateBudget(name, **_read_clauses(name, clauses), replace=or_replace)


def _example(words: str, name: str) -> str:
    """Return a statement that runs, with the whole form."""
    example = f"{words} {'everyone' if _begins_clause(name) else written(name)} LIMIT 10"
    return f"Write {example}; the whole form is {_BUDGET_FORM}."


def _begins_clause(name: str) -> bool:
    """Whether what stands for a name is the first word of a clause, so that the name is forgotten."""
    return any(name.upper() == clause[0] for clause in _BUDGET_CLAUSES)


def _read_clauses(name: str, clauses: dict[str, Any]) -> dict[str, Any]:
    """Convert the clauses of a budget to the fields of its statement. Errors: ParameterError."""
    if not clauses:
        hint = _example("ALTER PRIVACY BUDGET", name)
        raise ParameterError(f"nothing is said of privacy budget {name}", hint=hint)
    return {_FIELDS[clause][0]: _FIELDS[clause][1](value) for clause, value in clauses.items()}


def _window(written: str | None) -> Window | None:
    if written is None or written in WINDOWS:
        return written
    raise ParameterError(
        f"{written!r} is not a budget window",
        detail=f"It is one of {', '.join(WINDOWS)}.",
        hint="Write WINDOW 'month', or leave it out.",
    )


def _accounting(written: str) -> Accounting:
    if written.lower() in ACCOUNTINGS:
        return written.lower()  # type: ignore[return-value]
    raise ParameterError(
        f"{written!r} is not a way of accounting",
        detail=f"It is one of {', '.join(ACCOUNTINGS)}.",
        hint="Write ACCOUNTING zcdp or gdp, or leave it out.",
    )


_FIELDS: dict[str, tuple[str, Callable[[Any], object]]] = {
    "limit": ("epsilon", lambda text: parse_budget(text, "limit")),
    "delta": ("delta", parse_delta),
    "per query": ("per_query", parse_epsilon),
    "window": ("window", _window),
    "accounting": ("accounting", _accounting),
    "keys delta": ("keys_delta", parse_delta),
    "for": ("analysts", tuple),
}
