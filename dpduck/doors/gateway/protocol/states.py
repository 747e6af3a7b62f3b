"""The state machine of a connection as one table: which messages are allowed, and which state follows.

    OPENING -> ASKED -> CHALLENGED -> READY <-> SKIPPING
                \\-> ASKED_PASSWORD -/  \\-> CLOSED

The client sends a `Message`; an outcome on the server's side that changes the state too is a `Transition`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from dpduck.doors.gateway.protocol import messages as m


class State(Enum):
    """The state of a connection."""

    OPENING = auto()  # nothing is known of the client
    ASKED = auto()  # the server has asked for authentication
    ASKED_PASSWORD = auto()  # the server has asked for a token where clients have a password
    CHALLENGED = auto()  # the client has named itself and received a challenge
    READY = auto()  # the client is authenticated
    SKIPPING = auto()  # a step of the extended protocol failed: messages are skipped until Sync
    CLOSED = auto()


class Transition(Enum):
    """The outcome of a message on the server's side."""

    ASKED_PASSWORD = auto()  # the server asks for a token, instead of a proof
    AUTHENTICATED = auto()  # the client is authenticated
    FAILED = auto()  # a step of the extended protocol failed
    ENDED = auto()  # the connection cannot continue


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
        Transition.ASKED_PASSWORD: State.ASKED_PASSWORD,
        Transition.AUTHENTICATED: State.READY,  # by a certificate
        Transition.ENDED: State.CLOSED,
    },
    State.ASKED_PASSWORD: {
        m.Password: State.ASKED_PASSWORD,
        m.Terminate: State.CLOSED,
        Transition.AUTHENTICATED: State.READY,
        Transition.ENDED: State.CLOSED,
    },
    State.CHALLENGED: {
        m.SaslResponse: State.CHALLENGED,
        m.Terminate: State.CLOSED,
        Transition.AUTHENTICATED: State.READY,
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
