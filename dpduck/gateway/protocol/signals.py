"""Empty replies by which a conversation tells whoever sends its replies how to go on."""

from __future__ import annotations


class Signal(bytes):
    """No bytes, and a meaning: two signals are told apart by which they are."""


FLUSH = Signal()  # send now what there is
WORK = Signal()  # what comes next takes its time: leave the thread that serves everybody
