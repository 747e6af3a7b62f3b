"""Log in by a client's certificate: whose, of which authority, and with which map."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from dpduck.doors.gateway.login_names import LoginNames, read_login_names
from dpduck.doors.gateway.logins import name_in
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.ledger import LoginChange, open_ledger
from tests.gateway.authorities import Authority
from tests.gateway.serving import serving
from tests.gateway.wiring import PASSWORD, add_analyst, certificate


def let_in_without_password(file: Path, *names: str) -> None:
    with open_ledger(f"{file}.ledger") as ledger:
        for name in names:
            ledger.put_analyst(name, LoginChange(None))


def address(port: int, pair: tuple[Path, Path] | None, user: str = "ana") -> str:
    shown = "sslcert=/none sslkey=/none" if pair is None else f"sslcert={pair[0]} sslkey={pair[1]}"
    return f"host=127.0.0.1 port={port} user={user} sslmode=require dbname=shop {shown}"


def who(port: int, pair: tuple[Path, Path] | None, user: str = "ana", password: str = "") -> str:
    """Who one is then. Errors: psycopg.OperationalError if one does not come in."""
    with psycopg.connect(address(port, pair, user), password=password) as db:
        [(name,)] = db.execute("SELECT current_user").fetchall()
    return str(name)


def refusal(work: Callable[[], object]) -> str:
    with pytest.raises(psycopg.OperationalError) as caught:
        work()
    return str(caught.value)


@pytest.mark.slow
def test_whom_a_certificate_lets_in(shop_copy: Path, tmp_path: Path) -> None:
    let_in_without_password(shop_copy, "ana", "eve")
    add_analyst(shop_copy, "bob")
    authority, other = Authority(tmp_path), Authority(tmp_path, "other")
    cert, key = map(str, certificate(tmp_path))
    options = ("--tls-cert", cert, "--tls-key", key, "--client-ca", str(authority.cert), "--epsilon", "0.1")
    with serving(shop_copy, *options) as (port, server):
        ana = authority.client("ana", "CN=ana")
        assert who(port, ana) == "ana"
        with psycopg.connect(address(port, ana), autocommit=True) as db:
            assert db.execute("SELECT count(*) FROM people").fetchone() is not None
        # By another name, or one that nobody has, the refusal is the same.
        texts = {
            refusal(lambda u=user: who(port, ana, u)).replace(f"'{user}'", "X")
            for user in ("eve", "nobody", "bob")
        }
        assert len(texts) == 1
        assert "certificate authentication failed for user X" in texts.pop()
        nobody = authority.client("nobody", "CN=nobody")
        assert "certificate authentication failed" in refusal(lambda: who(port, nobody, "nobody"))
        for name, subject in (("two", ("CN=ana", "CN=eve")), ("none", ("O=ana",)), ("upper", ("CN=ANA",))):
            assert "certificate authentication" in refusal(
                lambda n=name, s=subject: who(port, authority.client(n, *s))
            )
        # TLS itself refuses these, and says so.
        for bad, alert in (
            (other.client("forged", "CN=ana"), "unknown ca"),
            (authority.client("old", "CN=ana", days=-1), "certificate expired"),
            (authority.client("server", "CN=ana", usage="serverAuth"), "alert"),
        ):
            assert alert in refusal(lambda pair=bad: who(port, pair))
        # Without a certificate a password does, and of no password none does.
        assert who(port, None, "bob", PASSWORD) == "bob"
        assert "password authentication failed" in refusal(lambda: who(port, None, "ana", PASSWORD))
        # One that is revoked is refused once the list is there, others are not.
        stolen = authority.client("stolen", "CN=ana")
        assert who(port, stolen) == "ana"
        authority.cert.write_bytes(authority.cert.read_bytes() + authority.revoke(stolen[0]))
        server.send_signal(signal.SIGHUP)
        log, end = Path(f"{shop_copy}.log"), time.monotonic() + 20
        while "was read again" not in log.read_text() and time.monotonic() < end:
            time.sleep(0.05)
        assert "revoked" in refusal(lambda: who(port, stolen))
        assert who(port, ana) == "ana"
    said = log.read_text()
    assert "analyst 'ana' logged in by certificate" in said
    assert "login of 'eve' by certificate: refused" in said


@pytest.mark.clients
def test_psql_and_a_map(shop_copy: Path, tmp_path: Path) -> None:
    """Where there is a map, whoever is not in it is nobody, of whatever name."""
    let_in_without_password(shop_copy, "ana", "eve")
    authority = Authority(tmp_path)
    cert, key = map(str, certificate(tmp_path))
    names = tmp_path / "logins.toml"
    names.write_text('[certificate]\n"Ana Muster" = "ana"\n')
    options = ("--tls-cert", cert, "--tls-key", key, "--client-ca", str(authority.cert))
    with serving(shop_copy, *options, "--login-map", str(names)) as (port, _):
        muster, eve = authority.client("muster", "CN=Ana Muster"), authority.client("eve", "CN=eve")
        done = subprocess.run(
            ["psql", "-XAt", address(port, muster), "-c", "SELECT current_user"],
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert done.stdout == "ana\n", done.stderr
        assert "certificate authentication failed" in refusal(lambda: who(port, eve, "eve"))


def test_names_in_certificates() -> None:
    assert name_in(None) is None
    assert name_in({}) is None
    assert name_in({"subject": ((("commonName", "ana"),), (("commonName", "bob"),))}) == ""
    assert name_in({"subject": ((("commonName", "ana"), ("emailAddress", "a@b")),)}) == "ana"
    assert name_in({"subject": (), "serialNumber": "01"}) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[certificates]\na = 'b'\n", "a table that is none: 'certificates'"),
        ("certificate = 'ana'\n", r"\[certificate\] of the map"),
        ("[token]\nana = 5\n", r"\[token\] of the map"),
        ("[token]\nana = ''\n", r"\[token\] of the map"),
        ("[token\n", "cannot be read"),
        ("[token]\n'a' = 'b'\n'a' = 'c'\n", "cannot be read"),
    ],
)
def test_maps_that_are_none(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "map.toml"
    file.write_text(text)
    with pytest.raises(ParameterError, match=said):
        read_login_names(file)
    with pytest.raises(ParameterError, match="no such file"):
        read_login_names(tmp_path / "gone.toml")


def test_a_map_of_one_way_is_none_of_another(tmp_path: Path) -> None:
    file = tmp_path / "map.toml"
    file.write_text("[token]\n'00u1' = 'ana'\n")
    names = read_login_names(file)
    assert names.analyst("token", "00u1") == "ana"
    assert names.analyst("certificate", "00u1") is None
    assert LoginNames().analyst("certificate", "ana") == "ana"
