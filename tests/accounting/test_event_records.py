"""Events as text: each class has a name of its own, and what was written is read, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpduck.kernel.accounting import events
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.event_records import CLASSES, read_event, write_event
from dpduck.kernel.accounting.events import (
    Composed,
    Event,
    GaussianKeys,
    GaussianNoise,
    GaussianTopK,
    GumbelTopK,
    Histogram,
    NoisyCount,
    NoisyTopK,
    PartitionSelection,
)
from dpduck.kernel.accounting.gaussian import delta_of_gaussian
from dpduck.kernel.errors import InternalError


def classes(kind: type[Event] = Event) -> Iterator[type[Event]]:
    """The class of all events and each that follows from it, as far as the package defines them."""
    yield kind
    for other in kind.__subclasses__():
        if other.__module__.startswith("dpduck."):
            yield from classes(other)


LEAVES = sorted(set(classes()) - {Composed}, key=lambda kind: kind.__name__)
TENTH = Fraction(1, 10)

amounts = st.fractions(min_value=0, max_value=20, max_denominator=10**18)


@st.composite
def leaves(draw: st.DrawFn) -> Event:
    kind = draw(st.sampled_from(LEAVES))
    delta = draw(amounts) if kind.finds_keys or kind is Event else Fraction(0)
    if kind in (GaussianNoise, GaussianKeys):
        epsilon, mu_squared = draw(amounts), draw(st.fractions(min_value=0, max_value=4, max_denominator=100))
        return kind(epsilon, 2 * delta_of_gaussian(mu_squared, epsilon), mu_squared)  # type: ignore[call-arg]
    if kind is GaussianTopK:
        epsilon, rate = draw(amounts), draw(st.fractions(min_value=0, max_value=1, max_denominator=100))
        nearly = delta_of_gaussian(9 * 4 * rate**2 / 8 + rate, epsilon) + Fraction(1, 10**18)
        return GaussianTopK(epsilon, nearly, 9, rate, rate)
    counts = {field.name for field in fields(kind)} & {"k", "groups", "levels"}
    return kind(draw(amounts), delta, **{name: draw(st.integers(1, 10**6)) for name in sorted(counts)})


composed = st.recursive(
    leaves(), lambda parts: st.lists(parts, max_size=5).map(lambda some: Composed.of(*some)), max_leaves=12
)


def test_each_class_has_one_name() -> None:
    """A new class needs a name here before it can be charged."""
    assert set(CLASSES.values()) == set(classes())
    assert len(set(CLASSES.values())) == len(CLASSES)


def test_the_names_are_those_that_ledgers_hold() -> None:
    """To change one of these would change what ledgers say that were written before."""
    assert {name: kind.__name__ for name, kind in CLASSES.items()} == {
        "release": "Event",
        "noisy_top_k": "NoisyTopK",
        "many_quantiles": "ManyQuantiles",
        "quantile_interval": "QuantileInterval",
        "extreme_value": "ExtremeValue",
        "private_top_k": "PrivateTopK",
        "gumbel_top_k": "GumbelTopK",
        "permute_and_flip": "PermuteAndFlip",
        "exponential_mechanism": "ExponentialMechanism",
        "noisy_count": "NoisyCount",
        "histogram": "Histogram",
        "clamped_sums": "ClampedSums",
        "clamp_choice": "ClampChoice",
        "distinct_counts": "DistinctCounts",
        "chosen_group_counts": "ChosenGroupCounts",
        "bounded_sums": "BoundedSums",
        "average": "Average",
        "moments": "NoisyMoments",
        "gaussian": "GaussianNoise",
        "gaussian_keys": "GaussianKeys",
        "gaussian_top_k": "GaussianTopK",
        "above_threshold": "AboveThreshold",
        "private_sparse_vector": "PrivateSparseVector",
        "top_k_above": "TopKAbove",
        "partition_selection": "PartitionSelection",
        "key_selection": "KeySelection",
        "composed": "Composed",
    }


@pytest.mark.parametrize(
    ("text", "rho"),
    [
        ('{"delta":"0","epsilon":"1/10","event":"average"}', 4995837496),
        ('{"delta":"0","epsilon":"1/10","event":"histogram"}', 4995837496),
        ('{"delta":"0","epsilon":"1/10","event":"gumbel_top_k","k":4}', 312500000),
        ('{"delta":"1/1000000","epsilon":"1","event":"partition_selection"}', 462117157261),
        ('{"delta":"0","epsilon":"1/10","event":"histogram","groups":16}', 312498983),
    ],
)
def test_a_text_costs_what_it_did(text: str, rho: int) -> None:
    """Those without groups are as versions before 5 wrote and priced them."""
    assert cost_of(read_event(text)).rho == Fraction(rho, 10**12)


@pytest.mark.parametrize("kind", list(classes()))
def test_every_class_is_read_as_it_was_written(kind: type[Event]) -> None:
    event = kind(TENTH, TENTH**6 if kind.finds_keys else Fraction(0))
    if kind is Composed:
        event = Composed.of(*(other(TENTH) for other in LEAVES))
    assert read_event(write_event(event)) == event
    assert type(read_event(write_event(event))) is kind
    if "k" in {field.name for field in fields(kind)}:
        changed = replace(event, k=7)  # type: ignore[call-arg]
        assert read_event(write_event(changed)) == changed != event
    if "groups" in {field.name for field in fields(kind)}:
        assert "groups" not in write_event(event)
        changed = replace(event, groups=7)  # type: ignore[call-arg]
        assert read_event(write_event(changed)) == changed != event


@pytest.mark.slow
@given(composed)
def test_any_event_is_read_as_it_was_written(event: Event) -> None:
    text = write_event(event)
    assert read_event(text) == event
    assert cost_of(read_event(text)) == cost_of(event)
    assert json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")) == text


@pytest.mark.slow
@given(composed, composed)
def test_two_events_have_two_texts(one: Event, other: Event) -> None:
    assert (write_event(one) == write_event(other)) == (one == other and type(one) is type(other))


def test_the_text_itself() -> None:
    event = Composed.of(GumbelTopK(TENTH, k=2), PartitionSelection(Fraction(1), TENTH**6), NoisyCount(TENTH))
    assert write_event(event) == (
        '{"event":"composed","parts":['
        '{"delta":"0","epsilon":"1/10","event":"gumbel_top_k","k":2},'
        '{"delta":"1/1000000","epsilon":"1","event":"partition_selection"},'
        '{"delta":"0","epsilon":"1/10","event":"noisy_count"}]}'
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "17",
        "[]",
        "{}",
        "\0",
        "[" * 100_000,
        '{"event":"composed","parts":[' * 50_000,
        '{"event":"composed","parts":[' * 500 + "]}" * 500 + " ",
        '{"event":"composed"}',
        '{"event":"composed","parts":17}',
        '{"event":"composed","parts":{"event":"composed"}}',
        '{"event":"composed","epsilon":"0","parts":[]}',
        '{"event":["noisy_count"]}',
        '{"delta":"0","epsilon":"1","event":"count"}',
        '{"delta":"0","epsilon":"1","event":"NoisyCount"}',
        '{"epsilon":"1","event":"noisy_count"}',
        '{"delta":"0","event":"noisy_count"}',
        '{"delta":"0","epsilon":"1"}',
        '{"delta":"0","epsilon":"1","event":"noisy_count","k":1}',
        '{"delta":"0","epsilon":"1","event":"noisy_top_k"}',
        '{"delta":"0","epsilon":"1","event":"noisy_top_k","groups":2,"k":1}',
        '{"delta":"0","epsilon":"1","event":"histogram","groups":0}',
        '{"delta":"0","epsilon":"1","event":"histogram","groups":1}',
        '{"delta":"0","epsilon":"1","event":"histogram","groups":"2"}',
        '{"delta":"0","epsilon":"1","event":"noisy_top_k","k":0}',
        '{"delta":"0","epsilon":"1","event":"noisy_top_k","k":true}',
        '{"delta":"0","epsilon":"1","event":"noisy_top_k","k":1.0}',
        '{"delta":"0","epsilon":"1","event":"noisy_top_k","k":"1"}',
        '{"delta":"0","epsilon":1,"event":"noisy_count"}',
        '{"delta":"0","epsilon":"2/2","event":"noisy_count"}',
        '{"delta":"0","epsilon":"1/0","event":"noisy_count"}',
        '{"delta":"0","epsilon":"-1","event":"noisy_count"}',
        '{"delta":"0","epsilon":"0.1","event":"noisy_count"}',
        '{"delta":"0","epsilon":"1e999999999","event":"noisy_count"}',
        '{"delta":"0","epsilon":"' + "9" * 5000 + '","event":"noisy_count"}',
        '{"delta":"0","epsilon":"\u0661","event":"noisy_count"}',
        '{"delta":"1/10","epsilon":"1","event":"noisy_count"}',
        '{"delta":"0", "epsilon":"1","event":"noisy_count"}',
        '{"epsilon":"1","delta":"0","event":"noisy_count"}',
        '{"delta":"0","epsilon":"2","epsilon":"1","event":"noisy_count"}',
    ],
)
def test_any_other_text_is_no_event(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_event(text)


@pytest.mark.slow
@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_no_text_is_more_than_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_event(text)


@dataclass(frozen=True)
class _Nameless(NoisyTopK):
    pass


@pytest.mark.parametrize(
    "event",
    [
        _Nameless(TENTH),
        Composed.of(_Nameless(TENTH)),
        NoisyCount(Fraction(-1)),
        NoisyTopK(TENTH, k=0),
        Histogram(TENTH, groups=0),
        replace(Composed.of(NoisyCount(TENTH)), epsilon=Fraction(1, 20)),  # its parts cost more than it says
        replace(Composed.of(NoisyCount(TENTH)), delta=TENTH),
    ],
)
def test_what_could_not_be_priced_again_is_not_written(event: Event) -> None:
    with pytest.raises(InternalError, match="class"):
        write_event(event)


def test_all_that_is_defined_beside_events_is_one() -> None:
    """Else `classes` would look in the wrong place."""
    defined = {kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)}
    assert defined == set(classes())
