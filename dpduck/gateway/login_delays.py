"""Login delays: how long a client must wait before it may try a password, which grows with wrong ones.

Wrong passwords are counted by the address that they came from and by the name that they were tried for, in
two tables of fixed size, whether the name exists or not, so a delay reveals nothing about names. An address
with too many is rejected for a while; a name is only ever delayed, since rejection would let others lock its
owner out. Right passwords cost nothing, however many are in flight.
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

_SLOTS = 4096  # of each table: keys that share a slot share their delay
MOST_WAIT = 5.0  # seconds: a longer wait is a rejection


@dataclass
class Debts:
    """For each key, when its wrong passwords expire: `seconds` for each of them, with a few for free."""

    seconds: float
    free: int
    most: float  # seconds: the longest delay that a key accumulates
    clock: Callable[[], float]
    secret: bytes
    _until: list[float] = field(default_factory=lambda: [0.0] * _SLOTS)

    def wait(self, key: str) -> float:
        """Seconds until the next try of a key is allowed; 0 if it is now."""
        return max(self._until[self._slot(key)] - self.clock() - self.free * self.seconds, 0.0)

    def add(self, key: str) -> None:
        """Count one more wrong password."""
        now, slot = self.clock(), self._slot(key)
        until = max(self._until[slot], now) + self.seconds
        self._until[slot] = min(until, now + self.free * self.seconds + self.most)

    def _slot(self, key: str) -> int:
        """The slot of a key, by a keyed hash, so that collisions cannot be chosen."""
        digest = hmac.digest(self.secret, key.encode("utf-8", "replace"), hashlib.sha256)
        return int.from_bytes(digest[:8], "big") % _SLOTS


class LoginDelays:
    """The login delays of one server. Input: its random secret; a clock, in seconds."""

    def __init__(self, secret: bytes, clock: Callable[[], float] = time.monotonic) -> None:
        self._addresses = Debts(1.0, 10, 30.0, clock, secret + b"address")
        self._names = Debts(0.5, 10, MOST_WAIT, clock, secret + b"name")

    def of_name(self, name: str) -> float:
        """Seconds that a client must wait for this name, at most `MOST_WAIT`."""
        return self._names.wait(name)

    def of_address(self, address: str) -> float:
        """Seconds until the next try from an address, to be checked again afterwards, since others try too.

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
        """Count a wrong password, or an unknown name."""
        self._addresses.add(_network(address))
        self._names.add(name)


def _network(address: str) -> str:
    """The network of one client: an IPv4 address, or an IPv6 prefix of 64 bits.

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
