"""No name has more than its share, whatever is taken and given back; who waits is served in turn."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from threading import Event

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.doors.gateway.errors import BusyError, NoRoomError
from dpduck.doors.gateway.limits import ServerLimits
from dpduck.doors.gateway.room import Lane, ServerRoom, stranger
from dpduck.doors.gateway.shares import Holding, Shares, Turn, WaitingTurns, held

EVERY = (*"abcde", None)  # None: the owner
NAMES = st.sampled_from(EVERY)
TOTALS = st.integers(1, 40)
PARTS = st.integers(1, 5)


def in_loop(work: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(30):
            await work()

    asyncio.run(bounded())


# --- shares --------------------------------------------------------------------------------------


@given(TOTALS, PARTS, st.lists(st.tuples(NAMES, st.integers(-9, 9)), max_size=60))
def test_no_name_ever_has_more_than_its_share(
    total: int, parts: int, steps: list[tuple[str | None, int]]
) -> None:
    shares, having = Shares(total, parts), Counter[str | None]()
    for name, amount in steps:
        if amount < 0:
            amount = -min(-amount, having[name])
            shares.give_back(name, -amount)
        else:
            left = total - sum(having.values()) + having[name]
            fits = having[name] + amount <= min(left, max(1, left // parts))
            assert shares.take(name, amount) == fits
            amount = amount if fits else 0
        having[name] += amount
        assert shares.free == total - sum(having.values()) >= 0
        assert all(shares.held(one) == having[one] <= max(1, total // parts) for one in EVERY)


@given(st.integers(2, 6), st.integers(2, 4), st.integers(0, 5))
def test_names_that_take_all_they_can_leave_a_part_for_the_next(size: int, parts: int, greedy: int) -> None:
    """Of halves one in 2 to the n: so far everybody has something, and the next name too."""
    shares = Shares(parts**size, parts)
    for name in range(greedy):
        while shares.take(name):
            pass
    assert shares.free >= parts**size * (1 - 1 / parts) ** greedy // 1
    assert shares.take("next") == (shares.held("next") == 1)


def test_the_owner_may_set_what_one_name_has() -> None:
    shares = Shares(10, 4, most=8)
    assert shares.most_of_one == 8
    assert all(shares.take("a") for _ in range(8))
    assert not shares.take("a")
    assert [shares.take("b") for _ in range(3)] == [True, True, False]


def test_what_a_connection_holds_comes_back_when_it_closes() -> None:
    shares = Shares(100, 2)
    one, other = Holding(shares, "a"), Holding(shares, "a")
    assert one.resize("message", 30)
    assert other.resize("values", 20)
    assert not one.resize("message", 31)  # half is what one name has
    assert one.resize("message", 10)
    assert other.resize("values", 40)
    other.close()
    assert shares.held("a") == 10
    one.close()
    assert shares.free == 100
    with pytest.raises(NoRoomError), held(shares, "b", 51):
        pass
    with pytest.raises(KeyError), held(shares, "b", 50):
        raise KeyError
    assert shares.free == 100


# --- turns ---------------------------------------------------------------------------------------


@settings(deadline=None)
@given(TOTALS, st.lists(st.tuples(st.sampled_from(["ask", "skip", "end", "end"]), NAMES), max_size=80))
def test_places_are_held_within_shares_and_nothing_is_lost(
    total: int, steps: list[tuple[str, str | None]]
) -> None:
    async def work() -> None:
        turns = WaitingTurns(Shares(total, 2), queue=5)
        opened: list[Turn] = []
        for what, name in steps:
            own = [turn for turn in opened if turn.name == name]
            if what == "ask":
                try:
                    opened.append(turns.ask(name).__enter__())
                except BusyError:
                    assert turns.waiting(name) == 5
            elif what == "skip" and own:
                own[-1].skip()
            elif own:
                own[0].__exit__(None, None, None)
                opened.remove(own[0])
            _check(turns, opened, total)
        for turn in opened:
            turn.__exit__(None, None, None)
        assert turns.places.free == total
        assert not any(turns.waiting(name) for name in EVERY)

    in_loop(work)


def _check(turns: WaitingTurns, opened: list[Turn], total: int) -> None:
    placed = Counter(turn.name for turn in opened if turn.has_place)
    waiting = Counter(turn.name for turn in opened if turn.waits)
    for name in EVERY:
        assert turns.places.held(name) == placed[name] <= max(1, total // 2)
        assert turns.waiting(name) == waiting[name] <= 5
        if waiting[name]:  # only who could have no more waits
            assert not turns.places.take(name)


@given(st.integers(1, 8), st.integers(1, 20))
@settings(deadline=None)
def test_what_one_name_has_waiting_stands_before_no_other(places: int, many: int) -> None:
    """A name that asks with nothing held is next but for those that asked before it, each once."""

    async def work() -> None:
        turns = WaitingTurns(Shares(places, 1), queue=100)
        greedy = [turns.ask("greedy").__enter__() for _ in range(places + many)]
        others = [turns.ask(name).__enter__() for name in "xyz"]
        served: list[object] = []
        for turn in greedy[:places]:
            before = {id(one) for one in (*greedy, *others) if one.has_place}
            turn.__exit__(None, None, None)
            served += [one.name for one in (*greedy, *others) if one.has_place and id(one) not in before]
        assert served == ["greedy", "x", "y", "z", *["greedy"] * places][: len(served)]
        assert len(served) == min(places, many + 3)

    in_loop(work)


def test_waiting_is_bounded_and_says_so() -> None:
    async def work() -> None:
        turns = WaitingTurns(Shares(2, 2), queue=2)
        for _ in range(3):
            turns.ask("a")
        with pytest.raises(BusyError) as refused:
            turns.ask("a")
        assert (refused.value.sqlstate, refused.value.charged) == ("53400", "0")
        turns.ask("a", bounded=False)
        assert turns.ask("b").has_place  # what a has waiting is nothing to b

    in_loop(work)


def test_a_wait_that_is_cancelled_leaves_the_queue() -> None:
    async def work() -> None:
        turns = WaitingTurns(Shares(1, 1), queue=9)
        first = turns.ask("a")

        async def wait() -> None:
            with turns.ask("b") as turn:
                await turn.comes()

        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        assert turns.waiting("b") == 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert turns.waiting("b") == 0
        first.__exit__(None, None, None)
        assert turns.places.free == 1

    in_loop(work)


def test_a_place_is_held_as_long_as_its_thread_works() -> None:
    async def work() -> None:
        lane, goes_on = Lane("test", 1, 9), Event()
        task = asyncio.create_task(lane.run("a", goes_on.wait))
        next_one = asyncio.create_task(lane.run("b", lambda: "done"))
        while not lane.turns.waiting("b"):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert lane.turns.waiting("b") == 1  # nobody waits for a's work, and it still runs
        goes_on.set()
        assert await next_one == "done"
        await asyncio.sleep(0)
        assert lane.turns.places.free == 1
        lane.close()

    in_loop(work)


def test_what_is_stopped_waits_for_no_place() -> None:
    async def work() -> None:
        lane, goes_on, asked = Lane("test", 1, 9), Event(), list[Turn]()
        task = asyncio.create_task(lane.run("a", goes_on.wait))
        stopped = asyncio.create_task(lane.run("b", lambda: "told", asked=asked.append))
        while not asked:
            await asyncio.sleep(0)
        asked[0].skip()
        assert await stopped == "told"
        assert not goes_on.is_set()
        goes_on.set()
        await task
        lane.close()

    in_loop(work)


def test_prices_pages_and_statements_stop_only_themselves() -> None:
    async def work() -> None:
        room, goes_on = ServerRoom(ServerLimits(statements=4)), Event()
        full = [
            asyncio.create_task(lane.run("a", goes_on.wait))
            for lane in (room.statements, room.pages, room.prices, room.doors)
            for _ in range(lane.turns.places.total)
        ]
        await asyncio.sleep(0)
        for lane in (room.statements, room.pages, room.prices, room.doors):
            assert await lane.run("b", lambda: "served") == "served"
        goes_on.set()
        await asyncio.gather(*full)
        room.close()

    in_loop(work)


def test_strangers_share_by_their_networks() -> None:
    assert stranger("2001:db8::1") == stranger("2001:db8::2") != stranger("2001:db9::1")
    assert stranger("10.0.0.1") != "10.0.0.1"  # which may be somebody's name
