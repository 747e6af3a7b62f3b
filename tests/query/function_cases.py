"""The cases of each function and operator of the table, from which all tests take theirs.

An entry of the table without cases fails `tests/query/test_expressions.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

NUMBERS = ["t", "n", "a", "c", "h", "ut", "ui", "u", "uh", "m", "k", "w", "v", "x", "f"]

_COMPARISONS = {
    "EQ": "=",
    "NEQ": "<>",
    "LT": "<",
    "LTE": "<=",
    "GT": ">",
    "GTE": ">=",
    "NullSafeEQ": "IS NOT DISTINCT FROM",
    "NullSafeNEQ": "IS DISTINCT FROM",
}
_PARTS = {
    "Year": "year",
    "Quarter": "quarter",
    "Month": "month",
    "Week": "week",
    "WeekOfYear": "weekofyear",
    "Day": "day",
    "DayOfMonth": "dayofmonth",
    "DayOfWeek": "dayofweek",
    "DayOfWeekIso": "isodow",
    "DayOfYear": "dayofyear",
    "Hour": "hour",
    "Minute": "minute",
    "Second": "second",
    "TimeToUnix": "epoch",
    "UnixToTime": "epoch_ms",
    "Dayname": "dayname",
    "Monthname": "monthname",
    "LastDay": "last_day",
    **{name: name for name in ("weekday", "isoyear", "yearweek", "decade", "century", "millennium", "era")},
}
UNITS = (
    *("year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond"),
    *("decade", "century", "millennium", "isoyear"),
)
_TESTED = ("'a'", "''", "'é'", "'b,c'", "'日本'", "'%'")
_PATTERNS = ("a", "^[a-z]+$", r"\d{4}-\d{2}", "(a|b)(c)?", r"\s+", "日.", "x+?", "a*", r"\w\W", r"[^\d-]", "")
_LIKES = ("a%", "%a%", "", "_", "a_c", "%é%", "%a%b%c%", "%_%", "%a_c%", "%_b_%", "日%", "%\\_%", "i%")
_FAR = "abs(c::DOUBLE) >= 4294967296"
_ALL = ["*"]
_RESTS = ["CAST('-170141183460469231731687303715884105728' AS HUGEINT) % CAST('-1' AS BIGINT)"]
LEAST = ["-(-128)::TINYINT", "-CAST('-9223372036854775808' AS BIGINT)", "-(-32767::SMALLINT - 1::SMALLINT)"]


@dataclass(frozen=True)
class Cases:
    """What a function is tried with.

    `meanings`: expressions over the columns of `samples`, each compared with plain DuckDB on all rows;
    `forms`: by the type of the result, what random expressions and those at the ends of all types are made of
    (the holes are those of `tests.fuzz.extremes`).
    And which meanings may be others than plain DuckDB's: `newer`, on DuckDB 1.5; `edges`, NULL where the
    condition holds; `fuller`, where plain DuckDB has no result. `refused`: what it does not take, with the
    beginning of the error.
    """

    meanings: tuple[str, ...]
    forms: Mapping[str, tuple[str, ...]]
    newer: tuple[str, ...]
    edges: Mapping[str, str]
    fuller: tuple[str, ...]
    refused: Mapping[str, str]


def cases(
    meanings: list[str],
    *,
    newer: Iterable[str] = (),
    edges: Mapping[str, str] | None = None,
    fuller: Iterable[str] = (),
    refused: Mapping[str, str] | None = None,
    **forms: list[str],
) -> Cases:
    """Cases; `forms` by the type of the result: integer, number, text, date, moment or test."""
    older = meanings if newer is _ALL else newer
    by_type = {kind: tuple(texts) for kind, texts in forms.items()}
    return Cases(tuple(meanings), by_type, tuple(older), edges or {}, tuple(fuller), refused or {})


def _each(template: str, *lists: str | tuple[str, ...] | list[str]) -> list[str]:
    """The template filled with every combination of words."""
    words = [item.split() if isinstance(item, str) else item for item in lists]
    return [template.format(*chosen) for chosen in product(*words)]


def _comparison(sign: str) -> Cases:
    pairs = (*zip("tcuxsdm", "ahhfsek", strict=True), ("ts", "d"), ("tz", "ts"), ("d", "tz"), ("tz", "tz"))
    holes = (
        ("number", "number"),
        ("number", "n"),
        ("n", "number"),
        ("i", "i"),
        ("text", "text"),
        ("text", "t"),
    )
    holes += ("date", "moment"), ("date", "d"), ("moment", "m"), ("bool", "bool")
    meanings = [f"{one} {sign} {two}" for one, two in pairs]
    meanings += [f"tz {sign} '2024-02-29 23:59:59.999999'", f"tz {sign} TIMESTAMPTZ '9999-12-31 23:59:59+00'"]
    forms = [f"{{{one}}} {sign} {{{two}}}" for one, two in (*holes, ("bool", "bool"))]
    fuller = [text for text in meanings if "DISTINCT" in text and ("ts" in text or "tz" in text)]
    return cases(meanings, test=forms, fuller=fuller)


def _arithmetic(sign: str) -> list[str]:
    columns, most = "t c h ut u m k w x f", "t c h ut m w x f"
    found = _each("{} " + sign + " {}", columns, columns)
    found += _each("{} " + sign + " {}", "n a c ui u h m w f", "2 -3 0.25 1e3")
    return found + _each("{} " + sign + " {}", ["7", "-2.50", "3000000000"], most)


def _pairs(sign: str, column: str, constant: str) -> list[str]:
    """The operator between columns and constants."""
    pairs = list(product((column, constant), repeat=2))
    return [f"({{{one}}} {sign} {{{two}}})" for one, two in pairs]


_RESULTS = {"epoch": "number", "dayname": "text", "monthname": "text", "last_day": "date"}


def _part(word: str) -> Cases:
    columns = "d ts" if word == "epoch" else "d ts tz"  # DuckDB's epoch of a time with a zone is not exact
    meanings, forms = _each(word + "({})", columns), [f"{word}({{date}})", f"{word}({{moment}})"]
    newer = ["epoch_ms(ts)", "epoch_ms(tz)"] if word == "epoch_ms" else []
    return cases(meanings, newer=newer, **{_RESULTS.get(word, "integer"): forms})


# For each node type and each named function of the table.
CASES: dict[str, Cases] = {
    "And": cases(
        ["ok AND a > 0", "a = b AND c < 5 AND x <> y", "NULL AND ok"],
        test=["({test} AND {test})"],
        refused={"a AND ok": "r.a is not a condition"},
    ),
    "Or": cases(["ok OR a > 0", "a = b OR c < 5 OR x <> y", "NULL OR ok"], test=["({test} OR {test})"]),
    "Not": cases(
        ["NOT ok", "NOT (a > b)", "NOT (x = y AND ok)"],
        test=["{number} NOT IN ({n}, NULL)", "{bool} IS NOT TRUE", "NOT ({test})"],
    ),
    **{name: _comparison(sign) for name, sign in _COMPARISONS.items()},
    "Between": cases(
        ["a BETWEEN 0 AND 100", "x BETWEEN y AND f", "s BETWEEN 'a' AND r", "d BETWEEN e AND ts"],
        test=["{number} BETWEEN {n} AND {number}", "{moment} BETWEEN {date} AND {m}"],
        fuller=["d BETWEEN e AND ts"],
    ),
    "In": cases(
        ["a IN (1, 2, 300)", "s IN ('a', '')", "d IN ('2024-02-29')", "a NOT IN (1, NULL)", "g IN ('low')"],
        test=["{integer} IN ({i}, {i}, {i})", "{text} IN ({t}, {t})"],
    ),
    "Is": cases(
        [
            "a IS NULL",
            "ok IS TRUE",
            "ok IS NOT FALSE",
            "(a > b) IS NOT TRUE",
            "l IS NULL",
            "tz IS NOT NULL",
        ],
        test=["{number} IS NULL"],
    ),
    "Like": cases(
        [*_each("s LIKE '{}'", list(_LIKES)), "s NOT LIKE '%a%'", "g LIKE '%i%'", "s LIKE NULL"],
        test=["{text} LIKE '%é_a%'", "{text} LIKE '%a_'"],
        refused={
            "s LIKE r": "LIKE takes a constant pattern",
            f"s LIKE '{'%a' * 30}'": "this LIKE pattern is too costly",
            f"s LIKE '%{'_' * 300}%'": "this LIKE pattern is too costly",
        },
    ),
    "ILike": cases(
        [*_each("s ILIKE '{}'", [*_LIKES, "A%", "%İ%", "ß"]), "s NOT ILIKE '%A_C%'"],
        test=["{text} ILIKE 'a%'", "{text} ILIKE 'A%'"],
    ),
    "SimilarTo": cases(_each("s SIMILAR TO '{}'", list(_PATTERNS)), test=["{text} SIMILAR TO '[a-f]+|日'"]),
    "RegexpLike": cases(
        [*_each("regexp_matches(s, '{}')", list(_PATTERNS)), "regexp_matches(s, 'A.C', 'is')"],
        test=["regexp_matches({text}, '^[a-h]+$')", "regexp_matches({t}, '[0-9]')"],
        refused={
            "regexp_matches(s, r)": "a regular expression must be a constant",
            "regexp_matches(s, '(')": "this regular expression is not supported",
            r"regexp_matches(s, '(a)\1')": "this regular expression is not supported",
            "regexp_matches(s, '(?i)a')": "this regular expression is not supported",
            "regexp_matches(s, '(?=a)')": "this regular expression is not supported",
            "regexp_matches(s, 'a**')": "this regular expression is not supported",
            "regexp_matches(s, '((a{50}){50}){50}')": "this regular expression is not supported",
            "regexp_matches(s, '[z-a]')": "this regular expression is not supported",
            "regexp_matches(s, 'a', 'x')": "these flags are not supported",
        },
    ),
    "RegexpFullMatch": cases(
        [*_each("regexp_full_match(s, '{}')", list(_PATTERNS)), "s ~ 'a+'"],
        test=["regexp_full_match({text}, '[a-f]+|日')"],
        newer=["s ~ 'a+'"],
    ),
    "Case": cases(
        [
            "CASE WHEN ok THEN a ELSE c END",
            "CASE a WHEN 1 THEN 'one' WHEN b THEN s END",
            "CASE WHEN x > 0 THEN m WHEN ok THEN NULL ELSE k END",
            "CASE WHEN ok THEN d ELSE ts END",
            "CASE WHEN ok THEN d ELSE '2024-01-05' END",
            "CASE g WHEN 'low' THEN 1 ELSE 2.5 END",
            "CASE WHEN ok THEN NULL END",
        ],
        integer=[
            "CASE WHEN {test} THEN {integer} ELSE {i} END",
            "CASE WHEN {test} THEN {i} ELSE {i} END",
            "CASE WHEN {test} THEN {i} END",
            "CASE {integer} WHEN {i} THEN {i} WHEN {integer} THEN {integer} END",
        ],
        number=[
            "CASE WHEN {test} THEN {number} ELSE {number} END",
            "CASE WHEN {test} THEN {n} ELSE {number} END",
            "CASE WHEN {test} THEN {n} WHEN {test} THEN {n} END",
            "CASE {number} WHEN {n} THEN {number} ELSE {n} END",
        ],
        text=["CASE WHEN {test} THEN {text} ELSE {t} END"],
        date=["CASE WHEN {test} THEN {date} ELSE {d} END"],
        moment=["CASE WHEN {test} THEN {moment} ELSE {date} END"],
        refused={"CASE WHEN ok THEN a ELSE s END": "values of type INTEGER and VARCHAR do not go together"},
    ),
    "If": cases(
        ["if(ok, a, c)", "if(a > 0, s, 'none')", "if(ok, NULL, 1)"], integer=["if({test}, {i}, {integer})"]
    ),
    "Coalesce": cases(
        [
            "coalesce(a, b, 0)",
            "ifnull(s, 'none')",
            "coalesce(d, ts)",
            "coalesce(tz, ts)",
            "coalesce(t, u)",
            "coalesce(x, m)",
        ],
        integer=["coalesce({integer}, {i})", "coalesce({i}, {integer}, {i})"],
        number=["coalesce({number}, {n})", "coalesce({number}, {number})"],
        text=["coalesce({text}, {t})"],
        date=["coalesce({date}, {d})"],
        moment=["coalesce({moment}, {date})"],
        fuller=["coalesce(d, ts)"],
        refused={"coalesce(tz, 1)": "values of type TIMESTAMP WITH TIME ZONE and INTEGER do not go together"},
    ),
    "Nullif": cases(
        ["nullif(a, b)", "nullif(s, '')", "nullif(x, 0)", "nullif(d, '2024-02-29')"],
        integer=["nullif({integer}, {i})", "nullif({i}, {integer})"],
        number=["nullif({number}, {number})"],
        text=["nullif({text}, {t})"],
        date=["nullif({date}, {d})"],
    ),
    "Cast": cases(
        _each("CAST({} AS {})", "t h m w x f s ok", ["SMALLINT", "UBIGINT", "HUGEINT", "UHUGEINT"])
        + _each(
            "{}::{}",
            "c u k x s ok",
            ["DECIMAL(9,2)", "DECIMAL(4,4)", "FLOAT", "DOUBLE", "BOOLEAN", "VARCHAR"],
        )
        + [
            "d::TIMESTAMP",
            *("m::DECIMAL(7,0)", "v::DECIMAL(1,1)", "k::DECIMAL(16,1)", "a::DECIMAL(10,0)", "a::DECIMAL"),
            "ts::DATE",
            *("tz::DATE", "tz::TIMESTAMP", "tz::VARCHAR", "ts::TIMESTAMPTZ", "d::TIMESTAMPTZ"),
            "s::DATE",
            "s::TIMESTAMP",
            "g::TEXT",
            "id::VARCHAR",
            "ns::TIMESTAMP",
        ],
        integer=[
            "CAST({pure} AS {whole})",
            "CAST({number} AS {whole})",
            "CAST({i} AS {whole})",
            "CAST({bool} AS {whole})",
            "extract(epoch FROM {moment})::BIGINT",
        ],
        number=[
            "CAST({number} AS {type})",
            "CAST({n} AS {type})",
            "CAST({pure} AS {type})",
            "CAST({bool} AS {type})",
        ],
        text=[
            "CAST({number} AS VARCHAR)",
            "CAST({n} AS VARCHAR)",
            "CAST({date} AS VARCHAR)",
            "CAST({moment} AS VARCHAR)",
        ],
        date=["CAST({moment} AS DATE)", "CAST({pure} AS DATE)"],
        moment=[
            "CAST({date} AS TIMESTAMP)",
            "CAST({pure} AS TIMESTAMP)",
            "CAST({moment} AS TIMESTAMPTZ)",
            "CAST({date} AS TIMESTAMPTZ)",
        ],
        refused={
            "s::TIMESTAMPTZ": "r.s cannot be converted to TIMESTAMP WITH TIME ZONE",
            "tz::TIME": "this type is not supported",
            "l::VARCHAR": "r.l cannot be converted to VARCHAR",
            "s::JSON": "this type is not supported",
            "a::DECIMAL(50,2)": "this DECIMAL is not supported",
        },
    ),
    "TryCast": cases(
        ["TRY_CAST(s AS INTEGER)", "TRY_CAST(s AS DECIMAL(38,10))", "TRY_CAST(x AS TINYINT)"],
        integer=["TRY_CAST({number} AS {whole})"],
    ),
    "Date": cases(["date(ts)", "date(d)", "date(s)"], date=["date({moment})", "date({pure})"]),
    "Add": cases(
        [
            *_arithmetic("+"),
            "d + 7",
            "7 + d",
            "d + a",
            "d + t",
            "d + INTERVAL 1 MONTH",
            "INTERVAL '1 year 2 days' + ts",
            "tz + INTERVAL 1 MONTH",
        ],
        integer=_pairs("+", "integer", "i"),
        number=_pairs("+", "number", "n"),
        date=["({date} + {integer})", "({integer} + {date})", "({date} + {days})", "({d} + {integer})"],
        moment=[
            "({moment} + INTERVAL {length})",
            "({date} + INTERVAL {length})",
            "({moment} + INTERVAL 9999 YEAR)",
        ],
        edges={"d + a": "a NOT BETWEEN -100000000 AND 100000000"},
        refused={
            "a + s": "+ takes numbers",
            "uh + 1": "there is no arithmetic between UHUGEINT and ",
            "c + uh": "there is no arithmetic between BIGINT and UHUGEINT",
            "m + 170141183460469231731687303715884105727": "",
            "ts + 1": "this sum is not supported",
            "d + 200000000": "too many days are added",
            "d + INTERVAL 20000 YEAR": "this interval is too long",
            "d + INTERVAL (a) DAY": "this interval is not supported",
        },
    ),
    "Sub": cases(
        [
            *_arithmetic("-"),
            "d - 7",
            "d - b",
            "d - e",
            "DATE '2024-01-01' - d",
            "ts - INTERVAL 13 HOUR",
            "tz - INTERVAL '1 year 2 days'",
            "d - INTERVAL 5 WEEK",
        ],
        integer=[*_pairs("-", "integer", "i"), "({date} - {date})", "({d} - {date})"],
        number=_pairs("-", "number", "n"),
        date=["({date} - {integer})"],
        moment=[
            "({moment} - INTERVAL {length})",
            "({m} - INTERVAL {length})",
            "({moment} - INTERVAL 9999 YEAR)",
        ],
        edges={"d - b": "b NOT BETWEEN -100000000 AND 100000000"},
        refused={"ts - tt": "this difference is not supported"},
    ),
    "Mul": cases(
        [*_arithmetic("*"), "k * 0.00 * CAST('-170141183460469231731687303715884105728' AS HUGEINT)"],
        integer=_pairs("*", "integer", "i"),
        number=_pairs("*", "number", "n"),
        refused={"w * w * w * w": "the product of "},
    ),
    "Div": cases(_arithmetic("/"), number=_pairs("/", "number", "n")),
    "IntDiv": cases(
        _arithmetic("//"), integer=_pairs("//", "integer", "i"), number=_pairs("//", "number", "n")
    ),
    "Mod": cases(
        [*_arithmetic("%"), *_RESTS],
        integer=_pairs("%", "integer", "i"),
        number=_pairs("%", "number", "n"),
        newer=_RESTS,
    ),
    "Pow": cases(
        ["pow(a, 2)", "power(x, y)", "x ** 0.5", "a ** b", "f ^ f"],
        number=["pow({number}, {number})", "pow({number}, 1000)"],
    ),
    "Neg": cases(
        [*_each("-{}", "t a c h m w x f"), *LEAST],
        integer=["(- {integer})", "(- {i})"],
        number=["(- {number})"],
        newer=LEAST,
        refused={"-uh": "there is no arithmetic between UHUGEINT and "},
    ),
    "Abs": cases(_each("abs({})", NUMBERS), integer=["abs({integer})"], number=["abs({number})"]),
    "Sign": cases(_each("sign({})", NUMBERS), integer=["sign({number})"]),
    "Floor": cases(_each("floor({})", NUMBERS), number=["floor({number})"]),
    "Ceil": cases([*_each("ceil({})", NUMBERS), "ceiling(x)"], number=["ceil({number})"]),
    "Round": cases(
        _each("round({})", "a c h m k w v x f")
        + _each("round({}, {})", "m k x f", "-3 -1 0 1 2 20")
        + _each("round(v, {})", "0 3"),
        integer=["round({integer}, {p})"],
        number=[
            "round({number})",
            "round({number}, {p})",
            "round({n}, {p})",
            "round(CAST({number} AS {type}), {p})",
        ],
        newer=["round(m, -3)", "round(k, -3)"],
        refused={
            "round(x, a)": "the number of places must be a constant",
            "round(x, 100)": "the number of places is a whole number from -40 to 40",
        },
    ),
    "Trunc": cases(
        _each("trunc({})", "a c h m k w v x f") + _each("trunc({}, {})", "a c m k w v x f", "-3 0 1"),
        integer=["trunc({integer}, {p})"],
        number=["trunc({number})", "trunc({number}, {p})"],
    ),
    "Sqrt": cases(_each("sqrt({})", "a u m x f"), number=["sqrt({number})"], newer=_ALL),
    "Cbrt": cases(_each("cbrt({})", "a h x"), number=["cbrt({number})"]),
    "Exp": cases(_each("exp({})", "a m x"), number=["exp({number})"]),
    "Ln": cases(_each("ln({})", "a m x f"), number=["ln({number})"], newer=_ALL),
    "Log": cases(
        ["log(x)", "log2(x)", "log10(a)", "log(2, x)", "log(10, m)"],
        number=["log2({number})", "log10({number})"],
        newer=_ALL,
        refused={"log(3, x)": "the base of a logarithm is 2 or 10"},
    ),
    "IsNan": cases(["isnan(x)", "isnan(f)"], test=["isnan({number})"]),
    "IsInf": cases(
        ["isinf(x)", "isinf(d)", "isinf(ts)", "isinf(tz)"], test=["isinf({moment})", "isinf({number})"]
    ),
    "Greatest": cases(
        ["greatest(a, b, 0)", "greatest(s, r)", "greatest(d, e)", "greatest(x, y)", "greatest(t, u)"],
        integer=["greatest({integer}, {i}, {integer})"],
        number=["greatest({number}, {n})"],
        text=["greatest({text}, {t})"],
        date=["greatest({date}, {date})"],
    ),
    "Least": cases(
        ["least(a, b, 0)", "least(s, 'b')", "least(d, '2024-01-05')", "least(x, m)", "least(ok, TRUE)"],
        integer=["least({i}, {integer})"],
        number=["least({number}, {number})"],
        moment=["least({moment}, {m})"],
    ),
    "DPipe": cases(
        [
            "s || r",
            "s || 1",
            "a || s",
            "m || '%'",
            "x || '|' || f",
            "s || d",
            "ts || s",
            "s || 1.50",
            "g || s",
        ],
        text=["({text} || {t})", "({number} || {text})", "({text} || {n})", "({text} || 'é')"],
    ),
    "Concat": cases(
        [
            "concat(s, r)",
            "concat(s, a, x, m, d, ts, ok, g)",
            "concat(s, NULL, 'x')",
            "concat(1, 2.50, TRUE)",
        ],
        text=["concat({text}, {number}, {moment})"],
    ),
    "ConcatWs": cases(
        ["concat_ws('-', s, r)", "concat_ws('', s, a, NULL, ok)"],
        text=["concat_ws('-', {text}, {d}, {bool})"],
    ),
    "Lower": cases(["lower(s)", "lcase(g)"], text=["lower({text})"]),
    "Upper": cases(["upper(s)", "ucase(s)"], text=["upper({text})"]),
    "Reverse": cases(["reverse(s)"], text=["reverse({text})"]),
    "Length": cases(["length(s)", "len(s)", "char_length(g)"], integer=["length({text})"]),
    "Trim": cases(
        [
            "trim(s)",
            "ltrim(s)",
            "rtrim(s)",
            "trim(s, 'xé ')",
            "ltrim(s, 'a')",
            "rtrim(s, '日 ')",
            "trim(s, '')",
        ],
        text=["trim({text})", "ltrim({text}, 'aé')"],
    ),
    "Substring": cases(
        _each("substr(s, {})", "0 1 -3 100 4294967295 a ut")
        + _each("substr(s, {}, {})", "0 2 -4 t c", "0 2 -1 3 -4294967295 n"),
        text=[
            "substr({text}, {integer}, {integer})",
            "substr({text}, {i}, {integer})",
            "substr({text}, {place}, {place})",
        ],
        edges={"substr(s, c, 2)": _FAR},
        refused={"substr(s, 1.5)": "substr takes whole numbers of characters"},
    ),
    "Left": cases(
        _each("left(s, {})", "0 1 -1 7 -4294967295 a c"),
        text=["left({text}, {integer})"],
        edges={"left(s, c)": _FAR},
    ),
    "Right": cases(
        _each("right(s, {})", "0 1 -1 7 -4294967295 t c"),
        text=["right({text}, {place})"],
        edges={"right(s, c)": _FAR},
    ),
    "Replace": cases(
        [
            "replace(s, 'a', 'bb')",
            "replace(s, 'é', '')",
            "replace(s, '', 'x')",
            "replace(s, 'ab', 'c')",
        ],
        text=["replace({text}, 'a', 'éé')"],
        refused={
            f"replace(s, 'a', '{'b' * 500}')": "this replacement is too long",
            "replace(s, 'a', r)": "the replacement must be a constant",
        },
    ),
    "SplitPart": cases(
        _each("split_part(s, '{}', {})", [",", "a", "ab", "日"], "1 2 -1 -2 0 9"),
        text=["split_part({text}, ',', {place})", "split_part({text}, ',', -2)"],
        refused={"split_part(s, '', 1)": "the separator may not be empty"},
    ),
    "StrPosition": cases(
        [*_each("strpos(s, {})", list(_TESTED)), "position('a' IN s)", "instr(s, 'b')"],
        integer=["strpos({text}, {s})", "strpos({text}, 'a')"],
    ),
    "StartsWith": cases(
        [*_each("starts_with(s, {})", list(_TESTED)), "s ^@ 'a'"], test=["starts_with({text}, 'a')"]
    ),
    "EndsWith": cases(_each("ends_with(s, {})", list(_TESTED)), test=["ends_with({text}, 'a')"]),
    "Contains": cases(_each("contains(s, {})", list(_TESTED)), test=["contains({text}, '')"]),
    "ArrayContains": cases(
        ["list_contains(l, 1)", "list_has(l, 7)", "contains(l, 2)"],
        test=["list_contains(l, 2)"],
        refused={
            "list_contains(l, a)": "what a list is searched for must be a constant",
            "list_contains(l, 0.5)": "the constant 0.5 is not a value of type INTEGER",
            "list_contains(s, 'a')": "list_contains takes a list",
        },
    ),
    "ArraySize": cases(
        ["array_length(l)", "len(l)", "length(l)"],
        integer=["array_length(l)"],
        refused={"array_length(l, 1)": "the length of a list takes the list"},
    ),
    "Bracket": cases(
        ["l[1]", "l[-1]", "l[0]", "l[9]"],
        integer=["l[1]"],
        refused={"l[a]": "the place in a list must be a constant", "s[1]": "x[...] takes a list"},
    ),
    **{
        name: cases([f"{name}(l, 1)", f"{name}(l, -2)"], integer=[f"{name}(l, 1)"])
        for name in ("array_extract", "list_element", "list_extract")
    },
    "JSONExtract": cases(
        ["s->'a'->>'b'"],
        text=["({text}->'a'->>'b')"],
        refused={"s->'a'": "a part of JSON is no plain value", "json_extract(s, '$.a')": "a part of JSON"},
    ),
    "JSONExtractScalar": cases(
        ["s->>'a'", "s->>0", "json_extract_string(s, '$.a.b')"],
        text=["({text}->>'$.a')"],
        refused={"s->>r": "the path into JSON must be a constant", "a->>'x'": "->> takes JSON"},
    ),
    "RegexpReplace": cases(
        [
            *_each("regexp_replace(s, '{}', {})", list(_PATTERNS), ["'#'", "'#', 'g'", r"'<\0>', 'g'"]),
            r"regexp_replace(s, '(a)(b)', '\2\1')",
            "regexp_replace(s, 'A', 'b', 'gi')",
        ],
        text=["regexp_replace({text}, '[a-f]|日', '<\\0>', 'g')", "regexp_replace({text}, 'a', 'b', 'g')"],
        refused={
            r"regexp_replace(s, 'a', '\1')": "this replacement is not supported",
            f"regexp_replace(s, 'a', '{'b' * 500}', 'g')": "this replacement is too long",
        },
    ),
    "RegexpExtract": cases(
        [*_each("regexp_extract(s, '{}')", list(_PATTERNS)), "regexp_extract(s, '(a)(b)?', 2)"],
        text=["regexp_extract({text}, '([0-9]+)', 1)", "regexp_extract({t}, '(.*)', 1)"],
        refused={"regexp_extract(s, 'a', 1)": "the group is a whole number from 0 to 0"},
    ),
    "Extract": cases(
        [
            *_each("extract({} FROM {})", [*UNITS, "dow", "isodow", "doy", "era"], "d ts tz"),
            *_each("extract(epoch FROM {})", "d ts"),
        ],
        number=["extract({unit} FROM {moment})", "extract({unit} FROM {date})"],
    ),
    **{name: _part(word) for name, word in _PARTS.items()},
    "TimestampTrunc": cases(
        _each("date_trunc('{}', {})", UNITS, "d ts tz"),
        moment=[
            "date_trunc('{unit}', {moment})",
            "date_trunc('{unit}', {date})",
            "date_trunc('{unit}', {m})",
        ],
        refused={
            "date_trunc('fortnight', d)": "'FORTNIGHT' is no unit of time here",
            "date_trunc('dow', d)": "'dow' is not supported here",
        },
    ),
    "DateTrunc": cases([]),
    "DateBin": cases(
        [
            *_each(
                "time_bucket(INTERVAL {}, {})", ["1 DAY", "3 HOUR", "2 WEEK", "1 MONTH", "5 YEAR"], "d ts tz"
            ),
            "time_bucket('3 hours', ts)",
            "time_bucket(INTERVAL 7 HOUR, ts, TIMESTAMP '2024-01-01 00:30:00')",
            "time_bucket(INTERVAL 2 WEEK, ts, TIMESTAMP '0001-01-01 00:00:00')",
            "time_bucket(INTERVAL 3 MILLISECOND, ts, TIMESTAMP '9999-12-31 00:00:00')",
        ],
        moment=[
            "time_bucket(INTERVAL {width}, {moment})",
            "time_bucket(INTERVAL {width}, {date})",
            "date_bin(INTERVAL 7 DAY, {moment}, TIMESTAMP '0001-01-01')",
            "time_bucket(INTERVAL 7 DAY, {moment})",
        ],
        refused={
            "time_bucket(INTERVAL 0 DAY, d)": "the width of a bucket is one positive length of time",
            "time_bucket('soon', ts)": "this interval is not supported",
            **dict.fromkeys(
                (
                    "time_bucket(INTERVAL 1 HOUR, d, TIMESTAMP '2024-01-01')",
                    "time_bucket(INTERVAL 1 MONTH, ts, TIMESTAMP '2024-01-01')",
                    "time_bucket(INTERVAL 1 HOUR, ts, 'soon')",
                ),
                "this origin of buckets is not supported",
            ),
        },
    ),
    "DateDiff": cases(
        _each(
            "date_diff('{}', {})",
            UNITS,
            [
                *("d, e", "ts, tt", "tz, tz", "d, ts", "DATE '2024-01-01', e", "'2024-01-01', e"),
                "ts, '2024-01-01 13:30'",
            ],
        ),
        integer=["date_diff('{unit}', {date}, {moment})", "date_diff('{unit}', {date}, {date})"],
        # DuckDB takes the day of such a text, and drops its time.
        refused={
            "date_diff('hour', '2024-01-01 13:30', e)": "the constant '2024-01-01 13:30' is not a value of"
        },
    ),
    "DateAdd": cases(
        [
            "date_add(d, INTERVAL 1 MONTH)",
            "date_add(ts, INTERVAL 36 HOUR)",
            "date_add(d, INTERVAL 9999 YEAR)",
            "ts - INTERVAL 9999 YEAR",
        ],
        moment=["date_add({moment}, INTERVAL {length})", "date_add({date}, INTERVAL {length})"],
    ),
    "TimeToStr": cases(
        [
            *_each(
                "strftime({}, '{}')",
                "d ts",
                [
                    "%Y-%m-%d",
                    "%d.%m.%y %H:%M:%S.%f",
                    "%a %A %b %B",
                    "%j %U %W %V %G %u %w",
                    "%p %I",
                    "%c %x %X %%",
                    "%-d",
                ],
            ),
            "strftime('%Y', d)",
            "strftime(tz, '%Y-%m-%d %H:%M:%S.%f')",
        ],
        text=[
            "strftime({date}, '%Y-%m-%d %a %b %j %u %V')",
            "strftime({moment}, '%c %x %X %f %g %p')",
            "strftime({moment}, '%Y-%m-%d %H')",
        ],
        refused={
            "strftime(d, s)": "the format of strftime must be a constant",
            "strftime(d, '%Q')": "this format is not supported",
            "strftime(d, '%h')": "this format is not supported",
            "strftime(d, '')": "this format is not supported",
        },
    ),
    "AtTimeZone": cases(
        _each(
            "{} AT TIME ZONE '{}'",
            "ts tz",
            ["UTC", "europe/berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Africa/Monrovia"],
        ),
        moment=[
            "({moment} AT TIME ZONE 'Europe/Berlin')",
            "({moment} AT TIME ZONE 'UTC')",
            "({date} AT TIME ZONE 'Pacific/Kiritimati')",
            "({moment} AT TIME ZONE 'America/Adak' AT TIME ZONE 'UTC')",
        ],
        refused={
            "ts AT TIME ZONE s": "the time zone must be a constant",
            "tz AT TIME ZONE 'Europe/Berlni'": "'Europe/Berlni' is not a time zone",
            "tz AT TIME ZONE '+02'": "'+02' is not a time zone",
            "s AT TIME ZONE 'UTC'": "AT TIME ZONE takes a date or timestamp",
        },
    ),
    "timezone": cases(
        ["timezone('Europe/Berlin', ts)", "timezone('Asia/Tokyo', tz)"],
        moment=["timezone('Europe/Berlin', {moment})"],
        refused={"timezone(ts)": "timezone takes a zone and a timestamp"},
    ),
    "date_part": cases(
        [*_each("date_part('{}', {})", [*UNITS, "dow"], "d ts tz"), *_each("date_part('epoch', {})", "d ts")],
        integer=["date_part('{unit}', {date})", "date_part('{unit}', {moment})"],
        refused={"date_part(s, d)": "the unit must be a constant"},
    ),
    "datepart": cases(["datepart('year', d)"], integer=["datepart('{unit}', {moment})"]),
    "date_sub": cases(
        _each("date_sub('{}', {})", UNITS, ["d, e", "ts, tt", "tz, tz", "ts, d"]),
        integer=["date_sub('{unit}', {moment}, {moment})"],
    ),
    "datesub": cases(["datesub('month', d, e)"], integer=["datesub('{unit}', {date}, {moment})"]),
    "bit_count": cases(
        _each("bit_count({})", "t n a c ut ui u 255 -1"),
        integer=["bit_count({integer})", "bit_count({i})"],
        refused={
            "bit_count(h)": "bit_count takes a whole number of at most 64 bits",
            "bit_count(x)": "bit_count takes a whole number of at most 64 bits",
        },
    ),
    "isfinite": cases(
        ["isfinite(x)", "isfinite(f)", "isfinite(d)", "isfinite(ts)", "isfinite(tz)"],
        test=["isfinite({date})", "isfinite({number})", "isfinite({moment})"],
        refused={
            "isfinite()": "isfinite takes one argument",
            "isfinite(x, y)": "isfinite takes one argument",
        },
    ),
    "prefix": cases(_each("prefix(s, {})", list(_TESTED)), test=["prefix({text}, 'a')"]),
    "suffix": cases(_each("suffix(s, {})", list(_TESTED)), test=["suffix({text}, 'é')"]),
    "strlen": cases(["strlen(s)", "strlen(g)"], integer=["strlen({text})"]),
}

ALL = [text for case in CASES.values() for text in case.meanings]
NEWER = {text for case in CASES.values() for text in case.newer}
FULLER = {text for case in CASES.values() for text in case.fuller}
REFUSED = {text: message for case in CASES.values() for text, message in case.refused.items()}
EDGES = {text: condition for case in CASES.values() for text, condition in case.edges.items()}


def forms(kind: str) -> Iterator[str]:
    """The forms of all functions that give the type."""
    for case in CASES.values():
        yield from case.forms.get(kind, ())
