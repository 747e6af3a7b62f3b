"""The table of functions is whole: each entry is read where it says so, and none hides another."""

from __future__ import annotations

from collections import Counter

from sqlglot import exp

from dpduck.engines.spark.sql.dialect import SPARK
from dpduck.query.functions import aggregates, collections, conditions, datetimes, numbers, strings
from dpduck.query.functions.entry import public_calls
from dpduck.query.functions.table import LEAVES, NAMED, NAMES, NODES
from dpduck.query.public.registry import TRANSLATIONS

KINDS = (numbers, strings, datetimes, collections, aggregates)


def test_no_entry_hides_another() -> None:
    nodes = Counter(kind for part in (conditions, *KINDS) for kind in part.NODES)
    names = Counter(name for part in KINDS for name in part.NAMES)
    assert not [kind for kind, times in (nodes + names).items() if times > 1]
    assert not nodes.keys() & LEAVES.keys()
    assert nodes.keys() - aggregates.NODES.keys() == NODES.keys()
    assert names.keys() == NAMED.keys()


def test_a_word_is_the_function_that_sqlglot_reads_by_it() -> None:
    entries = public_calls("atan2 cosh", "this expression")
    assert {kind: entry.name for kind, entry in entries.items()} == {exp.Atan2: "atan2", exp.Cosh: "cosh"}


def test_what_is_public_is_translated_and_nothing_else() -> None:
    assert {kind for kind, entry in NODES.items() if entry.is_public} == NODES.keys() & TRANSLATIONS.keys()


def test_every_entry_is_of_use() -> None:
    """One that neither private rows nor what is public may hold says nothing."""
    entries = (*NODES.values(), *NAMES.values())
    assert not [entry for entry in entries if entry.private is None and not entry.is_public]
    assert not [entry for entry in entries if entry.private is None and (entry.range or entry.spark)]


def test_spark_reads_the_same_entries() -> None:
    calls = {entry.name for entry in (*NODES.values(), *NAMES.values()) if entry.spark is not None}
    assert calls
    assert calls <= SPARK.functions.keys()
