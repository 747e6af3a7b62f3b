"""What is between a process and its servers: connections that can be cut at each message, on this machine."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

_ABRUPTLY = struct.pack("ii", 1, 0)  # as SO_LINGER: the other side finds its connection reset


class Network:
    """Forwards each of some new ports to a server's port.

    Input: the servers' ports. `ports`: the new ones, in that order.
    """

    def __init__(self, servers: Sequence[int]) -> None:
        self._lock = threading.Lock()  # guards what follows
        self._open: set[socket.socket] = set()
        self._left: int | None = None
        self._act: Callable[[], None] = lambda: None
        self._down = False
        self._listening = [socket.create_server(("127.0.0.1", 0)) for _ in servers]
        self.ports = [one.getsockname()[1] for one in self._listening]
        for listening, port in zip(self._listening, servers, strict=True):
            threading.Thread(target=self._accept, args=(listening, port), daemon=True).start()

    def after(self, messages: int, act: Callable[[], None]) -> threading.Event:
        """Do something when so many more messages, of either side, have come to the other one.

        The next message waits for it. Output: set when it is done.
        """
        done = threading.Event()

        def once() -> None:
            act()
            done.set()

        with self._lock:
            self._left, self._act = messages, once
        return done

    def cut(self) -> None:
        """Cut all connections at once: what is under way is lost."""
        with self._lock:
            cut, self._open = self._open, set()
        for one in cut:
            _reset(one)

    @contextmanager
    def down(self) -> Iterator[None]:
        """Be cut, and let nobody connect, while the block runs."""
        self._down = True
        self.cut()
        try:
            yield
        finally:
            self._down = False

    def close(self) -> None:
        """End it."""
        for listening in self._listening:
            # Closing alone does not wake a thread that waits for a connection.
            with suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            listening.close()
        self.cut()

    def _accept(self, listening: socket.socket, port: int) -> None:
        while True:
            try:
                one, _ = listening.accept()
            except OSError:  # closed
                return
            try:
                if self._down:
                    raise ConnectionRefusedError
                other = socket.create_connection(("127.0.0.1", port))
            except OSError:
                _reset(one)
                continue
            with self._lock:
                self._open |= {one, other}
            for pair in ((one, other), (other, one)):
                threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                self._count()
                target.sendall(data)
        with self._lock:
            self._open -= {source, target}
        _reset(source)
        _reset(target)

    def _count(self) -> None:
        with self._lock:
            if self._left is None:
                return
            self._left -= 1
            if self._left >= 0:
                return
            self._left, act = None, self._act
        act()


def _reset(one: socket.socket) -> None:
    with suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABRUPTLY)
    with suppress(OSError):  # wakes the thread that waits for it
        one.shutdown(socket.SHUT_RDWR)
    one.close()
