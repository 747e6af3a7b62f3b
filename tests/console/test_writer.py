"""The writer: styles and signs that the screen has, and no others."""

from __future__ import annotations

import io

import pytest

from dpduck.doors.console.writer import Writer


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def written(screen: io.TextIOWrapper) -> bytes:
    raw = screen.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue()


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_styles_are_for_terminals() -> None:
    assert Writer(Screen(), Screen()).bold("a") == "\x1b[1ma\x1b[0m"
    assert Writer(io.StringIO(), Screen()).bold("a") == "a"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("NO_COLOR", "true"), ("TERM", "dumb")])
def test_styles_can_be_turned_off(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    assert Writer(Screen(), Screen()).dim("a") == "a"


def test_an_aside_needs_somebody_who_watches() -> None:
    for out, err, seen in ((Screen(), Screen(), True), (io.StringIO(), Screen(), False)):
        Writer(out, err).aside("2 left")
        assert bool(err.getvalue()) == seen
        assert out.getvalue() == ""


def test_a_screen_shows_what_it_can() -> None:
    screen = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Writer(screen, Screen()).show("│ ± 2 ░ é │\n")
    assert written(screen) == b"| +/- 2 . \\xe9 |\n"


def test_data_is_utf_8() -> None:
    screen = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Writer(screen, Screen()).data("é\r\n")
    assert written(screen) == "é\r\n".encode()
