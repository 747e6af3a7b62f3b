"""The state machine of a connection, as one table: in which state what may be said, and what comes of it.

    OPENING -> ASKED -> CHALLENGED -> READY <-> SKIPPING
                                        \\-> CLOSED

What a client says is a `Message`; what comes of it on our side, and changes the state too, an `Transition`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from dpduck.gateway.protocol import messages as m


class State(Enum):
    """Where a connection stands."""

    OPENING = auto()  # nothing is known of the client
    ASKED = auto()  # it was asked who it is
    CHALLENGED = auto()  # it has said who, and was asked to prove it
    READY = auto()  # it may ask anything
    SKIPPING = auto()  # a step of the extended protocol failed: all is skipped until Sync
    CLOSED = auto()


class Transition(Enum):
    """What came of a message."""

    PROVED = auto()  # the client is who it says
    FAILED = auto()  # a step of the extended protocol failed
    ENDED = auto()  # the connection cannot go on


_SKIPPED = (
    m.Query,
    m.Parse,
    m.Bind,
    m.DescribeStatement,
    m.DescribePortal,
    m.Execute,
    m.CloseStatement,
    m.ClosePortal,
    m.Flush,
    m.FunctionCall,
    m.CopyInput,
)

TABLE: Mapping[State, Mapping[type[m.Message] | Transition, State]] = {
    State.OPENING: {
        m.SslRequest: State.OPENING,
        m.GssRequest: State.OPENING,
        m.CancelRequest: State.CLOSED,
        m.Startup: State.ASKED,
        Transition.ENDED: State.CLOSED,
    },
    State.ASKED: {
        m.SaslInitial: State.CHALLENGED,
        m.Terminate: State.CLOSED,
        Transition.ENDED: State.CLOSED,
    },
    State.CHALLENGED: {
        m.SaslResponse: State.CHALLENGED,
        m.Terminate: State.CLOSED,
        Transition.PROVED: State.READY,
        Transition.ENDED: State.CLOSED,
    },
    State.READY: {
        **dict.fromkeys(_SKIPPED, State.READY),
        m.Sync: State.READY,
        m.Terminate: State.CLOSED,
        Transition.FAILED: State.SKIPPING,
        Transition.ENDED: State.CLOSED,
    },
    State.SKIPPING: {
        **dict.fromkeys(_SKIPPED, State.SKIPPING),
        m.Sync: State.READY,
        m.Terminate: State.CLOSED,
        Transition.FAILED: State.SKIPPING,
        Transition.ENDED: State.CLOSED,
    },
    State.CLOSED: {Transition.ENDED: State.CLOSED},
}
