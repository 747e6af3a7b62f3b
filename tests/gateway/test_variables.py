"""Settings that clients of Postgres read, set and expect to be told of."""

from __future__ import annotations

import pytest

from dpduck.doors.gateway.errors import TooManyError
from dpduck.doors.gateway.variables import Variables, seconds_of
from dpduck.kernel.errors import ParameterError, UnknownNameError


@pytest.fixture
def variables() -> Variables:
    return Variables("ana")


def test_what_a_client_is_told_when_it_connects(variables: Variables) -> None:
    told = variables.reported
    # The documentation lists these as reported by every server.
    for name in ("server_version", "server_encoding", "client_encoding", "application_name", "is_superuser"):
        assert name in told
    for name in ("session_authorization", "DateStyle", "IntervalStyle", "TimeZone", "integer_datetimes"):
        assert name in told
    assert told["standard_conforming_strings"] == "on"
    assert told["session_authorization"] == "ana"
    assert told["is_superuser"] == "off"
    assert told["server_version"].startswith("15.")


def test_names_in_any_case(variables: Variables) -> None:
    for name in ("datestyle", "DateStyle", "DATESTYLE"):
        assert variables.get(name) == "ISO, MDY"
    assert variables.set("APPLICATION_NAME", "psql") == ({"application_name": "psql"}, None)
    assert variables.all["application_name"] == "psql"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("client_encoding", "LATIN2"),
        ("client_encoding", "EUC_JP"),
        ("DateStyle", "German"),
        ("IntervalStyle", "iso_8601"),
        ("standard_conforming_strings", "off"),
        ("bytea_output", "escape"),
        ("session_authorization", "owner"),
        ("role", "owner"),
        ("is_superuser", "on"),
        ("server_version", "16"),
        ("integer_datetimes", "off"),
    ],
)
def test_what_an_answer_is_read_by_stays(variables: Variables, name: str, value: str) -> None:
    before = variables.get(name)
    with pytest.raises(ParameterError):
        variables.set(name, value)
    assert variables.get(name) == before


def test_what_is_written_in_one_form_is_shown_in_it(variables: Variables) -> None:
    for value in ("utf8", "'UTF-8'", "UNICODE"):
        assert variables.set("client_encoding", value) == ({"client_encoding": "UTF8"}, None)
    assert variables.set("datestyle", "ISO, DMY") == ({"DateStyle": "ISO, MDY"}, None)


def test_another_time_zone_is_warned_of(variables: Variables) -> None:
    assert variables.set("timezone", "Etc/UTC") == ({}, None)
    told, said = variables.set("TimeZone", "Europe/Berlin")
    assert (told, said) == ({}, "times with a zone are written in UTC")
    assert variables.get("timezone") == "UTC"


def test_settings_of_a_client_itself(variables: Variables) -> None:
    variables.set("myapp.user", "7")
    variables.set("enable_seqscan", "off")
    assert variables.get("MyApp.User") == "7"
    for name in ("nothing", "log_statement", "shared_buffers", ""):
        with pytest.raises(UnknownNameError):
            variables.set(name, "1")
        with pytest.raises(UnknownNameError):
            variables.get(name)


def test_what_is_set_when_it_connects_is_the_beginning(variables: Variables) -> None:
    variables.set("application_name", "psql")
    variables.begin()
    variables.set("application_name", "other")
    variables.set("a.b", "1")
    assert variables.set("application_name", None) == ({"application_name": "psql"}, None)
    variables.set("application_name", "other")
    assert variables.reset()["application_name"] == "psql"
    with pytest.raises(UnknownNameError):
        variables.get("a.b")


def test_what_is_kept_has_limits(variables: Variables) -> None:
    for name in ("application_name", "a.b"):
        with pytest.raises(ParameterError):
            variables.set(name, "x" * 10_001)
    with pytest.raises(UnknownNameError):
        variables.set("a." + "x" * 10_001, "")
    with pytest.raises(TooManyError):
        for number in range(1_000):
            variables.set(f"a.b{number}", "x")
    variables.set("a.b1", "y")
    assert len(variables.all) <= 500


def test_a_time_limit_is_a_duration() -> None:
    variables = Variables("ana")
    for text, seconds in (("0", 0.0), ("1500", 1.5), ("200ms", 0.2), ("2 s", 2.0), ("1.5min", 90.0)):
        variables.set("statement_timeout", text)
        assert seconds_of(variables.get("statement_timeout")) == pytest.approx(seconds)
    for text in ("soon", "1 fortnight", "-1", "1e3", "\u0661"):
        with pytest.raises(ParameterError, match="statement_timeout is a duration"):
            variables.set("statement_timeout", text)
    assert variables.get("statement_timeout") == "1.5min"
