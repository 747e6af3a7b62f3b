"""Grains of 5, 15 and 30 minutes as BI tools write them are buckets, and are equal to what they say."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp

from dpduck.compiler.parse.statements import Select, parse

GRAINS = [("second", "minute", 5), ("second", "minute", 30), ("minute", "hour", 15), ("hour", "day", 6)]


def tree_of(item: str) -> exp.Expr:
    read = parse(f"SELECT {item} FROM t")
    assert isinstance(read, Select)
    return read.expression.expressions[0]


@pytest.mark.parametrize(("unit", "whole", "width"), GRAINS)
@pytest.mark.parametrize(
    "form",
    [
        "date_trunc('{whole}', ts) + INTERVAL '{width} {unit}s' * floor(extract({unit} FROM ts) / {width})",
        "date_trunc('{whole}', ts) + {width} * floor({unit}(ts) / {width}) * INTERVAL '1 {unit}'",
        "date_trunc('{whole}', ts) + floor(date_part('{unit}', ts) / {width}.0) * INTERVAL '{width} {unit}'",
    ],
)
def test_a_grain_is_a_bucket(form: str, unit: str, whole: str, width: int) -> None:
    """At each second of a leap day and of the days around the year 1900."""
    written = form.format(unit=unit, whole=whole, width=width)
    bucket = tree_of(written)
    assert isinstance(bucket, exp.DateBin)
    times = "unnest([TIMESTAMP '1899-12-31 23:30:00', TIMESTAMP '2024-02-29'])"
    seconds = f"SELECT s + INTERVAL (i) SECOND AS ts FROM (SELECT {times} AS s), range(90000) AS r(i)"
    ((wrong,),) = duckdb.sql(
        f"SELECT count(*) FROM ({seconds}) WHERE {written} IS DISTINCT FROM {bucket.sql('duckdb')}"
    ).fetchall()
    assert wrong == 0


@pytest.mark.parametrize(
    "item",
    [
        "date_trunc('hour', ts) + INTERVAL '7 minutes' * floor(extract(minute FROM ts) / 7)",
        "date_trunc('day', ts) + INTERVAL '15 minutes' * floor(extract(minute FROM ts) / 15)",
        "date_trunc('hour', ts) + INTERVAL '15 minutes' * floor(extract(minute FROM ts) / 10)",
        "date_trunc('hour', ts) + INTERVAL '15 minutes' * floor(extract(minute FROM other) / 15)",
        "date_trunc('hour', ts) + INTERVAL '15 minutes' * floor(extract(second FROM ts) / 15)",
    ],
)
def test_what_only_looks_like_a_grain_is_none(item: str) -> None:
    assert not isinstance(tree_of(item), exp.DateBin)


def test_a_week_from_sunday_is_a_week() -> None:
    """At each hour of the years around 1900 and 2024."""
    written = "CAST(date_trunc('DAY', CAST(ts AS DATE)) + (-EXTRACT(DOW FROM ts) * INTERVAL '1 DAY') AS DATE)"
    week = tree_of(written)
    trunc = week.find(exp.DateTrunc)
    assert trunc is not None
    assert trunc.text("unit") == "WEEK"
    times = "unnest([TIMESTAMP '1899-06-30 00:00:00', TIMESTAMP '2023-12-25 00:00:00'])"
    hours = f"SELECT s + INTERVAL (i) HOUR AS ts FROM (SELECT {times} AS s), range(9000) AS r(i)"
    ((wrong,),) = duckdb.sql(
        f"SELECT count(*) FROM ({hours}) WHERE {written} IS DISTINCT FROM {week.sql('duckdb')}"
    ).fetchall()
    assert wrong == 0


@pytest.mark.parametrize(
    "item",
    [
        "date_trunc('DAY', ts) + (-EXTRACT(DOW FROM other) * INTERVAL '1 DAY')",
        "date_trunc('DAY', ts) + (EXTRACT(DOW FROM ts) * INTERVAL '1 DAY')",
        "date_trunc('DAY', ts) + (-EXTRACT(DAY FROM ts) * INTERVAL '1 DAY')",
        "date_trunc('HOUR', ts) + (-EXTRACT(DOW FROM ts) * INTERVAL '1 DAY')",
        "date_trunc('DAY', ts) + (-EXTRACT(DOW FROM ts) * INTERVAL '2 DAY')",
        "date_trunc('DAY', ts) + (-EXTRACT(DOW FROM ts) * INTERVAL '1 HOUR')",
    ],
)
def test_what_only_looks_like_a_week_is_none(item: str) -> None:
    assert tree_of(item).find(exp.Extract) is not None
