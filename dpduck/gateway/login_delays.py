"""How long a client waits before it may try a password: the longer, the more wrong ones came before.

Wrong passwords are counted for the address that they came from and for the name that they were tried for, in
two tables of one size, whoever has that name or nobody: so a wait tells of no name. An address that has tried
too many is turned away for a while; a name only ever waits, since whoever knows one could lock its owner out.
Right passwords cost nothing, however many come at once.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address

from dpduck.gateway.errors import ConnectionRefusedError

_SLOTS = 4096  # of each table: keys that share one wait for each other
MOST_WAIT = 5.0  # seconds that a client is kept waiting, rather than turned away


@dataclass
class Debts:
    """When what each key did wrong is forgotten: `seconds` for each wrong password but a few."""

    seconds: float
    free: int
    most: float  # seconds: nothing is held against a key for longer
    clock: Callable[[], float]
    secret: bytes
    _until: list[float] = field(default_factory=lambda: [0.0] * _SLOTS)

    def wait(self, key: str) -> float:
        """Seconds until the next try of a key is due; 0 if it is now."""
        return max(self._until[self._slot(key)] - self.clock() - self.free * self.seconds, 0.0)

    def add(self, key: str) -> None:
        """One more wrong password."""
        now, slot = self.clock(), self._slot(key)
        until = max(self._until[slot], now) + self.seconds
        self._until[slot] = min(until, now + self.free * self.seconds + self.most)

    def _slot(self, key: str) -> int:
        """Where a key is: nobody can choose one that shares the slot of another."""
        digest = hmac.digest(self.secret, key.encode("utf-8", "replace"), hashlib.sha256)
        return int.from_bytes(digest[:8], "big") % _SLOTS


class Patience:
    """What one server holds against addresses and names. Input: a secret of its own; a clock, in seconds."""

    def __init__(self, secret: bytes, clock: Callable[[], float] = time.monotonic) -> None:
        self._addresses = Debts(1.0, 10, 30.0, clock, secret + b"address")
        self._names = Debts(0.5, 10, MOST_WAIT, clock, secret + b"name")

    def of_name(self, name: str) -> float:
        """Seconds that one who says this name waits, at most `MOST_WAIT`."""
        return self._names.wait(name)

    def of_address(self, address: str) -> float:
        """Seconds until the next try from an address; to be asked again after them, since others try too.

        Errors: ConnectionRefusedError if that is longer than `MOST_WAIT`.
        """
        wait = self._addresses.wait(_network(address))
        if wait > MOST_WAIT:
            raise ConnectionRefusedError(
                "there were too many wrong passwords from this address",
                detail="It makes no difference for which names they were tried.",
                hint=f"Try again in {math.ceil(wait - MOST_WAIT)} seconds.",
            )
        return wait

    def wrong(self, address: str, name: str) -> None:
        """A password was wrong, or there is nobody of that name."""
        self._addresses.add(_network(address))
        self._names.add(name)


def _network(address: str) -> str:
    """What one client has: an address, or the last half of those that IPv6 gives to each.

    >>> _network("::ffff:10.0.0.7"), _network("2001:db8::1") == _network("2001:db8::ffff:2")
    ('10.0.0.7', True)
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return f"{int(found) >> 64:x}::/64"
    return str(found)
