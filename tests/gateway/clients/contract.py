"""What every client must get: answers, each charged once; a refusal it can read; the end of a budget.

A client's test says how to ask with it (`Ask`), and `check_contract` asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from dpduck.kernel.ledger import open_ledger
from tests.gateway.clients.shop import BROKE

EPSILON = "10"  # of each query: with it, counts of thousands of visitors are off by a few

TOP = "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 3"
HISTOGRAM = "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY page"
MEDIAN = "SELECT median(age) AS age FROM visits"
HIDDEN = "SELECT visitor, page FROM visits"
COUNT = "SELECT count(*) AS n FROM visits"
VISITORS = {"home": 6000, "news": 4800, "shop": 3600, "help": 2400, "jobs": 1200}
NOISE = 100  # more than there ever is, with probability 1 - 1e-100

# The first row of the table kinds, as Python has it; the second is NULL but for its id.
KINDS: dict[str, Any] = {
    "id": 1,
    "tiny": 1,
    "small": -2,
    "big": 9007199254740993,
    "huge": Decimal(2**127 - 1),
    "unsigned": 4000000000,
    "price": Decimal("1234.500"),
    "real": 0.5,
    "double": 0.1,
    "text": 'it\'s "so", \\',
    "flag": True,
    "day": date(2024, 2, 29),
    "clock": time(23, 59, 58, 500_000),
    "moment": datetime(2024, 2, 29, 12, 30, 0, 123456),
    "instant": datetime(2024, 2, 29, 12, 30, tzinfo=UTC),
    "code": UUID("12345678-1234-5678-1234-567812345678"),
    "span": timedelta(days=32, hours=3),
    "bytes": b"\x00\xffab",
    "doc": {"a": [1, None]},
    "list": [1, None, 3],
    "names": ["a", None, 'it\'s, "so"'],
}

# Each question is asked anew, and charged, even if it was asked before.
FRESH = "-c dp_replay=off"


@dataclass(frozen=True)
class Refusal:
    """An error as a client shows it: the parts that it can tell apart."""

    sqlstate: str | None
    message: str
    detail: str | None
    hint: str | None

    @classmethod
    def of_text(cls, text: str, sqlstate: str | None = None) -> Refusal:
        """From an error that a client shows as text."""
        lines = text[text.index("ERROR:") :].removeprefix("ERROR:").strip().splitlines()
        state, message = re.fullmatch(r"(?:([0-9A-Z]{5}): )?(.*?)(?: at character \d+)?", lines[0]).groups()
        said = {name: rest.strip("; ") for name, _, rest in (line.partition(":") for line in lines)}
        return cls(sqlstate or state, message, said.get("DETAIL"), said.get("HINT"))


Answer = Sequence[Sequence[Any]] | Refusal
Ask = Callable[[str, Sequence[str]], list[Answer]]  # who, what -> an answer for each, on one connection


@dataclass(frozen=True)
class Served:
    """A server that runs, and the file that it serves."""

    file: str
    port: int

    def charges(self, analyst: str) -> list[str]:
        """What an analyst was charged: epsilon of each charge, oldest first. Replays are not charged."""
        with open_ledger(f"{self.file}.ledger") as ledger:
            own = [entry for entry in ledger.entries() if entry.analyst == analyst]
        return [str(entry.epsilon) for entry in own if entry.epsilon]

    def count(self, analyst: str) -> int:
        """How often an analyst was charged."""
        return len(self.charges(analyst))


def check_contract(
    served: Served, client: str, ask: Ask, *, hides: Sequence[str] = (), more: int = 0
) -> None:
    """Ask what every client must be able to ask.

    Input: the parts of an error that it does not show; how many charged questions it asks besides.
    """
    before, broke = served.charges(client), served.charges(BROKE)
    top, histogram, median, hidden = ask(client, (TOP, HISTOGRAM, MEDIAN, HIDDEN))
    assert served.charges(client) == [*before, *[EPSILON] * (3 + more)]
    (exhausted,) = ask(BROKE, (MEDIAN,))
    assert served.charges(BROKE) == broke
    check_counts(top, ["home", "news", "shop"])
    check_counts(histogram, sorted(VISITORS))
    check_median(median)
    check_hidden(hidden, hides)
    check_exhausted(exhausted, hides)


def check_counts(answer: Answer, pages: Sequence[str]) -> None:
    """These pages in this order, each with about its visitors."""
    assert not isinstance(answer, Refusal), answer
    assert [row[0] for row in answer] == list(pages)
    for page, count in answer:
        assert abs(int(count) - VISITORS[page]) < NOISE


def check_median(answer: Answer) -> None:
    assert not isinstance(answer, Refusal), answer
    ((age,),) = answer
    assert 40 <= float(age) <= 55


def check_hidden(answer: Answer, hides: Sequence[str] = ()) -> None:
    _check_refusal(
        answer,
        Refusal(
            "0A000",
            "private rows cannot be listed",
            "Columns of the answer are aggregates, and the keys of GROUP BY. Nothing was charged.",
            "Write SELECT key, count(*) FROM t WHERE ... GROUP BY key ORDER BY count(*) DESC LIMIT 10, or "
            "SELECT count(*), avg(x), median(x) FROM t.",
        ),
        hides,
    )


def check_exhausted(answer: Answer, hides: Sequence[str] = ()) -> None:
    _check_refusal(
        answer,
        Refusal(
            "53400",
            "query needs epsilon 10 but only 0.5 remains",
            "The cap of budget 'little' is epsilon 1.5, of which 1 is spent. No data was read. "
            "Nothing was charged.",
            "Lower epsilon to 0.5 or less, or ask the data owner for more.",
        ),
        hides,
    )


def _check_refusal(answer: Answer, expected: Refusal, hides: Sequence[str]) -> None:
    assert isinstance(answer, Refusal), answer
    assert answer == replace(expected, **dict.fromkeys(hides))
