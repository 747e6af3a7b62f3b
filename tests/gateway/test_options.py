"""What a first packet may set."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpduck.answers.settings import Settings
from dpduck.doors.gateway.options import read_options
from dpduck.doors.gateway.variables import Variables
from dpduck.kernel.errors import DpduckError, ParameterError, UnknownNameError


def read(**parameters: str) -> tuple[Settings, Variables]:
    settings, variables = Settings(None), Variables("ana")
    read_options({"user": "ana", "database": "shop", **parameters}, settings, variables)
    return settings, variables


@pytest.mark.parametrize(
    "options",
    [
        "-c dp_epsilon=0.5",
        "-cdp_epsilon=0.5",
        "--dp_epsilon=0.5",
        "--dp-epsilon=0.5",
        "  -c   dp_epsilon=0.5  ",
        "-c dp_epsilon=2 -c dp_epsilon=0.5",
    ],
)
def test_ways_to_write_options(options: str) -> None:
    assert read(options=options)[0].epsilon == Fraction(1, 2)


def test_parameters_by_themselves() -> None:
    settings, variables = read(dp_epsilon="0.25", application_name="psql", client_encoding="utf-8")
    assert settings.epsilon == Fraction(1, 4)
    assert variables.get("application_name") == "psql"
    assert variables.get("client_encoding") == "UTF8"
    assert read(options=r"-c search_path=a\ b\\c")[1].get("search_path") == r"a b\c"


def test_options_of_a_later_protocol_are_passed_over() -> None:
    settings, variables = read(**{"_pq_.command_tag_format": "1"})
    assert settings == Settings(None)
    assert variables.all == Variables("ana").all


@pytest.mark.parametrize(
    "options", ["dp_epsilon=1", "-c", "-c dp_epsilon", "-x y", "--", "-c dp_epsilon=0.5 more", "-d 5"]
)
def test_options_that_are_none(options: str) -> None:
    with pytest.raises(ParameterError):
        read(options=options)


def test_settings_that_cannot_be() -> None:
    for options in ("-c dp_epsilon=0", "-c dp_epsilon=21", "-c dp_epsilon=x", "-c dp_replay=maybe"):
        with pytest.raises(ParameterError):
            read(options=options)
    for options in ("-c dp_budget=9", "-c dp_ledger=x", "-c shared_buffers=1"):
        with pytest.raises(UnknownNameError):
            read(options=options)
    with pytest.raises(ParameterError):
        read(client_encoding="LATIN2")
    with pytest.raises(ParameterError):
        read(session_authorization="owner")


def test_nothing_is_replicated() -> None:
    for value in ("true", "database", "on", "1"):
        with pytest.raises(ParameterError):
            read(replication=value)
    read(replication="off")


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_any_options_are_taken_or_refused(options: str, name: str, value: str) -> None:
    try:
        settings, _ = read(options=options, **({name: value} if name not in ("user", "options") else {}))
    except DpduckError as error:
        assert error.charged == "0"
    else:
        assert settings.epsilon is None or 0 < settings.epsilon <= 20
