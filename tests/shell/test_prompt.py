"""The prompt, driven key by key; and its history."""

from __future__ import annotations

import io
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("prompt_toolkit", reason="needs dpduck[shell]")

from prompt_toolkit.application import create_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from dpduck.doors.shell.history import history_path, open_history
from dpduck.doors.shell.prompt import ask, converse, make_prompt, message
from dpduck.doors.shell.waiting import waiting
from tests.shell.conftest import Open, Talk

CTRL_C, CTRL_D, TAB, UP, BACK = "\x03", "\x04", "\t", "\x1b[A", "\x7f"


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    """A keyboard. Should a test wait for ever, Ctrl-C and Ctrl-D end it."""
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        end = threading.Timer(20, pipe.send_text, [CTRL_C + CTRL_D])
        end.start()
        yield pipe
        end.cancel()


@pytest.fixture
def shop(talk: Open) -> Talk:
    return talk(answer=True)


def typed(shop: Talk, keys: PipeInput, text: str, history: Path | None = None) -> str:
    """What the prompt hands over for these keys."""
    keys.send_text(text)
    return make_prompt(shop.session, history).prompt()


def test_enter_runs_only_what_is_complete(shop: Talk, keys: PipeInput) -> None:
    assert typed(shop, keys, "SELECT 1\r, 2\r;\r") == "SELECT 1\n, 2\n;"
    assert typed(shop, keys, ".tables\r") == ".tables"
    assert typed(shop, keys, "SELECT ';\r';\r") == "SELECT ';\n';"


def test_tab_completes_from_the_catalog(shop: Talk, keys: PipeInput) -> None:
    prompt = make_prompt(shop.session, None)

    def offered(buffer: Buffer) -> None:
        if buffer.text == "SELECT 1 FROM vis" and buffer.complete_state is not None:
            keys.send_text(TAB)

    def taken(buffer: Buffer) -> None:
        if buffer.text == "SELECT 1 FROM visits":
            keys.send_text(";\r")

    prompt.default_buffer.on_completions_changed += offered
    prompt.default_buffer.on_text_changed += taken
    keys.send_text("SELECT 1 FROM vis")
    assert prompt.prompt() == "SELECT 1 FROM visits;"


def test_the_history_comes_back_and_is_private(
    shop: Talk, keys: PipeInput, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = open_history(history_path())
    assert path == tmp_path / "state" / "dpduck" / "history"
    assert typed(shop, keys, "SELECT 1;\r", path) == "SELECT 1;"
    assert typed(shop, keys, f"{UP}{BACK}\r, 2;\r", path) == "SELECT 1\n, 2;"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    open_history(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_without_a_place_for_it_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert open_history(tmp_path / "file" / "history") is None


@pytest.mark.parametrize(("answer", "yes"), [("y\r", True), ("YES\r", True), ("n\r", False), ("\r", False)])
def test_only_yes_is_yes(keys: PipeInput, answer: str, yes: bool) -> None:
    keys.send_text(answer)
    assert ask("Run it? ") is yes


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D])
def test_leaving_the_question_is_no(keys: PipeInput, key: str) -> None:
    keys.send_text(key)
    assert ask("Run it? ") is False


def test_a_conversation(shop: Talk, keys: PipeInput) -> None:
    lefts: list[str] = []

    def left() -> str:
        lefts.append(f"{shop.session.left()}")
        return lefts[-1]

    keys.send_text(f"SELECT nix{CTRL_C}SELECT count(*) FROM visits;\rSELECT 1 AS one;\r{CTRL_D}")
    converse(shop.session, left, None)
    assert lefts == ["2", "2", "3/2", "3/2"]
    assert shop.charges == ["0.5"]
    assert "one" in shop.out.getvalue()
    assert shop.questions == ["Run it? [y/N] "]


def test_quit_ends_it(shop: Talk, keys: PipeInput) -> None:
    keys.send_text(".quit\r")
    converse(shop.session, lambda: "", None)
    assert shop.session.leaving


def test_the_prompt_says_what_is_left() -> None:
    assert "".join(part[1] for part in message("shop", "ε 2.5 left")) == "shop (ε 2.5 left)> "
    assert "".join(part[1] for part in message("shop", "")) == "shop> "


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_a_spinner_only_while_something_takes_long() -> None:
    pytest.importorskip("rich", reason="needs dpduck[shell]")
    screen, file = Screen(), io.StringIO()
    with waiting("reading", stream=screen, delay=60):
        pass
    with waiting("reading", stream=file, delay=0):
        pass
    assert (screen.getvalue(), file.getvalue()) == ("", "")
