"""The state machine: every state with every message, and whole conversations as lists of what was said."""

from __future__ import annotations

import pytest

from dpduck.doors.gateway.errors import ProtocolError
from dpduck.doors.gateway.protocol import messages as m
from dpduck.doors.gateway.protocol.states import TABLE, State, Transition
from dpduck.doors.gateway.protocol.wire import Wire
from tests.gateway import wiring as w

# One of each kind, as a client writes it.
WRITTEN = {
    m.SslRequest: w.SSL_REQUEST,
    m.GssRequest: w.GSS_REQUEST,
    m.CancelRequest: w.cancel(1, 2),
    m.Startup: w.startup(user="ana"),
    m.SaslInitial: w.sasl_initial("n,,n=,r=x"),
    m.Password: w.message("p", b"a token\0"),
    m.SaslResponse: w.message("p", b"c=biws,r=x,p=AAAA"),
    m.Query: w.query("SELECT 1"),
    m.Parse: w.parse("SELECT 1"),
    m.Bind: w.bind(),
    m.DescribeStatement: w.describe("S"),
    m.DescribePortal: w.describe("P"),
    m.Execute: w.execute(),
    m.CloseStatement: w.close("S"),
    m.ClosePortal: w.close("P"),
    m.Flush: w.FLUSH,
    m.Sync: w.SYNC,
    m.FunctionCall: w.message("F", b"any"),
    m.CopyInput: w.message("d", b"any"),
    m.Terminate: w.TERMINATE,
}
OPENINGS = (m.SslRequest, m.GssRequest, m.CancelRequest, m.Startup)
WORK = set(WRITTEN) - {*OPENINGS, m.SaslInitial, m.SaslResponse, m.Password, m.Terminate, m.Sync}

# What the documentation allows, written down once more.
EXPECTED = {
    State.OPENING: {
        m.SslRequest: State.OPENING,
        m.GssRequest: State.OPENING,
        m.CancelRequest: State.CLOSED,
        m.Startup: State.ASKED,
    },
    State.ASKED: {m.SaslInitial: State.CHALLENGED, m.Terminate: State.CLOSED},
    State.ASKED_PASSWORD: {m.Password: State.ASKED_PASSWORD, m.Terminate: State.CLOSED},
    State.CHALLENGED: {m.SaslResponse: State.CHALLENGED, m.Terminate: State.CLOSED},
    State.READY: dict.fromkeys({*WORK, m.Sync}, State.READY) | {m.Terminate: State.CLOSED},
    State.SKIPPING: dict.fromkeys(WORK, State.SKIPPING) | {m.Sync: State.READY, m.Terminate: State.CLOSED},
    State.CLOSED: {},
}


def wire_in(state: State) -> Wire:
    wire = Wire()
    wire.state = state
    return wire


def test_every_kind_of_message_is_here() -> None:
    assert set(WRITTEN) == set(m.Message.__subclasses__())


@pytest.mark.parametrize("state", [state for state in State if state is not State.CLOSED])
@pytest.mark.parametrize("kind", WRITTEN)
def test_every_message_in_every_state(state: State, kind: type[m.Message]) -> None:
    wire = wire_in(state)
    # A first packet has another form, and is not to be read in any other state, nor others as one.
    proper = (kind in OPENINGS) == (state is State.OPENING)
    after = EXPECTED[state].get(kind)
    if after is not None:
        assert proper
        [message] = wire.receive(WRITTEN[kind])
        assert type(message) is kind
        assert wire.state is after
    elif state is State.CHALLENGED and kind in (m.SaslInitial, m.Password):
        # All are 'p': what it says is for the proof to judge.
        [message] = wire.receive(WRITTEN[kind])
        assert type(message) is m.SaslResponse
    else:
        with pytest.raises(ProtocolError) as caught:
            list(wire.receive(WRITTEN[kind] + bytes(70_000)))
        assert caught.value.sqlstate == "08P01"
        assert wire.state is State.CLOSED


@pytest.mark.parametrize("kind", WRITTEN)
def test_nothing_is_heard_once_it_is_closed(kind: type[m.Message]) -> None:
    wire = wire_in(State.CLOSED)
    assert list(wire.receive(WRITTEN[kind])) == []
    assert wire.state is State.CLOSED


def test_the_table_has_nothing_else() -> None:
    messages = {
        s: {k: v for k, v in row.items() if not isinstance(k, Transition)} for s, row in TABLE.items()
    }
    assert messages == EXPECTED


def test_outcomes() -> None:
    told = {
        (state, outcome): row[outcome]
        for state, row in TABLE.items()
        for outcome in Transition
        if outcome in row
    }
    assert told == {
        **{(state, Transition.ENDED): State.CLOSED for state in State},
        (State.ASKED, Transition.ASKED_PASSWORD): State.ASKED_PASSWORD,
        (State.ASKED, Transition.AUTHENTICATED): State.READY,
        (State.ASKED_PASSWORD, Transition.AUTHENTICATED): State.READY,
        (State.CHALLENGED, Transition.AUTHENTICATED): State.READY,
        (State.READY, Transition.FAILED): State.SKIPPING,
        (State.SKIPPING, Transition.FAILED): State.SKIPPING,
    }


# --- transcripts ---------------------------------------------------------------------------------

# Each is a list of what is said, or came of it, with the state after that.
LOGIN: list[tuple[object, State]] = [
    (m.Startup, State.ASKED),
    (m.SaslInitial, State.CHALLENGED),
    (m.SaslResponse, State.CHALLENGED),
    (Transition.AUTHENTICATED, State.READY),
]
TRANSCRIPTS: dict[str, list[tuple[object, State]]] = {
    "encrypted": [(m.GssRequest, State.OPENING), (m.SslRequest, State.OPENING), *LOGIN],
    "wrong password": [*LOGIN[:3], (Transition.ENDED, State.CLOSED)],
    "a certificate": [(m.SslRequest, State.OPENING), (m.Startup, State.ASKED), LOGIN[-1]],
    "a token": [
        (m.Startup, State.ASKED),
        (Transition.ASKED_PASSWORD, State.ASKED_PASSWORD),
        (m.Password, State.ASKED_PASSWORD),
        LOGIN[-1],
    ],
    "cancel": [(m.SslRequest, State.OPENING), (m.CancelRequest, State.CLOSED)],
    "goodbye before the proof": [(m.Startup, State.ASKED), (m.Terminate, State.CLOSED)],
    "simple": [*LOGIN, (m.Query, State.READY), (m.Query, State.READY), (m.Terminate, State.CLOSED)],
    "extended": [
        *LOGIN,
        *((kind, State.READY) for kind in (m.Parse, m.DescribeStatement, m.Bind, m.Execute, m.Sync)),
    ],
    "a failure is skipped until Sync": [
        *LOGIN,
        (m.Parse, State.READY),
        (Transition.FAILED, State.SKIPPING),
        *((kind, State.SKIPPING) for kind in (m.Bind, m.Execute, m.Flush, m.Query, m.CopyInput)),
        (m.Sync, State.READY),
        (m.Query, State.READY),
    ],
    "goodbye while skipping": [*LOGIN, (Transition.FAILED, State.SKIPPING), (m.Terminate, State.CLOSED)],
}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcripts(name: str) -> None:
    wire = Wire()
    for said, after in TRANSCRIPTS[name]:
        if isinstance(said, Transition):
            wire.tell(said)
        else:
            assert isinstance(said, type)
            [message] = wire.receive(WRITTEN[said])
            assert type(message) is said
        assert wire.state is after


@pytest.mark.parametrize(
    "said",
    [
        [m.Query],
        [m.SaslInitial],
        [m.Startup, m.Query],
        [m.Startup, m.Startup],
        [m.Startup, m.Sync],
        [m.Startup, m.SaslInitial, m.Query],
        [m.Startup, m.SaslInitial, m.Startup],
        [m.CopyInput],
    ],
)
def test_nothing_is_asked_before_the_proof(said: list[type[m.Message]]) -> None:
    wire = Wire()
    with pytest.raises(ProtocolError):
        for kind in said:
            list(wire.receive(WRITTEN[kind] + bytes(20_000) * (kind is said[-1])))
    assert wire.state is State.CLOSED


def test_a_proof_after_the_login_ends_it() -> None:
    wire = wire_in(State.READY)
    with pytest.raises(ProtocolError):
        list(wire.receive(WRITTEN[m.SaslInitial]))
