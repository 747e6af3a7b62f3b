"""Aggregates and window functions over public relations; see `compiler/block/aggregates` for private rows."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions.entry import Entries, SqlFunction, public_calls, public_names, words
from dpduck.compiler.parse.dialect import AggregateTerms

ENTRIES: Entries = {
    **public_calls(
        """
        any_value approx_count_distinct avg bool_and bool_or count_if first kurtosis last median mode skewness
        stddev stddev_pop stddev_samp sum var_pop var_samp
        """,
    ),
    **public_calls(
        """
        corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx
        regr_sxy regr_syy
        """,
        "this expression",
    ),
    **public_calls("approx_quantile quantile", "this quantile"),
    **public_calls("arg_max arg_min", "this expression count"),
    **public_calls("max min", "this count"),
    exp.ArrayAgg: SqlFunction("list"),
    exp.BitwiseAndAgg: SqlFunction("bit_and"),
    exp.BitwiseOrAgg: SqlFunction("bit_or"),
    exp.BitwiseXorAgg: SqlFunction("bit_xor"),
    exp.GroupConcat: SqlFunction("string_agg", None, "this separator"),
    exp.PercentileCont: SqlFunction("quantile_cont", None, "this expression"),
    exp.PercentileDisc: SqlFunction("quantile_disc", None, "this expression"),
    **public_names(
        """
        arbitrary arg_max_null arg_min_null entropy favg fsum histogram histogram_exact kahan_sum
        kurtosis_pop mad mean product quantile_cont quantile_disc sem sumkahan
        """
    ),
}

# Window functions, which need OVER (...).
WINDOWS: Entries = {
    **public_calls("row_number", ""),
    **public_calls("rank dense_rank percent_rank cume_dist", "expressions"),
    **public_calls("ntile first_value last_value"),
    **public_calls("lag lead", "this offset default"),
    **public_calls("nth_value", "this offset"),
}

# The aggregates for which DuckDB has a macro over the elements of a list, such as list_sum(l).
OF_LISTS = words(
    """
    any_value approx_count_distinct avg bit_and bit_or bit_xor bool_and bool_or count entropy first
    histogram kurtosis kurtosis_pop last mad max median min mode product sem skewness stddev_pop
    stddev_samp string_agg sum var_pop var_samp
    """
)


def is_aggregate(node: exp.Expr) -> bool:
    """Whether the node is a call of an aggregate, supported or not."""
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower() in ENTRIES
    if isinstance(node, (exp.IgnoreNulls, exp.RespectNulls, AggregateTerms)):
        return is_aggregate(node.this)
    return isinstance(node, (exp.AggFunc, exp.Filter, exp.WithinGroup))


def is_computed(node: exp.Expr) -> bool:
    """Whether a node is computed of several rows: an aggregate or a window function."""
    return isinstance(node, exp.Window) or is_aggregate(node)
