"""Empty replies that tell the sender of a conversation's replies how to continue."""

from __future__ import annotations


class Signal(bytes):
    """Empty bytes with a meaning; signals are compared by identity."""


FLUSH = Signal()  # send all pending replies now
WORK = Signal()  # the next reply may take long: continue outside of the event loop
