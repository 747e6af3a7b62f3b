"""Refusals of SQL that has no translation: what is refused, why, and what to write instead."""

from __future__ import annotations

from difflib import get_close_matches

from sqlglot import exp

from dpduck.compiler.functions.table import FUNCTION_NAMES
from dpduck.compiler.parse.dialect import AggregateTerms
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.write import call_names
from dpduck.kernel.errors import UnsupportedSqlError

Reason = tuple[str, str]

_MOST_NEAR, _ALIKE = 5, 0.7  # suggestions, and how alike they are to what was written

_CLOCK: Reason = (
    "Of the clock, now(), current_date and localtimestamp are known, as they are when the query is planned.",
    "Write one of these, as in current_date - 7, or a date, DATE '2024-01-31'.",
)
_CHANCE: Reason = (
    "Its result is drawn anew each time, so that one question would have two answers.",
    "Leave it out, or order by a column.",
)
_FILES: Reason = (
    "It could read files, settings or other tables, past their policies.",
    "Name a table of the database after FROM.",
)
_STATE: Reason = (
    "It reads or changes what the server keeps besides the tables, from one statement to the next.",
    "Leave it out, or write its value.",
)
_COST: Reason = (
    "One short call can take all memory.",
    "Write the value itself, or use a table that holds the values.",
)
_LARGE: Reason = (
    "What it holds of each group is large, and DuckDB does not count it.",
    "Write GROUP BY x ORDER BY count(*) DESC LIMIT 3.",
)
_SLOW: Reason = (
    "The time that it takes grows with the lengths of both texts, multiplied.",
    "Compare the texts with =, starts_with, jaccard or hamming.",
)
_STOP: Reason = ("It stops or delays a query on purpose.", "Leave it out; NULL marks a missing value.")
_LISTED: Reason = (
    "Only functions that are known to have no side effects and a bounded cost are called.",
    "Use another function, or compute it from the answer.",
)
_SYNTAX: Reason = (
    "Queries are written anew from parts that are fully understood, and this is not one of them.",
    "Leave it out, or write it in simpler SQL.",
)
_MACRO: Reason = (
    "It is a macro of DuckDB, in whose body other functions may be put.",
    "Write what it stands for, or leave it out.",
)
_INSTEAD_OF_MACROS = (
    ("Write sum(x * w) / sum(w).", "wavg weighted_avg"),
    ("Write exp(avg(ln(x))).", "geomean geometric_mean"),
    ("Write floor(x / y).", "fdiv"),
    ("Write list_contains(map_values(m), x).", "map_contains_value"),
    ("Write list_append(l, x).", "array_push_back"),
    ("Write list_prepend(x, l).", "array_push_front"),
    ("Write l[:-2].", "array_pop_back"),
    ("Write l[2:].", "array_pop_front"),
    ("Read the list from the answer, and turn it round there.", "list_reverse array_reverse"),
)
# Functions of other databases: DuckDB's form of each.
OF_OTHERS = (
    ("Write if(x > 3, 'a', 'b').", "iff iif"),
    ("Write coalesce(x, 0).", "zeroifnull isnull"),
    ("Write nullif(x, 0).", "nullifzero"),
    ("Write CASE WHEN y <> 0 THEN x / y END.", "safe_divide ieee_divide div0"),
    ("Write strftime(x, '%Y-%m').", "format_date format_datetime format_timestamp date_format to_varchar"),
    ("Write TRY_CAST(x AS DATE), or TRY_CAST(x AS TIMESTAMP).", "parse_date parse_timestamp str_to_date"),
    ("Write x + INTERVAL 1 DAY.", "dateadd add_months"),
    ("Write now() or current_date.", "getdate sysdate"),
    ("Write quantile_cont(x, [0.25, 0.5, 0.75]).", "approx_quantiles approx_percentile"),
    ("Write substr(x, 1, 2).", "mid"),
    ("Write LIMIT with its number at the end of the query.", "top"),
    ("Write strpos(x, 'a').", "charindex locate"),
    ("Each aggregate is private: write count(*), sum(x) or avg(x).", "anon_count anon_sum anon_avg"),
)
_OF_OTHERS = "DuckDB has no function of this name."
_MACRO_ONCE = "It was a macro until DuckDB 2, in whose body other functions may be put."
INSTEAD_OF_FORMER_MACROS = (
    ("Write x - y * floor(x / y), or x % y, whose sign is that of x.", "fmod"),
    ("Write round(x, n), which takes halves away from zero.", "round_even roundbankers"),
)
_LAMBDA: Reason = (
    "It would be a function of your own.",
    "Use list_contains, list_sort, list_distinct and l[1].",
)
_LATER: Reason = (
    "A list stays one value of a row.",
    "Read the list from the answer, or take one element, l[1].",
)

_REASONS: tuple[tuple[Reason, str], ...] = (
    (
        _CLOCK,
        "now get_current_timestamp get_current_time transaction_timestamp current_localtime "
        "current_localtimestamp age ago",
    ),
    (_CHANCE, "random rand generate_uuid uuid uuidv4 uuidv7 gen_random_uuid setseed reservoir_quantile"),
    (
        _FILES,
        "query query_table glob read_csv read_csv_auto read_json read_json_auto read_ndjson read_parquet "
        "parquet_scan read_text read_blob sniff_csv parquet_metadata parquet_schema sqlite_scan "
        "postgres_scan iceberg_scan delta_scan seq_scan test_all_types which_secret",
    ),
    (
        _STATE,
        "getenv getvariable current_setting nextval currval setval write_log txid_current current_query "
        "current_connection_id current_query_id current_transaction_id in_search_path stats vector_type user "
        "current_user session_user current_role current_schema current_schemas current_database "
        "current_catalog version",
    ),
    (
        _COST,
        "repeat range generate_series generate_subscripts list_resize array_resize bar array_cross_product "
        "bitstring bitstring_agg",
    ),
    (
        _SLOW,
        "levenshtein editdist3 damerau_levenshtein jaro_similarity jaro_winkler_similarity "
        "jarowinkler_similarity",
    ),
    (_STOP, "error assert_true sleep_ms pg_sleep"),
    (_MACRO, "map_contains_entry"),
    *(((_OF_OTHERS, hint), names) for hint, names in OF_OTHERS),
    *(((_MACRO[0], hint), names) for hint, names in _INSTEAD_OF_MACROS),
    *(((_MACRO_ONCE, hint), names) for hint, names in INSTEAD_OF_FORMER_MACROS),
    (_LATER, "unnest unlist regexp_split_to_table"),
)
_FUNCTIONS = {name: reason for reason, names in _REASONS for name in names.split()}
_PREFIXES: dict[str, Reason] = {"read_": _FILES, "duckdb_": _STATE, "pragma_": _STATE, "pg_": _STATE}

_NODES: dict[type[exp.Expr], tuple[str, Reason]] = {
    **dict.fromkeys(
        (exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp, exp.Localtime, exp.Localtimestamp),
        ("the current date or time is not supported", _CLOCK),
    ),
    exp.ToChar: (
        "this call of to_char is not supported",
        (
            "It writes dates and times, by a constant pattern of YYYY YY MM Mon DD DDD Dy HH24 HH12 MI SS MS "
            "US AM IYYY IW ID FMMonth FMDay, or Month or Day alone.",
            "Write to_char(x, 'YYYY-MM-DD'), or strftime(x, '%Y-%m-%d').",
        ),
    ),
    exp.TableSample: ("a sample is not supported", _CHANCE),
    **dict.fromkeys(
        (
            exp.CurrentUser,
            exp.SessionUser,
            exp.CurrentRole,
            exp.CurrentSchema,
            exp.CurrentSchemas,
            exp.CurrentDatabase,
            exp.CurrentCatalog,
            exp.CurrentVersion,
        ),
        ("the state of the session is not supported", _STATE),
    ),
    exp.ReadCSV: ("the function read_csv is not supported", _FILES),
    exp.ReadParquet: ("the function read_parquet is not supported", _FILES),
    exp.ApproxTopK: ("approx_top_k of what is public is not supported", _LARGE),
    exp.GenerateSeries: ("range and generate_series are not supported", _COST),
    exp.Repeat: ("the function repeat is not supported", _COST),
    exp.Explode: ("unnest is not supported", _LATER),
    exp.Unnest: ("unnest is not supported", _LATER),
    exp.With: (
        "WITH is not supported here",
        (
            "Its queries are put in the place of their names, unless it is recursive.",
            "Write a subquery in FROM.",
        ),
    ),
    **dict.fromkeys(
        (exp.Lambda, exp.Transform, exp.ArrayFilter, exp.Reduce),
        ("a lambda is not supported", _LAMBDA),
    ),
    exp.Comprehension: ("a list comprehension is not supported", _LAMBDA),
    exp.Columns: (
        "COLUMNS is not supported",
        ("It stands for many expressions at once.", "Write *, * EXCLUDE (column), or each column."),
    ),
    exp.Pivot: (
        "PIVOT and UNPIVOT are not supported",
        (
            "Of them only the statement PIVOT is.",
            "Write PIVOT t ON page IN ('a', 'b') USING count(*) GROUP BY region.",
        ),
    ),
    exp.LimitOptions: (
        "LIMIT with a percentage or ties is not supported",
        ("LIMIT takes a number of rows.", "Write LIMIT 10."),
    ),
    exp.Fetch: ("FETCH is not supported", ("LIMIT says the same.", "Write LIMIT 10.")),
    exp.WithinGroup: (
        "WITHIN GROUP is not supported",
        ("DuckDB's own spelling is shorter.", "Write quantile_cont(x, 0.5), median(x) or mode(x)."),
    ),
    exp.Placeholder: (
        "a parameter has no value",
        ("Parameters are replaced by constants before a query is read.", "Pass a value for each."),
    ),
    exp.Parameter: (
        "this form of parameter is not supported",
        ("Only ?, $1 and $name are.", "Write $1 and pass [value]."),
    ),
    exp.RegexpILike: (
        "the operator ~* is not supported",
        ("Functions say what is matched.", "Write regexp_matches(text, 'pattern', 'i')."),
    ),
    exp.RawString: ("$$ strings are not supported", ("One spelling is enough.", "Write 'text'.")),
    exp.ByteString: ("E'' strings are not supported", ("One spelling is enough.", "Write 'text'.")),
    exp.National: ("N'' strings are not supported", ("One spelling is enough.", "Write 'text'.")),
    **dict.fromkeys(
        (exp.Alias, exp.Aliases),
        (
            "a name for an expression is not supported here",
            (
                "Columns of a select list, tables and subqueries have names.",
                "Leave the name out, and _ in numbers: 1000.",
            ),
        ),
    ),
    exp.Collate: (
        "COLLATE is not supported",
        ("Texts are compared as they are.", "Compare lower(x), or strip_accents(x)."),
    ),
    exp.Into: ("SELECT INTO is not supported", ("Queries write nothing.", "Leave it out.")),
    exp.Lock: ("FOR UPDATE is not supported", ("Queries change nothing.", "Leave it out.")),
    exp.PositionalColumn: (
        "a column by its number is not supported",
        ("Names say which column is meant.", "Write the name of the column."),
    ),
    **dict.fromkeys(
        (exp.PropertyEQ, exp.Kwarg),
        (
            "a named argument is not supported",
            ("Functions that may be called take their arguments by place.", "Write {'a': 1} for a struct."),
        ),
    ),
    **dict.fromkeys(
        (exp.JSONExtract, exp.JSONExtractScalar),
        (
            "JSON is not supported",
            (
                "Its paths are a language of their own. Over private rows they are keys, and parts of keys, "
                "conditions and aggregates; two are the same if they are written with the same letters.",
                "Group by the path that you select, or use a table with a column for each field.",
            ),
        ),
    ),
    AggregateTerms: (
        "contribution bounds and epsilon are not supported here",
        (
            "They say what one person brings to an aggregate.",
            "Write sum(x, contribution_bounds_per_group => (LOW, HIGH)).",
        ),
    ),
    exp.Star: (
        "* is not supported here",
        ("It stands for all columns of a select list.", "Write count(*), or name one column."),
    ),
}

# Arguments that nodes may not have.
_ARGUMENTS: dict[tuple[type[exp.Expr], str], tuple[str, Reason]] = {
    (exp.Table, "catalog"): (
        "a table of another database is not supported",
        ("Policies belong to one database.", "Write the table's name, or schema.table."),
    ),
    (exp.Column, "catalog"): (
        "a column of another database is not supported",
        ("Policies belong to one database.", "Write table.column."),
    ),
}


def of_node(node: exp.Expr) -> UnsupportedSqlError:
    """Return the refusal of a node that has no translation."""
    entry = _NODES.get(type(node))
    if entry is not None:
        message, reason = entry
        return refusal(message, *reason, node)
    if isinstance(node, exp.Func) and name_of(node) != call_names.NAMELESS:
        return of_function(name_of(node), node)
    return refusal(f"{name_of(node)} is not supported", *_SYNTAX, node)


def of_argument(node: exp.Expr, name: str) -> UnsupportedSqlError:
    """Return the refusal of an argument that a translated node may not have."""
    entry = _ARGUMENTS.get((type(node), name))
    if entry is not None:
        message, reason = entry
        return refusal(message, *reason, node)
    value = node.args[name]
    first = value[0] if isinstance(value, list) else value
    if isinstance(first, exp.Expr) and type(first) in _NODES:
        return of_node(first)
    word, within = call_names.clause_of(name), name_of(node)
    what = f"this form of {within}" if word is None else f"{word} in {within}"
    return refusal(f"{what} is not supported", *_SYNTAX, node)


def of_function(name: str, node: exp.Expr) -> UnsupportedSqlError:
    """Return the refusal of a function that is not in the table."""
    reason = _FUNCTIONS.get(name)
    for prefix, other in _PREFIXES.items():
        if reason is None and name.startswith(prefix):
            reason = other
    why, hint = reason or (_LISTED[0], near_names(name) or _LISTED[1])
    return refusal(f"the function {name} is not supported", why, hint, node)


def of_others(name: str) -> Reason | None:
    """Return the reason against a function that other databases have, and DuckDB's form; None for others."""
    reason = _FUNCTIONS.get(name)
    return reason if reason is not None and reason[0] == _OF_OTHERS else None


def near_names(name: str) -> str:
    """Return a question for those functions whose names are most like this one; empty if none are."""
    near = [] if name in FUNCTION_NAMES else get_close_matches(name, FUNCTION_NAMES, _MOST_NEAR, _ALIKE)
    return f"Did you mean {', '.join(near)}?" if near else ""


def of_source(node: exp.Expr) -> UnsupportedSqlError:
    """Return the refusal of a FROM item that is not a table, a subquery or VALUES."""
    inner = node.this if isinstance(node, exp.Table) else node
    if isinstance(inner, (exp.Unnest, exp.Explode)):
        return of_node(inner)
    if isinstance(inner, exp.Func):
        is_call = isinstance(inner, exp.Anonymous) or "name" in inner.meta
        named = call_names.described("table function", inner) if is_call else name_of(inner)
        return refusal(f"{named} is not supported", *_FILES, node)
    if isinstance(inner, exp.Literal):
        return refusal("a file is not supported", *_FILES, node)
    return of_node(inner)


def name_of(node: exp.Expr) -> str:
    """Return the name of a function as it is written, or that of another node."""
    return call_names.short_name_of(node)
