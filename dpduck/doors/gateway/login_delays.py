"""Login delays: how long a client must wait before it may try a password, which grows with wrong ones.

Wrong passwords are counted by the address that they came from and by the name that they were tried for, in
tables of fixed size, whether the name exists or not, so a delay reveals nothing about names. An address with
too many is rejected for half a minute. A name is delayed, and with many it is locked for some minutes, but
not from where its owner logged in before: others who know the name cannot keep the owner out of there.
Right passwords cost nothing, however many are in flight.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address

from dpduck.doors.gateway.errors import ConnectionRefusedError, LockedOutError

_SLOTS = 4096  # of each table: keys that share a slot share their delay
MOST_WAIT = 5.0  # seconds: a longer wait is a rejection
LOCK_AFTER = 50  # wrong passwords of a name, more than one in a minute
MOST_LOCK = 300.0  # seconds that a name is locked


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
        return _slot(_digest(self.secret, key))


@dataclass
class UsualPlaces:
    """From where names have logged in, the last pair of each slot: pairs cannot be taken for each other."""

    secret: bytes
    _seen: list[bytes] = field(default_factory=lambda: [b""] * _SLOTS)

    def add(self, address: str, name: str) -> None:
        """Remember that a name logged in from an address."""
        digest = self._digest(address, name)
        self._seen[_slot(digest)] = digest

    def has(self, address: str, name: str) -> bool:
        """Whether a name has logged in from an address."""
        digest = self._digest(address, name)
        return self._seen[_slot(digest)] == digest

    def _digest(self, address: str, name: str) -> bytes:
        return _digest(self.secret, f"{network_of(address)} {name}")


def _digest(secret: bytes, key: str) -> bytes:
    return hmac.digest(secret, key.encode("utf-8", "replace"), hashlib.sha256)


def _slot(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "big") % _SLOTS


class LoginDelays:
    """The login delays of one server. Input: its random secret; a clock, in seconds."""

    def __init__(self, secret: bytes, clock: Callable[[], float] = time.monotonic) -> None:
        self._addresses = Debts(1.0, 10, 30.0, clock, secret + b"address")
        self._names = Debts(0.5, 10, MOST_WAIT, clock, secret + b"name")
        self._locks = Debts(60.0, LOCK_AFTER, MOST_LOCK, clock, secret + b"lock")
        self._usual = UsualPlaces(secret + b"usual")

    def of_name(self, name: str) -> float:
        """Seconds that a client must wait for this name, at most `MOST_WAIT`."""
        return self._names.wait(name)

    def of_address(self, address: str) -> float:
        """Seconds until the next try from an address, to be checked again afterwards, since others try too.

        Errors: ConnectionRefusedError if that is longer than `MOST_WAIT`.
        """
        wait = self._addresses.wait(network_of(address))
        if wait > MOST_WAIT:
            raise ConnectionRefusedError(
                "there were too many wrong passwords from this address",
                detail="It makes no difference for which names they were tried.",
                hint=f"Try again in {math.ceil(wait - MOST_WAIT)} seconds.",
            )
        return wait

    def check_lock(self, address: str, name: str) -> None:
        """Errors: LockedOutError if the name is locked, but for where it has logged in before.

        It says the same at all times and of all names: a right password is not looked at, so it is not told
        from a wrong one either.
        """
        if self._locks.wait(name) and not self._usual.has(address, name):
            raise LockedOutError(
                "too many wrong passwords were tried for this name",
                detail="It makes no difference from where, and whether anybody has the name.",
                hint=f"Try again in {MOST_LOCK / 60:.0f} minutes, or from where you logged in before.",
            )

    def right(self, address: str, name: str) -> None:
        """Note that somebody was let in."""
        self._usual.add(address, name)

    def wrong(self, address: str, name: str) -> None:
        """Count a wrong password, or an unknown name."""
        self._locks.add(name)
        self._addresses.add(network_of(address))
        self._names.add(name)


def network_of(address: str) -> str:
    """The network of one client: an IPv4 address, or an IPv6 prefix of 64 bits.

    >>> network_of("::ffff:10.0.0.7"), network_of("2001:db8::1") == network_of("2001:db8::ffff:2")
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
