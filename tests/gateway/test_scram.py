"""Proofs of identity, against a client that is written from RFC 5802 with hashlib alone."""

from __future__ import annotations

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpduck.doors.gateway.scram import ITERATIONS, Authentication, verifier_of
from dpduck.kernel.errors import AuthenticationError, LedgerError, ParameterError
from tests.gateway.wiring import PASSWORD, Scram

MECHANISM = "SCRAM-SHA-256"
SECRET = bytes(32)
VERIFIER = verifier_of(PASSWORD)


def challenged(scram: Scram, proof: Authentication) -> str:
    return proof.challenge(MECHANISM, scram.first.encode()).decode()


def attempt(scram: Scram, proof: Authentication) -> str:
    return proof.check(scram.last(challenged(scram, proof)).encode()).decode()


@pytest.mark.parametrize("header", ["n,,", "y,,"])  # the latter where TLS is there without a binding to it
@pytest.mark.parametrize("name", ["", "ana", "*", "=2C=3D", "ä"])
def test_the_right_password(header: str, name: str) -> None:
    scram = Scram(name=name, header=header)
    assert scram.trusts(attempt(scram, Authentication("ana", VERIFIER, SECRET)))


def test_a_verifier_is_salted_and_holds_no_password() -> None:
    first, second = verifier_of(PASSWORD), verifier_of(PASSWORD)
    assert first != second
    assert first.startswith(f"SCRAM-SHA-256${ITERATIONS}:")
    assert PASSWORD not in first
    assert len(base64.b64decode(first.split(":")[1].split("$")[0])) >= 16


def test_passwords_that_cannot_be() -> None:
    for password in ("", "1234567", "x" * 1_001, "abcdefgh\0", "abc\x07defgh"):
        with pytest.raises(ParameterError) as caught:
            verifier_of(password)
        assert not password or password not in str(caught.value)


def test_a_wrong_password() -> None:
    for password in ("correct horse batterx", "", PASSWORD + " x", PASSWORD.upper()):
        with pytest.raises(AuthenticationError):
            attempt(Scram(password), Authentication("ana", VERIFIER, SECRET))


def test_a_name_that_nobody_has_looks_like_one_that_somebody_has() -> None:
    known, unknown, again = (
        challenged(Scram(), Authentication(name, verifier, SECRET))
        for name, verifier in (("ana", VERIFIER), ("bob", None), ("bob", None))
    )
    fields = [dict(part.split("=", 1) for part in text.split(",")) for text in (known, unknown, again)]
    assert [sorted(one) for one in fields] == [["i", "r", "s"]] * 3
    assert {one["i"] for one in fields} == {str(ITERATIONS)}
    assert len({len(base64.b64decode(one["s"])) for one in fields}) == 1
    assert len({len(one["r"]) for one in fields}) == 1
    # The same salt each time, as a name that somebody has; another one for another name or server.
    assert fields[1]["s"] == fields[2]["s"]
    others = [Authentication("eve", None, SECRET), Authentication("bob", None, b"x" * 32)]
    assert all(fields[1]["s"] not in challenged(Scram(), other) for other in others)


def test_both_hear_the_same_refusal() -> None:
    texts = []
    for verifier in (VERIFIER, None):
        with pytest.raises(AuthenticationError) as caught:
            attempt(Scram("wrong password"), Authentication("ana", verifier, SECRET))
        error = caught.value
        assert error.__cause__ is None
        assert error.__context__ is None
        texts.append((str(error), error.sqlstate, error.hint))
    assert texts[0] == texts[1]
    assert texts[0][1] == "28P01"


def test_a_name_in_an_error_has_no_line_ends() -> None:
    with pytest.raises(AuthenticationError) as caught:
        Authentication("ana\nERROR x", None, SECRET).challenge("PLAIN", b"")
    assert "\n" not in caught.value.message


def test_a_proof_that_was_changed() -> None:
    words = random.Random(3)
    for _ in range(60):
        scram, proof = Scram(), Authentication("ana", VERIFIER, SECRET)
        last = bytearray(scram.last(challenged(scram, proof)).encode())
        place = words.randrange(len(last))
        changed = bytes([words.randrange(32, 127)])
        # The last letter before the padding of Base64 carries bits that mean nothing.
        if last[place : place + 1] == changed or place >= len(last) - 2:
            continue
        last[place : place + 1] = changed
        with pytest.raises(AuthenticationError):
            proof.check(bytes(last))


def test_a_proof_is_good_once() -> None:
    scram, proof = Scram(), Authentication("ana", VERIFIER, SECRET)
    last = scram.last(challenged(scram, proof)).encode()
    proof.check(last)
    with pytest.raises(AuthenticationError):
        proof.check(last)
    other = Authentication("ana", VERIFIER, SECRET)
    challenged(scram, other)
    with pytest.raises(AuthenticationError):
        other.check(last)


def test_nonces_are_new_each_time() -> None:
    scram = Scram()
    texts = {challenged(scram, Authentication("ana", VERIFIER, SECRET)) for _ in range(20)}
    assert len(texts) == 20


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-256-PLUS", "SCRAM-SHA-1", "PLAIN", "", "scram-sha-256"])
def test_no_other_mechanism(mechanism: str) -> None:
    with pytest.raises(AuthenticationError):
        Authentication("ana", VERIFIER, SECRET).challenge(mechanism, Scram().first.encode())


@pytest.mark.parametrize(
    "first",
    [
        b"",
        b"\xff",
        b"n,,",
        b"n,,n=",
        b"n,,n=,r=",
        b"n,,n=a,r=\x01",
        b"p=tls-unique,,n=,r=abc",
        b"p=tls-exporter,,n=,r=abc",
        b"x,,n=,r=abc",
        b"n,a=owner,n=,r=abc",  # to act as somebody else
        b"n,,m=x,n=,r=abc",
        b"n=,r=abc",
        b"n,,r=abc,n=",
        b"n,,n=a=b,r=abc",
        b",,,,,,,",
        b"n,,n=,r=" + b"a" * 70_000 + b"\n",
    ],
)
def test_first_words_that_are_none(first: bytes) -> None:
    with pytest.raises(AuthenticationError):
        Authentication("ana", VERIFIER, SECRET).challenge(MECHANISM, first)


@given(st.binary(max_size=60) | st.text(st.sampled_from("n,=rpcyi: abc+/"), max_size=60).map(str.encode))
def test_any_words_are_refused_in_the_same_way(data: bytes) -> None:
    with pytest.raises(AuthenticationError):
        proof = Authentication("ana", VERIFIER, SECRET)
        proof.challenge(MECHANISM, data)
        proof.check(data)
    scram, proof = Scram(), Authentication("ana", VERIFIER, SECRET)
    challenge = challenged(scram, proof)
    nonce = challenge.split(",")[0]
    with pytest.raises(AuthenticationError):
        proof.check(b"c=biws," + nonce.encode() + b",p=" + data)


def test_a_damaged_verifier_is_said_to_be_one() -> None:
    for verifier in ("", "md5abc", "SCRAM-SHA-256$x:y", VERIFIER + ":", VERIFIER.replace("$", "-")):
        with pytest.raises(LedgerError, match="verifier"):
            Authentication("ana", verifier, SECRET)
