"""Many clients at once on a budget that runs out: each hears an answer or that the budget is spent."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence

Ask = Callable[[str], str]  # a query to its sqlstate, 00000 if it was answered


def load(
    connect: Callable[[], Ask],
    queries: Sequence[str],
    *,
    clients: int,
    seconds: float,
    meanwhile: Callable[[], None] | None = None,
) -> Counter[str]:
    """Let clients ask, in turn and without a pause. Output: how many statements ended with each sqlstate.

    Input: `connect` logs in; `meanwhile` is called once a second.
    """
    found: Counter[str] = Counter()
    lock, gate = threading.Lock(), threading.Barrier(clients + 1)
    over = threading.Event()

    def run(number: int) -> None:
        own: Counter[str] = Counter()
        try:
            ask = connect()
            gate.wait(60)
            turn = number
            while not over.is_set():
                own[ask(queries[turn % len(queries)])] += 1
                turn += 1
        except Exception as error:
            own[f"client: {type(error).__name__}"] += 1
            gate.abort()
        with lock:
            found.update(own)

    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(clients)]
    for thread in threads:
        thread.start()
    gate.wait(60)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        time.sleep(min(1.0, max(0.0, ends - time.monotonic())))
        if meanwhile is not None:
            meanwhile()
    over.set()
    for thread in threads:
        thread.join(30)
    return found
