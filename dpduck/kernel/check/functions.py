"""The functions that the checker knows: total, deterministic ones that read their arguments and nothing else.

Whatever is not listed makes a tree unbounded. DuckDB calls each of these CONSISTENT, or so within a query
where it reads the time zone that dpduck pins. That no value makes a guarded expression fail is another
theorem (decision 47), which tests try.
"""

from __future__ import annotations

SCALARS = frozenset(
    """
    % * + - / // abs bit_count cbrt ceil century concat concat_ws contains date_diff date_sub date_trunc day
    dayname dayofweek dayofyear decade ends_with epoch epoch_ms epoch_us era exp floor greatest hash hour
    isfinite isinf isnan isodow isoyear json_extract_string json_valid last_day least left len length
    list_contains list_extract list_value ln log10 log2 lower ltrim make_timestamp make_timestamptz
    microsecond millennium millisecond minute month monthname pow prefix quarter regexp_extract
    regexp_full_match regexp_matches regexp_replace replace reverse right round row rtrim second sign sqrt
    starts_with strftime string_split strlen strpos substring suffix time_bucket timezone trim trunc upper
    week year yearweek || ~~
    """.split()  # noqa: SIM905  (one list, as it is read)
)
# Those whose results are whole numbers.
WHOLE = frozenset(
    """
    bit_count century date_diff date_sub day dayofweek dayofyear decade epoch_us era hour isodow isoyear len
    length microsecond millennium millisecond minute month quarter second strlen strpos week year yearweek
    """.split()  # noqa: SIM905
)
UNNEST = "unnest"

# Aggregates of rows in no order, and whose sums are not rounded in the order of rows.
EXACT_SUMS = frozenset({"sum"})  # of integers and decimals alone
ORDERLESS = frozenset({"count", "min", "max", "bool_and", "bool_or", "quantile_cont", "quantile_disc"})
CHOOSERS = frozenset({"arg_min", "arg_max"})  # where what is chosen is a part of what it is chosen by

# Window functions that treat rows of equal rank alike, and those that need a total order.
RANKS = frozenset({"rank", "dense_rank", "percent_rank", "cume_dist"})
TURNS = frozenset({"row_number", "lag", "lead", "first_value", "last_value", "nth_value", "ntile"})
