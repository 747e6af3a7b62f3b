"""Translates window functions, OVER (...), and the WINDOW clause."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions import refusals
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.public.calls import function
from dpduck.compiler.public.context import Context
from dpduck.compiler.public.ordering import order_by
from dpduck.compiler.public.registry import allow, check, expression, expressions, translates
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.tree.emit import identifier

allow((exp.WindowSpec,), "kind start start_side end end_side exclude")


@translates(exp.Window, arguments="this partition_by order spec alias over")
def _window(node: exp.Expr, context: Context) -> str:
    """Translate function OVER (...). Its rows are the answer's, so the caller does not translate it."""
    if str(node.args.get("over") or "").upper() != "OVER":
        raise refusals.of_node(node)
    context.seen.windowed = True
    return f"{function(node.this, context, windowed=True)} OVER {_over(node, context)}"


def _over(node: exp.Expr, context: Context) -> str:
    alias = node.args.get("alias")
    if alias is not None and context.block.released:
        raise refusal(
            "a named window is not supported here",
            "WINDOW does not reach into the answer of a release.",
            "Write what it stands for after OVER.",
            node,
        )
    text = window_spec(node, context)
    if alias is None:
        return f"({text})"
    select = node.find_ancestor(exp.Select)
    defined = [window.name for window in (select.args.get("windows") or ())] if select is not None else []
    if fold(alias.name) not in map(fold, defined):
        raise refusal(f"there is no window {alias.name}", "WINDOW defines none.", "Write OVER (...).", node)
    return f"({identifier(alias.name)} {text})" if text else identifier(alias.name)


def window_spec(node: exp.Expr, context: Context) -> str:
    """Translate a window specification, without its parentheses."""
    parts = []
    if node.args.get("partition_by"):
        parts.append(f"PARTITION BY {expressions(node.args['partition_by'], context)}")
    if node.args.get("order") is not None:
        check(node.args["order"])
        parts.append(f"ORDER BY {order_by(node.args['order'], context)}")
    if node.args.get("spec") is not None:
        parts.append(_frame(node.args["spec"], context))
    return " ".join(parts)


_EMPTY_ENDS = {("start", "FOLLOWING"), ("end", "PRECEDING")}  # of UNBOUNDED: DuckDB has no such frames
_EXCLUSIONS = frozenset({"CURRENT ROW", "GROUP", "TIES", "NO OTHERS"})


def _frame(spec: exp.Expr, context: Context) -> str:
    check(spec)
    kind, exclude = str(spec.args.get("kind") or "").upper(), spec.args.get("exclude")
    if kind not in ("ROWS", "RANGE", "GROUPS"):
        raise refusals.of_node(spec)
    first = _bound(spec, "start", context)
    last = "CURRENT ROW" if spec.args.get("end") is None else _bound(spec, "end", context)
    context.seen.ranged = True
    text = f"{kind} BETWEEN {first} AND {last}"
    if exclude is None:
        return text
    word = exclude.name.upper() if isinstance(exclude, exp.Expr) else str(exclude).upper()
    if word not in _EXCLUSIONS:
        raise refusals.of_node(spec)
    return f"{text} EXCLUDE {word}"


def _bound(spec: exp.Expr, name: str, context: Context) -> str:
    value, side = spec.args.get(name), str(spec.args.get(f"{name}_side") or "").upper()
    if value == "CURRENT ROW":
        return "CURRENT ROW"
    if side in ("PRECEDING", "FOLLOWING"):
        if value == "UNBOUNDED" and (name, side) not in _EMPTY_ENDS:
            return f"UNBOUNDED {side}"
        if isinstance(value, exp.Expr):
            return f"{expression(value, context)} {side}"
    raise refusals.of_node(spec)
