"""The functions of DuckDB that a query may call: deterministic, without side effects, of bounded cost.

sqlglot gives the functions that it knows a node class of their own, and some arguments other places;
`CALLS` says for each class which function of DuckDB it is and in which order that takes the arguments.
Functions that it does not know keep their name, and `NAMED` lists those that may be called.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp


def words(text: str) -> frozenset[str]:
    """The words of a text, divided by blanks."""
    return frozenset(text.split())


@dataclass(frozen=True)
class PublicFunction:
    """A function of DuckDB. `arguments`: those of the node, in DuckDB's order, the first `least` required.

    `marks`: what sqlglot notes on the node for other dialects, which says nothing here.
    """

    name: str
    arguments: tuple[str, ...] = ("this",)
    marks: tuple[str, ...] = ()
    aggregate: bool = False


def _calls(
    table: dict[type[exp.Expr], str], arguments: str, *, aggregate: bool = False
) -> dict[type[exp.Expr], PublicFunction]:
    return {
        kind: PublicFunction(name, tuple(arguments.split()), aggregate=aggregate)
        for kind, name in table.items()
    }


_ONE: dict[type[exp.Expr], str] = {
    exp.Abs: "abs",
    exp.Acos: "acos",
    exp.Acosh: "acosh",
    exp.Ascii: "ascii",
    exp.Asin: "asin",
    exp.Asinh: "asinh",
    exp.Atan: "atan",
    exp.Atanh: "atanh",
    exp.BitLength: "bit_length",
    exp.BitwiseNot: "~",
    exp.Cbrt: "cbrt",
    exp.Ceil: "ceil",
    exp.Cos: "cos",
    exp.Cosh: "cosh",
    exp.Cot: "cot",
    exp.Day: "day",
    exp.DayOfMonth: "dayofmonth",
    exp.DayOfWeek: "dayofweek",
    exp.DayOfWeekIso: "isodow",
    exp.DayOfYear: "dayofyear",
    exp.Dayname: "dayname",
    exp.Degrees: "degrees",
    exp.Exp: "exp",
    exp.Factorial: "factorial",
    exp.Flatten: "flatten",
    exp.Floor: "floor",
    exp.FromBase64: "from_base64",
    exp.Hex: "hex",
    exp.Hour: "hour",
    exp.IsInf: "isinf",
    exp.IsNan: "isnan",
    exp.LastDay: "last_day",
    exp.Length: "length",
    exp.Ln: "ln",
    exp.Lower: "lower",
    exp.MD5: "md5",
    exp.MapFromEntries: "map_from_entries",
    exp.MapKeys: "map_keys",
    exp.Minute: "minute",
    exp.Month: "month",
    exp.Monthname: "monthname",
    exp.Quarter: "quarter",
    exp.Radians: "radians",
    exp.Reverse: "reverse",
    exp.SHA: "sha1",
    exp.Second: "second",
    exp.Sign: "sign",
    exp.Sin: "sin",
    exp.Sinh: "sinh",
    exp.Sqrt: "sqrt",
    exp.Tan: "tan",
    exp.Tanh: "tanh",
    exp.TimeToUnix: "epoch",
    exp.ToBase64: "to_base64",
    exp.ToBinary: "to_binary",
    exp.ToDays: "to_days",
    exp.Typeof: "typeof",
    exp.Unhex: "unhex",
    exp.Unicode: "unicode",
    exp.Upper: "upper",
    exp.Week: "week",
    exp.WeekOfYear: "weekofyear",
    exp.Year: "year",
}

_TWO: dict[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.IntDiv: "//",
    exp.Mod: "%",
    exp.Pow: "**",
    exp.BitwiseAnd: "&",
    exp.BitwiseOr: "|",
    exp.BitwiseXor: "xor",
    exp.BitwiseLeftShift: "<<",
    exp.BitwiseRightShift: ">>",
    exp.ArrayContains: "list_contains",
    exp.ArrayContainsAll: "list_has_all",
    exp.ArrayOverlaps: "list_has_any",
    exp.ArrayPosition: "list_position",
    exp.Atan2: "atan2",
    exp.Contains: "contains",
    exp.CosineDistance: "list_cosine_distance",
    exp.DateAdd: "+",
    exp.DateBin: "time_bucket",
    exp.EndsWith: "ends_with",
    exp.EuclideanDistance: "list_distance",
    exp.Left: "left",
    exp.RegexpSplit: "string_split_regex",
    exp.Right: "right",
    exp.Split: "string_split",
    exp.StartsWith: "starts_with",
    exp.StructExtract: "struct_extract",
}

_AGGREGATES_OF_ONE: dict[type[exp.Expr], str] = {
    exp.ApproxDistinct: "approx_count_distinct",
    exp.ArrayAgg: "list",
    exp.Avg: "avg",
    exp.BitwiseAndAgg: "bit_and",
    exp.BitwiseOrAgg: "bit_or",
    exp.BitwiseXorAgg: "bit_xor",
    exp.CountIf: "count_if",
    exp.First: "first",
    exp.Kurtosis: "kurtosis",
    exp.Last: "last",
    exp.LogicalAnd: "bool_and",
    exp.LogicalOr: "bool_or",
    exp.Median: "median",
    exp.Mode: "mode",
    exp.Skewness: "skewness",
    exp.Stddev: "stddev",
    exp.StddevPop: "stddev_pop",
    exp.StddevSamp: "stddev_samp",
    exp.Sum: "sum",
    exp.Variance: "var_samp",
    exp.VariancePop: "var_pop",
}

_AGGREGATES_OF_TWO: dict[type[exp.Expr], str] = {
    exp.Corr: "corr",
    exp.CovarPop: "covar_pop",
    exp.CovarSamp: "covar_samp",
    exp.PercentileCont: "quantile_cont",
    exp.PercentileDisc: "quantile_disc",
    exp.RegrAvgx: "regr_avgx",
    exp.RegrAvgy: "regr_avgy",
    exp.RegrCount: "regr_count",
    exp.RegrIntercept: "regr_intercept",
    exp.RegrR2: "regr_r2",
    exp.RegrSlope: "regr_slope",
    exp.RegrSxx: "regr_sxx",
    exp.RegrSxy: "regr_sxy",
    exp.RegrSyy: "regr_syy",
}

_JOINED = ("safe", "coalesce")

CALLS: dict[type[exp.Expr], PublicFunction] = {
    **_calls(_ONE, "this"),
    **_calls(_TWO, "this expression"),
    **_calls(_AGGREGATES_OF_ONE, "this", aggregate=True),
    **_calls(_AGGREGATES_OF_TWO, "this expression", aggregate=True),
    exp.Div: PublicFunction("/", ("this", "expression"), ("typed", "safe")),
    exp.DPipe: PublicFunction("||", ("this", "expression"), ("safe",)),
    exp.ArrayConcat: PublicFunction("list_concat", ("this", "expressions"), ("null_propagation",)),
    exp.ArrayDistinct: PublicFunction("list_distinct", marks=("check_null",)),
    exp.ArrayIntersect: PublicFunction("list_intersect", ("expressions",)),
    exp.ArraySize: PublicFunction("array_length", ("this", "expression")),
    exp.ArraySlice: PublicFunction("array_slice", ("this", "start", "end", "step"), ("is_length",)),
    exp.Chr: PublicFunction("chr", ("expressions",), ("charset",)),
    exp.Concat: PublicFunction("concat", ("expressions",), _JOINED),
    exp.ConcatWs: PublicFunction("concat_ws", ("expressions",), _JOINED),
    exp.DateFromParts: PublicFunction("make_date", ("year", "month", "day")),
    exp.Getbit: PublicFunction("get_bit", ("this", "expression"), ("zero_is_msb",)),
    exp.Greatest: PublicFunction("greatest", ("this", "expressions"), ("ignore_nulls",)),
    exp.Least: PublicFunction("least", ("this", "expressions"), ("ignore_nulls",)),
    exp.Map: PublicFunction("map", ("keys", "values")),
    exp.Pi: PublicFunction("pi", ()),
    exp.Round: PublicFunction("round", ("this", "decimals")),
    exp.SHA2: PublicFunction("sha256", marks=("length",)),
    exp.StrPosition: PublicFunction("instr", ("this", "substr")),
    exp.StrToTime: PublicFunction("strptime", ("this", "format")),
    exp.Substring: PublicFunction("substr", ("this", "start", "length")),
    exp.TimeFromParts: PublicFunction("make_time", ("hour", "min", "sec")),
    exp.TimeToStr: PublicFunction("strftime", ("this", "format")),
    exp.TimestampFromParts: PublicFunction("make_timestamp", ("year", "month", "day", "hour", "min", "sec")),
    exp.Translate: PublicFunction("translate", ("this", "from_", "to")),
    exp.Trunc: PublicFunction("trunc", ("this", "decimals")),
    exp.AtTimeZone: PublicFunction("timezone", ("zone", "this")),
    exp.AnyValue: PublicFunction("any_value", aggregate=True),
    exp.ApproxQuantile: PublicFunction("approx_quantile", ("this", "quantile"), aggregate=True),
    exp.ArgMax: PublicFunction("arg_max", ("this", "expression", "count"), aggregate=True),
    exp.ArgMin: PublicFunction("arg_min", ("this", "expression", "count"), aggregate=True),
    exp.GroupConcat: PublicFunction("string_agg", ("this", "separator"), aggregate=True),
    exp.Max: PublicFunction("max", ("this", "count"), aggregate=True),
    exp.Min: PublicFunction("min", ("this", "count"), aggregate=True),
    exp.Quantile: PublicFunction("quantile", ("this", "quantile"), aggregate=True),
}

# Only with OVER (...).
WINDOW_CALLS: dict[type[exp.Expr], PublicFunction] = {
    exp.RowNumber: PublicFunction("row_number", ()),
    exp.Rank: PublicFunction("rank", ("expressions",)),
    exp.DenseRank: PublicFunction("dense_rank", ("expressions",)),
    exp.PercentRank: PublicFunction("percent_rank", ("expressions",)),
    exp.CumeDist: PublicFunction("cume_dist", ("expressions",)),
    exp.Ntile: PublicFunction("ntile"),
    exp.Lag: PublicFunction("lag", ("this", "offset", "default")),
    exp.Lead: PublicFunction("lead", ("this", "offset", "default")),
    exp.FirstValue: PublicFunction("first_value"),
    exp.LastValue: PublicFunction("last_value"),
    exp.NthValue: PublicFunction("nth_value", ("this", "offset")),
}

NAMED_AGGREGATES = words(
    """
    arbitrary arg_max_null arg_min_null entropy favg fsum histogram histogram_exact kahan_sum
    kurtosis_pop mad mean product quantile_cont quantile_disc sem sumkahan
    """
)

NAMED = NAMED_AGGREGATES | words(
    """
    array_extract array_has_any array_indexof bin bit_count cardinality century
    date_part date_sub datepart datesub decade element_at enum_code enum_first enum_last enum_range
    epoch_ns epoch_us era even format_bytes formatreadabledecimalsize formatreadablesize gamma gcd
    greatest_common_divisor hamming hash is_histogram_other_bin isfinite isoyear jaccard
    julian lcm least_common_multiple left_grapheme length_grapheme lgamma list_cat
    list_element list_extract list_grade_up list_has_all list_indexof list_intersect list_pack
    list_position list_select list_slice list_unique list_value list_where list_zip make_timestamp_ms
    make_timestamp_ns map_concat map_contains map_entries map_extract map_extract_value map_values
    microsecond millennium millisecond mismatches multiply nanosecond nextafter nfc_normalize
    normalized_interval octet_length ord prefix regexp_escape regexp_split_to_array right_grapheme
    row signbit strip_accents strlen struct_extract_at struct_keys substring_grapheme suffix
    timezone timezone_hour timezone_minute to_base to_centuries to_decades to_hours
    to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_weeks
    to_years try_strptime unbin union_extract union_tag url_decode url_encode weekday yearweek
    """
)

# list_sum(l) and its like are macros of DuckDB for these aggregates of a list.
OF_LISTS = words(
    """
    any_value approx_count_distinct avg bit_and bit_or bit_xor bool_and bool_or count entropy first
    histogram kurtosis kurtosis_pop last mad max median min mode product sem skewness stddev_pop
    stddev_samp string_agg sum var_pop var_samp
    """
)
