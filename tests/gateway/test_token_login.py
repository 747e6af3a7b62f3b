"""Log in by a token of OpenID Connect: good ones, and all that can be wrong with one."""

from __future__ import annotations

import base64
import hmac
import json
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import jwt
import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from dpduck.doors.gateway.errors import TokenError
from dpduck.doors.gateway.token_login import (
    LEEWAY_SECONDS,
    REFETCH_SECONDS,
    SigningKeys,
    TokenRules,
    read_keys,
)
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.ledger import LoginChange, open_ledger
from tests.gateway import wiring as w
from tests.gateway.serving import ENVIRONMENT, serving

ISSUER, AUDIENCE = "https://login.example.org", "dpduck"


class Issuer:
    """Signs tokens. Input: the name of its key."""

    def __init__(self, key_id: str = "first", algorithm: str = "RS256") -> None:
        self.key_id, self.algorithm = key_id, algorithm
        if algorithm == "ES256":
            self.key: Any = ec.generate_private_key(ec.SECP256R1())
            self._as_jwk: Any = ECAlgorithm
        elif algorithm == "EdDSA":
            self.key, self._as_jwk = ed25519.Ed25519PrivateKey.generate(), OKPAlgorithm
        else:
            self.key, self._as_jwk = rsa.generate_private_key(65537, 2048), RSAAlgorithm

    @property
    def jwk(self) -> dict[str, Any]:
        made = json.loads(self._as_jwk.to_jwk(self.key.public_key()))
        return {**made, "kid": self.key_id, "alg": self.algorithm, "use": "sig"}

    def token(self, sub: str = "ana", *, head: Mapping[str, Any] | None = None, **claims: Any) -> str:
        now = int(time.time())
        said = {"iss": ISSUER, "aud": AUDIENCE, "sub": sub, "iat": now, "exp": now + 300, **claims}
        said = {name: value for name, value in said.items() if value is not None}
        return jwt.encode(said, self.key, self.algorithm, {"kid": self.key_id, **(head or {})})


@pytest.fixture(scope="module")
def issuer() -> Issuer:
    return Issuer()


def write_keys(file: Path, *issuers: Issuer, more: tuple[dict[str, Any], ...] = ()) -> Path:
    file.write_text(json.dumps({"keys": [*[one.jwk for one in issuers], *more]}))
    return file


def rules(file: Path, claim: str = "sub") -> TokenRules:
    return TokenRules(ISSUER, AUDIENCE, SigningKeys(str(file)), claim)


def part(data: Mapping[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256", "EdDSA"])
def test_whom_a_token_names(tmp_path: Path, algorithm: str) -> None:
    issuer = Issuer(algorithm=algorithm)
    keys = rules(write_keys(tmp_path / "keys", issuer))
    assert keys.name_in(issuer.token()) == "ana"
    assert keys.name_in(issuer.token(aud=["other", AUDIENCE])) == "ana"
    assert keys.name_in(issuer.token(exp=int(time.time()) - LEEWAY_SECONDS + 20)) == "ana"
    assert keys.name_in(issuer.token(nbf=int(time.time()) + LEEWAY_SECONDS - 20)) == "ana"


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"exp": int(time.time()) - LEEWAY_SECONDS - 20}, "has expired"),
        ({"nbf": int(time.time()) + 3600}, "not valid yet"),
        ({"iat": int(time.time()) + 3600}, "not valid yet"),
        ({"aud": "another server"}, "for somebody else"),
        ({"aud": []}, "does not say all|for somebody else"),
        ({"iss": "https://login.example.org/"}, "of another issuer"),
        ({"exp": None}, "does not say all"),
        ({"aud": None}, "does not say all|for somebody else"),
        ({"iss": None}, "does not say all|of another issuer"),
        ({"sub": None}, "does not say all"),
        ({"sub": ""}, "who it is for"),
        ({"exp": "tomorrow"}, "no token"),
        ({"exp": str(int(time.time()) + 86_400)}, "times are no numbers"),
        ({"iat": str(int(time.time()))}, "no numbers|not valid yet"),
        ({"nbf": "1"}, "times are no numbers"),
        ({"nbf": True}, "times are no numbers"),
        ({"sub": "ana\ud800"}, "name is no text"),
    ],
)
def test_claims_that_are_wrong(tmp_path: Path, issuer: Issuer, claims: dict[str, Any], said: str) -> None:
    keys = rules(write_keys(tmp_path / "keys", issuer))
    with pytest.raises(TokenError, match=said):
        keys.name_in(issuer.token(**claims))


def test_tokens_that_are_not_signed_by_the_issuer(tmp_path: Path, issuer: Issuer) -> None:
    keys = rules(write_keys(tmp_path / "keys", issuer))
    good = issuer.token()
    head, body, _ = good.split(".")
    pem = issuer.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    unsigned = f"{part({'alg': 'HS256', 'kid': 'first'})}.{body}"
    shared = base64.urlsafe_b64encode(hmac.digest(pem, unsigned.encode(), "sha256")).rstrip(b"=").decode()
    confused = f"{unsigned}.{shared}"  # with the public key as a secret
    stranger = Issuer("first")
    for token in (
        f"{part({'alg': 'none', 'kid': 'first'})}.{body}.",
        f"{part({'alg': 'None', 'kid': 'first'})}.{body}.",
        f"{head}.{body}.",
        f"{head}.{part({'sub': 'eve', 'iss': ISSUER, 'aud': AUDIENCE})}.{good.split('.')[2]}",
        confused,
        stranger.token(),
        Issuer("second").token(),
        issuer.token(head={"crit": ["x"], "x": 1}),
        Issuer("first", "PS256").token(),
        "",
        "ana",
        "a.b.c",
        "a" * 20_000,
        f"{part({'alg': 'RS256', 'kid': ['first']})}.{body}.AAAA",
    ):
        with pytest.raises(TokenError):
            keys.name_in(token)
    assert keys.name_in(good) == "ana"


def test_a_mail_address_must_be_verified(tmp_path: Path, issuer: Issuer) -> None:
    keys = rules(write_keys(tmp_path / "keys", issuer), "email")
    assert keys.name_in(issuer.token(email="ana@x", email_verified=True)) == "ana@x"
    for claims in ({"email": "ana@x"}, {"email": "ana@x", "email_verified": "true"}, {}):
        with pytest.raises(TokenError):
            keys.name_in(issuer.token(**claims))


# --- keys -----------------------------------------------------------------------------------------------


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_key_that_rotates_is_found_and_tokens_do_not_have_keys_read(tmp_path: Path, issuer: Issuer) -> None:
    file, clock, second = write_keys(tmp_path / "keys", issuer), Clock(), Issuer("second")
    keys = SigningKeys(str(file), clock)
    assert keys.find("first", "RS256") is not None
    write_keys(file, second)
    for _ in range(1000):  # at once: not read again, whatever is asked for
        assert keys.find("second", "RS256") is None
    clock.now += REFETCH_SECONDS
    assert keys.find("second", "RS256") is not None
    assert keys.find("first", "RS256") is None  # it was withdrawn
    assert keys.find(None, "RS256") is not None  # there is one only
    write_keys(file, issuer, second)
    clock.now += 2000
    assert keys.find("first", "RS256") is not None
    assert keys.find(None, "RS256") is None  # which of the two?
    file.unlink()
    clock.now += 1800
    assert keys.find("first", "RS256") is not None  # they cannot be read again, and hold for an hour
    clock.now += 1900
    assert keys.find("first", "RS256") is None


def test_keys_that_do_not_count(tmp_path: Path, issuer: Issuer) -> None:
    shared = {"kty": "oct", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0", "kid": "shared", "alg": "HS256"}
    sealing = {**Issuer("sealing").jwk, "use": "enc"}
    file = write_keys(tmp_path / "keys", issuer, more=(shared, sealing))
    assert [key.key_id for key in read_keys(str(file))] == ["first"]


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"keys": []}', '{"keys": [{"kty": "oct", "k": "AAAA"}]}', "5"]
)
def test_keys_that_are_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "keys"
    file.write_text(text)
    with pytest.raises(ParameterError, match="keys of tokens cannot be read"):
        read_keys(str(file))


# --- a server -------------------------------------------------------------------------------------------


class Answers(BaseHTTPRequestHandler):
    """The keys at an address, and how often they were read."""

    body, count = b"", 0

    def do_GET(self) -> None:
        Answers.count += 1
        if self.path != "/keys":
            self.send_response(302)
            self.send_header("Location", "/keys")
            self.end_headers()
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(Answers.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def https(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "web").mkdir()
    cert, key = w.certificate(tmp_path / "web")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    web = HTTPServer(("127.0.0.1", 0), Answers)
    web.socket = context.wrap_socket(web.socket, server_side=True)
    thread = threading.Thread(target=web.serve_forever)
    thread.start()
    yield f"https://localhost:{web.server_port}"
    web.shutdown()
    thread.join()
    web.server_close()


@pytest.mark.slow
def test_clients_log_in_by_token(
    shop_copy: Path, tmp_path: Path, issuer: Issuer, https: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "SSL_CERT_FILE", str(tmp_path / "web" / "cert.pem"))
    Answers.body = json.dumps({"keys": [issuer.jwk]}).encode()
    with open_ledger(f"{shop_copy}.ledger") as ledger:
        ledger.put_analyst("ana", LoginChange(None))
        ledger.put_analyst("eve", LoginChange(None))
    cert, key = map(str, w.certificate(tmp_path))
    names = tmp_path / "logins.toml"
    names.write_text('[token]\n"00u1" = "ana"\n"00u2" = "gone"\n')
    oidc = ("--oidc-issuer", ISSUER, "--oidc-audience", AUDIENCE, "--oidc-jwks", f"{https}/keys")
    tls = ("--tls-cert", cert, "--tls-key", key, "--socket", str(tmp_path))
    with serving(shop_copy, *tls, *oidc, "--login-map", str(names), "--epsilon", "0.1") as (port, _):
        address = f"host=127.0.0.1 port={port} sslmode=require options='-c dp_login=token' dbname=shop"
        done = subprocess.run(
            ["psql", "-XAt", f"{address} user=ana", "-c", "SELECT current_user", "-c", "SHOW dp_epsilon"],
            env={"PGPASSWORD": issuer.token("00u1"), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert done.stdout == "ana\n0.1\n", done.stderr
        with psycopg.connect(
            f"host={tmp_path} port={port} user=ana options='-c dp_login=token'", password=issuer.token("00u1")
        ) as db:
            assert db.execute("SELECT 1").fetchone() == (1,)

        def refused(user: str, token: str, where: str = address) -> str:
            with pytest.raises(psycopg.OperationalError) as caught:
                psycopg.connect(f"{where} user={user}", password=token)
            assert token not in str(caught.value)
            return str(caught.value)

        # A good token for another name, for one that nobody has, or for whom the map does not know.
        texts = {
            refused("eve", issuer.token("00u1")).replace("'eve'", "X"),
            refused("gone", issuer.token("00u2")).replace("'gone'", "X"),
            refused("nobody", issuer.token("00u1")).replace("'nobody'", "X"),
            refused("ana", issuer.token("ana")).replace("'ana'", "X"),
        }
        assert len(texts) == 1
        assert "has expired" in refused("ana", issuer.token("00u1", exp=int(time.time()) - 3600))
        assert "somebody else" in refused("ana", issuer.token("00u1", aud="x"))
        assert "not known" in refused("ana", Issuer("rotated").token("00u1"))
        assert "not encrypted" in refused("ana", issuer.token("00u1"), address.replace("require", "disable"))
        read = Answers.count
        for _ in range(3):
            refused("ana", Issuer("made-up").token("00u1"))
        assert Answers.count == read
    log = Path(f"{shop_copy}.log").read_text()
    assert "login of 'eve' by token: refused" in log
    assert "eyJ" not in log  # of no token


def test_keys_behind_a_redirect_are_not_read(
    https: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "web" / "cert.pem"))
    with pytest.raises(ParameterError, match="status 302"):
        read_keys(f"{https}/elsewhere")


@pytest.mark.slow
def test_a_server_without_tokens_says_so(shop_copy: Path) -> None:
    with serving(shop_copy) as (port, _), pytest.raises(psycopg.OperationalError, match="takes no tokens"):
        psycopg.connect(f"host=127.0.0.1 port={port} user=ana options='-c dp_login=token'", password="x")
