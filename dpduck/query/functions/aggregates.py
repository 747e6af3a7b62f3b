"""Aggregates and window functions over what is public; those of private rows are in `block/aggregates`."""

from __future__ import annotations

from sqlglot import exp

from dpduck.query.functions.entry import FunctionEntry, Names, Nodes, public_calls, public_names, words


def _aggregate(name: str, arguments: str = "this") -> FunctionEntry:
    return FunctionEntry(name, tuple(arguments.split()), (), frozenset(), is_aggregate=True)


NODES: Nodes = {
    **public_calls(
        """
        any_value approx_count_distinct avg bool_and bool_or count_if first kurtosis last median mode skewness
        stddev stddev_pop stddev_samp sum var_pop var_samp
        """,
        is_aggregate=True,
    ),
    **public_calls(
        """
        corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx
        regr_sxy regr_syy
        """,
        "this expression",
        is_aggregate=True,
    ),
    **public_calls("approx_quantile quantile", "this quantile", is_aggregate=True),
    **public_calls("arg_max arg_min", "this expression count", is_aggregate=True),
    **public_calls("max min", "this count", is_aggregate=True),
    exp.ArrayAgg: _aggregate("list"),
    exp.BitwiseAndAgg: _aggregate("bit_and"),
    exp.BitwiseOrAgg: _aggregate("bit_or"),
    exp.BitwiseXorAgg: _aggregate("bit_xor"),
    exp.GroupConcat: _aggregate("string_agg", "this separator"),
    exp.PercentileCont: _aggregate("quantile_cont", "this expression"),
    exp.PercentileDisc: _aggregate("quantile_disc", "this expression"),
}

NAMES: Names = public_names(
    """
    arbitrary arg_max_null arg_min_null entropy favg fsum histogram histogram_exact kahan_sum
    kurtosis_pop mad mean product quantile_cont quantile_disc sem sumkahan
    """,
    is_aggregate=True,
)

# Only with OVER (...).
WINDOWS: Nodes = {
    **public_calls("row_number", ""),
    **public_calls("rank dense_rank percent_rank cume_dist", "expressions"),
    **public_calls("ntile first_value last_value"),
    **public_calls("lag lead", "this offset default"),
    **public_calls("nth_value", "this offset"),
}

# list_sum(l) and its like are macros of DuckDB for these aggregates of a list.
OF_LISTS = words(
    """
    any_value approx_count_distinct avg bit_and bit_or bit_xor bool_and bool_or count entropy first
    histogram kurtosis kurtosis_pop last mad max median min mode product sem skewness stddev_pop
    stddev_samp string_agg sum var_pop var_samp
    """
)
