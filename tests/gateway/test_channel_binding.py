"""Logins bound to the server's certificate: psql that requires it, and clients that were lied to."""

from __future__ import annotations

import base64
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from dpduck.doors.cli.certificates import load_pair
from dpduck.doors.gateway.errors import BindingError
from dpduck.doors.gateway.scram import Authentication, endpoint_binding, verifier_of
from dpduck.kernel.errors import AuthenticationError
from tests.gateway import wiring as w
from tests.gateway.serving import let_in, serving

SECRET, VERIFIER = bytes(32), verifier_of(w.PASSWORD)
PLUS, PLAIN = "SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"


@pytest.fixture(scope="module")
def port(shop_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("bound")
    file = folder / "shop.duckdb"
    shutil.copyfile(shop_file, file)
    let_in(file, "ana", w.PASSWORD)
    cert, key = w.certificate(folder)
    with serving(file, "--tls-cert", str(cert), "--tls-key", str(key), "--epsilon", "0.1") as (port, _):
        yield port


def openssl(folder: Path, name: str, *key: str) -> tuple[Path, Path]:
    """A certificate of a key of that kind."""
    cert, made = folder / f"{name}.pem", folder / f"{name}.key"
    command = ["openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost", *key]
    subprocess.run([*command, "-keyout", made, "-out", cert], check=True, capture_output=True, timeout=60)
    return cert, made


@pytest.mark.parametrize(
    ("key", "algorithm"),
    [
        (("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-sha256"), "sha256"),
        (("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp384r1", "-sha384"), "sha384"),
        (("-newkey", "rsa:2048", "-sha512"), "sha512"),
        (("-newkey", "rsa:2048", "-sha1"), "sha256"),  # RFC 5929: in place of what is weak
        (("-newkey", "ed25519"), None),
    ],
)
def test_the_digest_is_that_of_the_certificate(
    tmp_path: Path, key: tuple[str, ...], algorithm: str | None
) -> None:
    cert, made = openssl(tmp_path, "one", *key)
    found = endpoint_binding(load_pair(cert, made))
    if algorithm is None:
        assert found is None
        return
    der = tmp_path / "one.der"
    der.write_bytes(ssl.PEM_cert_to_DER_cert(cert.read_text()))
    said = subprocess.run(["openssl", "dgst", f"-{algorithm}", "-r", der], check=True, capture_output=True)
    assert found is not None
    assert found.hex() == said.stdout.split()[0].decode()


def test_without_tls_there_is_none() -> None:
    assert endpoint_binding(None) is None


@pytest.mark.clients
@pytest.mark.parametrize("binding", ["require", "prefer", "disable"])
def test_psql_binds_its_login(port: int, binding: str) -> None:
    address = f"host=localhost port={port} user=ana dbname=shop sslmode=require channel_binding={binding}"
    done = subprocess.run(
        ["psql", "-XAt", address, "-c", "SELECT city FROM cities LIMIT 1"],
        env={"PGPASSWORD": w.PASSWORD, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.stdout.strip() == "aachen", done.stderr


def test_psycopg_binds_its_login_and_a_wrong_password_is_refused(port: int) -> None:
    address = f"host=localhost port={port} user=ana sslmode=require channel_binding=require"
    with psycopg.connect(address, password=w.PASSWORD) as db:
        assert db.execute("SELECT 1").fetchone() == (1,)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(address, password="wrong password")


def test_what_is_offered_in_the_open_is_not_bound(port: int) -> None:
    with w.Wired(port) as client:
        client.login()  # which asserts that nothing else is offered
    with pytest.raises(psycopg.OperationalError, match="channel binding"):
        psycopg.connect(
            f"host=localhost port={port} user=ana sslmode=disable channel_binding=require",
            password=w.PASSWORD,
        )


def test_a_client_that_was_told_that_the_server_cannot_is_refused(port: int) -> None:
    """Somebody in between takes the mechanism out of the offer; the client says that it could have."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with w.Wired(port) as client:
        client.encrypt(context)
        client.send(w.startup(user="ana"))
        _, offer = client.reply()
        assert offer[4:] == b"SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0"
        client.send(w.sasl_initial(w.Scram(header="y,,").first))
        failure = w.error_of([client.reply()])
    assert (failure["S"], failure["C"]) == ("FATAL", "28000")
    assert "somebody in between" in failure["D"]


# --- without a socket -----------------------------------------------------------------------------------


class Bound(w.Scram):
    """A client that binds its login to a certificate. Input: the digest that it sees."""

    def __init__(self, digest: bytes, kind: str = "tls-server-end-point") -> None:
        super().__init__(header=f"p={kind},,")
        self._digest = digest

    def last(self, challenge: str, channel: str | None = None) -> str:
        bound = base64.b64encode(self._header.encode() + self._digest).decode()
        return super().last(challenge, channel or bound)


def attempt(client: w.Scram, mechanism: str = PLUS, binding: bytes | None = b"d" * 32) -> str:
    proof = Authentication("ana", VERIFIER, SECRET, binding=binding)
    challenge = proof.challenge(mechanism, client.first.encode()).decode()
    return proof.check(client.last(challenge).encode()).decode()


def test_the_certificate_that_the_client_sees_is_the_server_s() -> None:
    client = Bound(b"d" * 32)
    assert client.trusts(attempt(client))


@pytest.mark.parametrize("digest", [b"e" * 32, b"", b"d" * 31, b"d" * 33])
def test_another_certificate_in_between(digest: bytes) -> None:
    with pytest.raises(AuthenticationError) as caught:
        attempt(Bound(digest))
    assert caught.value.sqlstate == "28P01"


@pytest.mark.parametrize(
    ("header", "mechanism", "binding"),
    [
        ("y,,", PLAIN, b"d" * 32),
        ("y,,", PLUS, b"d" * 32),
        ("n,,", PLUS, b"d" * 32),
        ("p=tls-server-end-point,,", PLAIN, b"d" * 32),
        ("p=tls-server-end-point,,", PLAIN, None),
    ],
)
def test_flags_that_do_not_fit(header: str, mechanism: str, binding: bytes | None) -> None:
    with pytest.raises(BindingError):
        attempt(w.Scram(header=header), mechanism, binding)


@pytest.mark.parametrize("kind", ["tls-unique", "tls-exporter", "x"])
def test_other_kinds_of_binding(kind: str) -> None:
    with pytest.raises(AuthenticationError):
        attempt(Bound(b"d" * 32, kind))


def test_a_bound_login_without_tls() -> None:
    with pytest.raises(AuthenticationError):
        attempt(Bound(b"d" * 32), PLUS, None)


@pytest.mark.parametrize(("header", "binding"), [("y,,", None), ("n,,", None), ("n,,", b"d" * 32)])
def test_clients_that_do_not_bind(header: str, binding: bytes | None) -> None:
    client = w.Scram(header=header)
    assert client.trusts(attempt(client, PLAIN, binding))


# --- two passwords at a time ----------------------------------------------------------------------------


def test_an_earlier_password_holds_beside_the_new_one() -> None:
    salt = b"s" * 16
    new, old = verifier_of("a new password", salt), verifier_of("an old password", salt)
    for password in ("a new password", "an old password"):
        client, proof = w.Scram(password), Authentication("ana", new, SECRET, former=old)
        challenge = proof.challenge(PLAIN, client.first.encode()).decode()
        assert client.trusts(proof.check(client.last(challenge).encode()).decode())
    client, proof = w.Scram("an old password"), Authentication("ana", new, SECRET)
    challenge = proof.challenge(PLAIN, client.first.encode()).decode()
    with pytest.raises(AuthenticationError):
        proof.check(client.last(challenge).encode())


@pytest.mark.parametrize("verifier", [None, VERIFIER])
def test_an_earlier_password_alone_lets_nobody_in(verifier: str | None) -> None:
    """Without a password there is none before it either; one of another salt cannot be proved."""
    old = verifier_of("an old password", b"t" * 16)
    client, proof = w.Scram("an old password"), Authentication("ana", verifier, SECRET, former=old)
    challenge = proof.challenge(PLAIN, client.first.encode()).decode()
    with pytest.raises(AuthenticationError):
        proof.check(client.last(challenge).encode())
