"""No decision is made on the text of SQL: what an expression is made of is asked of its tree.

SQL is what a printer or a writer of public SQL gave, and all that is put together of it. Looking into it
would take a literal, an alias or a quoted name of a query for what it quotes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SOURCES = sorted((ROOT / "dpduck").rglob("*.py"))

_WRITERS = {"sql", "expression", "expressions", "public_expression", "answer_sql", "write_call"}
_METHODS = {
    *("find", "rfind", "index", "rindex", "count", "startswith", "endswith", "replace", "translate"),
    *("split", "rsplit", "partition", "rpartition", "removeprefix", "removesuffix", "strip", "splitlines"),
}
_SEARCHES = {"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}

# Where a text is looked at all the same, and why that decides nothing.
ALLOWED = {
    ("dpduck/compiler/public/expansion.py", "is_atomic"): "which of two spellings of the same is written",
    ("dpduck/doors/gateway/router.py", "parameters"): "whether the parser has to look for parameters at all",
    ("dpduck/doors/gateway/conversation.py", "_parse"): "the same",
    (
        "dpduck/doors/gateway/pg_catalog/__init__.py",
        "concerns",
    ): "a query as it came, before it is parsed: its first word",
    ("dpduck/doors/gateway/pg_catalog/system.py", "declared_types"): "a script of our own",
    ("dpduck/doors/audit/doors.py", "ask"): "a query that the audit itself wrote",
    ("dpduck/policies/schema.py", "computed_columns"): "DuckDB's own text of a table: nothing else says this",
    ("dpduck/policies/schema.py", "read_schema"): "a mapping by the names of tables, no text",
    ("dpduck/doors/cli/demo.py", "_show_sql"): "how it is indented",
}


def looks(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The functions, and lines, that look into SQL."""
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            known = _names_of_sql(function)
            for node in _own(function):
                if _looks(node, known):
                    yield function.name, node.lineno  # type: ignore[attr-defined]


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """What is in a function, but for what is in functions in it."""
    stack = list(ast.iter_child_nodes(function))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            stack += ast.iter_child_nodes(node)


def _names_of_sql(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The variables that hold SQL, by what they are called and by what is assigned to them."""
    known: set[str] = set()
    grown = True
    while grown:
        before = len(known)
        for node in _own(function):
            if isinstance(node, ast.Assign) and _is_sql(node.value, known):
                known |= {name.id for target in node.targets for name in ast.walk(target) if _is_name(name)}
            if isinstance(node, (ast.AugAssign, ast.AnnAssign)) and node.value is not None:
                known |= {node.target.id} if _is_name(node.target) and _is_sql(node.value, known) else set()
            if isinstance(node, ast.comprehension) and _is_sql(node.iter, known):
                known |= {name.id for name in ast.walk(node.target) if _is_name(name)}
        grown = len(known) > before
    return known


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


def _is_sql(node: ast.AST, known: set[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return name in known or _is_called_so(name)
        case ast.Attribute(attr=name):
            return _is_called_so(name)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in _WRITERS
        case ast.JoinedStr(values=parts):
            return any(isinstance(one, ast.FormattedValue) and _is_sql(one.value, known) for one in parts)
        case ast.BinOp(left=left, right=right):
            return _is_sql(left, known) or _is_sql(right, known)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(_is_sql(one, known) for one in parts)
        case ast.GeneratorExp(elt=part) | ast.ListComp(elt=part):
            return _is_sql(part, known)
    return False


def _is_called_so(name: str) -> bool:
    return name == "sql" or name.endswith("_sql")


def _looks(node: ast.AST, known: set[str]) -> bool:
    match node:
        case ast.Compare(ops=ops, comparators=others):
            pairs = zip(ops, others, strict=True)
            inside = any(
                isinstance(op, (ast.In, ast.NotIn)) and _is_text(other, known) for op, other in pairs
            )
            built = any(isinstance(one, ast.JoinedStr) for one in (node.left, *others))
            return inside or (built and any(_is_text(one, known) for one in (node.left, *others)))
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=arguments):
            searched = name in _SEARCHES and any(_is_text(one, known) for one in arguments)
            asked = name in _METHODS and not _are_classes(arguments) and _is_text(value, known)
            return searched or asked
    return False


def _is_text(node: ast.AST, known: set[str]) -> bool:
    """Whether it is one text, and no collection of them."""
    return not isinstance(node, (ast.Tuple, ast.List, ast.GeneratorExp, ast.ListComp)) and _is_sql(
        node, known
    )


def _are_classes(arguments: list[ast.expr]) -> bool:
    """Whether something is asked of a tree of sqlglot: tree.find(exp.Column)."""
    return any(isinstance(one, ast.Attribute) for one in arguments) or not arguments


@pytest.mark.slow
def test_no_text_of_sql_is_searched() -> None:
    found = {
        (str(path.relative_to(ROOT)), function, line)
        for path in SOURCES
        for function, line in looks(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert sorted(one for one in found if one[:2] not in ALLOWED) == []
    assert {one[:2] for one in found} == set(ALLOWED)


OLD = [
    'def f(terms):\n    return any(" OVER (" in sql for sql in terms)',
    "def f(self, column):\n    sql = answer_sql(self)\n    return any(released(end) in sql for end in ENDS)",
    "def f(sql, question):\n    return sql.replace(released(question), RANK)",
    "def f(sql, reader):\n    return {r for r in reader.requests if released(r.column) in sql}",
    'def f(plan):\n    return " WHERE " not in plan.answer_sql and plan.answer_sql.count("SELECT") == 1',
    "def f(self, shown):\n    return self.answer_sql == f'SELECT {shown} FROM {RELEASE}'",
    'def f(self, sql):\n    return sql.startswith(f"{self.alias}.")',
    'def f(sql, others):\n    return not any(f"{one.alias}." in sql for one in others)',
    'def f(node, context):\n    value = expression(node, context)\n    return "BETWEEN" not in value',
    "def f(item, context):\n    text = expression(item, context)\n    return text.startswith('\"')",
    "def f(node, keys):\n    test = sql(node)\n    return re.sub(keys, '', test)",
    'def f(rows):\n    test = f"{sql(rows)} = 1"\n    return re.search("t", test)',
]


@pytest.mark.parametrize("text", OLD)
def test_what_looked_into_sql_is_seen(text: str) -> None:
    assert list(looks(ast.parse(text)))
