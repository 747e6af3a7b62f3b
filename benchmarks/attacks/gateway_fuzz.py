"""Broken messages by the thousand, over sockets: the server lives, answers afterwards, and charges nothing.

`fuzz` is given how to connect and to log in, so that it knows of no server.
"""

from __future__ import annotations

import random
import socket
from collections import Counter
from collections.abc import Callable, Sequence

MOST_IN_ONE = 40  # messages that are sent over one connection, if it lives that long

_BYTES = b"\0\1\2\3\xff\xfe\x7f'\"$;QPBDECHSXFpdcf! (),=*aA19"


def broken(valid: Sequence[bytes], words: random.Random) -> bytes:
    """A valid byte string with some bytes changed, left out, doubled or cut off; or none of them."""
    if words.randrange(10) == 0:
        return words.randbytes(words.randrange(1, 80))
    data = bytearray(words.choice(valid))
    for _ in range(words.randrange(1, 4)):
        place = words.randrange(len(data)) if data else 0
        match words.randrange(6):
            case 0:
                del data[place : place + words.randrange(1, 5)]
            case 1:
                data[place:place] = data[place : place + words.randrange(1, 9)]
            case 2:
                del data[place:]
            case 3:
                data[place : place + 1] = bytes([words.randrange(256)])
            case _:
                data[place : place + 1] = bytes([words.choice(_BYTES)])
    return bytes(data)


def fuzz(
    connect: Callable[[], socket.socket],
    login: Callable[[], socket.socket],
    openings: Sequence[bytes],
    rounds: Sequence[bytes],
    count: int,
    seed: int = 0,
) -> Counter[str]:
    """Send broken byte strings, a part of them before the login. Output: what became of the connections.

    Input: `connect` and `login` give a new connection; `openings` and `rounds`: what is valid on each.
    """
    words, found, sent = random.Random(seed), Counter[str](), 0
    while sent < count:
        before = words.randrange(3) == 0
        many = min(count - sent, 1 if before else words.randrange(1, MOST_IN_ONE))
        with connect() if before else login() as link:
            found[_send(link, [broken(openings if before else rounds, words) for _ in range(many)])] += 1
        sent += many
    found["messages"] = sent
    return found


def _send(link: socket.socket, messages: Sequence[bytes]) -> str:
    try:
        for message in messages:
            link.sendall(message)
        link.shutdown(socket.SHUT_WR)
        link.settimeout(20)
        while link.recv(65_536):
            pass
    except TimeoutError:
        return "silent"
    except OSError:
        return "reset"
    return "closed"
