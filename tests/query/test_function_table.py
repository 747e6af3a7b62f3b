"""The table of functions is whole: each entry is read where it says so, and none hides another."""

from __future__ import annotations

from collections import Counter

from sqlglot import exp

from dpduck.compiler.functions import aggregates, collections, conditions, datetimes, numbers, strings
from dpduck.compiler.functions.entry import nodes, public_calls
from dpduck.compiler.functions.table import LEAVES, SCALARS
from dpduck.compiler.public.registry import TRANSLATIONS
from dpduck.engines.spark.sql.dialect import SPARK

KINDS = (conditions, numbers, strings, datetimes, collections, aggregates)


def test_no_entry_hides_another() -> None:
    keys = Counter(key for part in KINDS for key in part.ENTRIES)
    assert not [key for key, times in keys.items() if times > 1]
    assert keys.keys() == SCALARS.keys() | aggregates.ENTRIES.keys()
    assert not keys.keys() & LEAVES.keys()


def test_a_word_is_the_function_that_sqlglot_reads_by_it() -> None:
    entries = public_calls("atan2 cosh", "this expression")
    assert {kind: entry.name for kind, entry in entries.items()} == {exp.Atan2: "atan2", exp.Cosh: "cosh"}


def test_what_is_public_is_translated_and_nothing_else() -> None:
    public = {kind for kind, entry in nodes(SCALARS) if entry.is_public}
    assert public == SCALARS.keys() & TRANSLATIONS.keys()


def test_every_entry_is_of_use() -> None:
    """One that neither private rows nor what is public may hold says nothing."""
    others = [entry for entry in SCALARS.values() if entry.private is None]
    assert not [entry for entry in others if not entry.is_public or entry.range or entry.spark]


def test_spark_reads_the_same_entries() -> None:
    calls = {entry.name for entry in SCALARS.values() if entry.spark is not None}
    assert calls
    assert calls <= SPARK.functions.keys()
