"""The room of a server: what there is of each thing that names share, at the gateway and in the console.

Both doors of one process have one room, so that what a name holds at one counts at the other. Who is not
known yet shares by the network of the address instead of the name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from dpduck.doors.gateway.limits import ServerLimits
from dpduck.doors.gateway.login_delays import network_of
from dpduck.doors.gateway.shares import CONNECTIONS, HALVES, Shares, Turn, WaitingTurns, usual_statements

T = TypeVar("T")

_PAGES = 4  # of the console that are made at once: Python runs one thread at a time
_PRICES = 2  # statements that are priced or completed at once
_DOORS = 8  # clients that are let in at once
_MOST_RUNS = 32  # statements of one name that wait in the console
_MOST_PAGES = 16
_MOST_PRICES = 4
_MOST_ASKS = 200  # log-ins from one address, which may be that of a whole house
_SPARE = 2  # threads of a lane for what was stopped while it waited


class Lane:
    """Threads for one kind of work, with turns by name."""

    def __init__(self, what: str, places: int, queue: int) -> None:
        self.turns = WaitingTurns(Shares(places, HALVES), queue)
        self._threads = ThreadPoolExecutor(places + _SPARE, thread_name_prefix=f"dpduck-{what}")

    async def run(
        self,
        name: Hashable,
        work: Callable[[], T],
        *,
        bounded: bool = True,
        asked: Callable[[Turn], None] = lambda _: None,
    ) -> T:
        """Do work in a thread when it is the name's turn. The place is held until the work has ended.

        Input: `bounded`: as of `WaitingTurns.ask`; `asked`: called with what waits for its turn.
        Errors: BusyError.
        """
        turn = self.turns.ask(name, bounded=bounded)
        asked(turn)
        return await self.run_in(turn, work)

    async def run_in(self, turn: Turn, work: Callable[[], T]) -> T:
        """As `run`, for a turn that was asked for."""
        with turn:
            await turn.comes()
            running = asyncio.get_running_loop().run_in_executor(self._threads, work)
            turn.keep(running)
            return await asyncio.shield(running)

    def close(self) -> None:
        """Begin nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class ServerRoom:
    """All that is shared, in one server.

    `connections`: of the gateway; `memory`: bytes of what clients send and keep; `statements`: that
    run at once; `pages`, `prices`: what the console makes; `doors`: who is let in, by address.
    """

    def __init__(self, limits: ServerLimits) -> None:
        self.connections = Shares(limits.connections, CONNECTIONS, limits.connections_of_name)
        self.memory = Shares(limits.message_bytes, HALVES)
        self.statements = Lane("runs", limits.statements or usual_statements(), _MOST_RUNS)
        self.pages = Lane("pages", _PAGES, _MOST_PAGES)
        self.prices = Lane("prices", _PRICES, _MOST_PRICES)
        self.doors = Lane("doors", _DOORS, _MOST_ASKS)

    def close(self) -> None:
        """Begin nothing more."""
        for lane in (self.statements, self.pages, self.prices, self.doors):
            lane.close()


def stranger(address: str) -> Hashable:
    """What stands for the name of somebody who is not known yet."""
    return ("address", network_of(address))
