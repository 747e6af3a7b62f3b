"""Ways to one answer that take turns, each in a process of its own: time and peak memory at once.

What a process held at most says nothing of one way if another ran in it, and times of two processes hold on
a noisy machine only if both are alive and take turns. So they wait for each other, at the ends of pipes.
"""

from __future__ import annotations

import json
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks.report.results import Record


class TurnError(Exception):
    """A process that died or took too long, and its last words."""


@dataclass
class Taken:
    """What one way took. MiB: `start` before its first answer, `peak` in all."""

    seconds: list[float] = field(default_factory=list)
    start: float | None = None
    peak: float | None = None
    note: str = ""


def in_processes(
    module: str, asks: Mapping[str, Record], repeat: int, seconds: float, limit: float
) -> dict[str, Taken]:
    """Each way answers once to warm up and then `repeat` times, in turns, every second round backwards.

    No round begins after `seconds`; if the first ends later than that, it is the one that counts. Input:
    `limit`: seconds for one answer; a way that takes longer, or fails, has no further turn.
    """
    taken = {name: Taken() for name in asks}
    with ExitStack() as stack:
        children = {name: stack.enter_context(_Child(module, ask)) for name, ask in asks.items()}
        _each(children, taken, lambda child, own: setattr(own, "start", child.reply("start", limit)))
        begin = time.perf_counter()
        for number in range(repeat + 1):
            if number and time.perf_counter() - begin > seconds:
                break
            turn = dict(list(children.items())[:: -1 if number % 2 else 1])
            _each(turn, taken, lambda child, own: own.seconds.append(child.ask(limit)))
        for own in taken.values():
            own.seconds = own.seconds[1:] or own.seconds
        _each(children, taken, lambda child, own: setattr(own, "peak", child.end(limit)))
    return taken


class _Child:
    """A process that answers when it is told to."""

    def __init__(self, module: str, ask: Record) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._tell(json.dumps(ask))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def kill(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def ask(self, limit: float) -> float:
        """The seconds of one answer."""
        self._tell("")
        return self.reply("seconds", limit)

    def end(self, limit: float) -> float:
        """The most memory that it had."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self.reply("peak", limit)

    def reply(self, name: str, limit: float) -> float:
        """One figure that it gives. Errors: TurnError."""
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(limit):
                raise TurnError(f"> {limit:g} s")
        line = self._process.stdout.readline()
        if not line:
            raise TurnError(self._last_words())
        return float(json.loads(line)[name])

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return  # the reply will say why

    def _last_words(self) -> str:
        assert self._process.stderr is not None
        lines = [line for line in self._process.stderr.read().splitlines() if line.strip()]
        wrong = [line for line in lines if "Error" in line] or lines or [f"ended {self._process.wait()}"]
        return " ".join(word for word in wrong[-1].split() if "/" not in word)[:200]


def _each(
    children: Mapping[str, _Child], taken: Mapping[str, Taken], act: Callable[[_Child, Taken], None]
) -> None:
    """Do it with each child that has not failed."""
    for name, child in children.items():
        if taken[name].note:
            continue
        try:
            act(child, taken[name])
        except TurnError as problem:
            taken[name].note = str(problem)
            child.kill()
