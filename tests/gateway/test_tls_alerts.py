"""What clients see whose connection the server does not take: a TLS alert, or PostgreSQL's error."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.gateway import wiring as w
from tests.gateway.serving import let_in, serving


@pytest.fixture(scope="module")
def port(shop_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("alerts")
    file = folder / "shop.duckdb"
    shutil.copyfile(shop_file, file)
    let_in(file, "ana", w.PASSWORD)
    cert, key = map(str, w.certificate(folder))
    with serving(file, "--tls-cert", cert, "--tls-key", key, "--require-tls") as (port, _):
        yield port


def test_an_old_client_is_told_that_its_version_is_too_old(port: int) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with w.Wired(port) as client, pytest.raises(ssl.SSLError) as caught:
        client.encrypt(context)
    assert caught.value.reason == "TLSV1_ALERT_PROTOCOL_VERSION"


@pytest.mark.clients
def test_psql_of_an_old_tls_shows_the_alert(port: int) -> None:
    """PostgreSQL's own message, so that its user knows where to look."""
    address = f"host=127.0.0.1 port={port} user=ana sslmode=require ssl_max_protocol_version=TLSv1.2"
    done = subprocess.run(
        ["psql", "-X", address, "-c", "SELECT 1"],
        env={"PGPASSWORD": w.PASSWORD, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert "alert protocol version" in done.stderr


def test_the_server_goes_on_after_bytes_that_are_no_tls(port: int) -> None:
    for rubbish in (b"hello, this is no tls at all\n", bytes(600), b"\x16\x03\x01\x00\x05abcde"):
        with socket.create_connection(("127.0.0.1", port), timeout=20) as plain:
            plain.sendall(w.SSL_REQUEST)
            assert plain.recv(1) == b"S"
            plain.sendall(rubbish)
            left = b""
            try:
                while more := plain.recv(4096):
                    left += more
            except ConnectionResetError:
                pass
        assert left in (b"", left) and not left.startswith(b"E")
    with psycopg.connect(f"host=127.0.0.1 port={port} user=ana sslmode=require", password=w.PASSWORD) as db:
        assert db.execute("SELECT 1").fetchone() == (1,)


def test_a_client_in_the_open_is_refused_as_postgresql_does(port: int) -> None:
    with pytest.raises(psycopg.OperationalError) as caught:
        psycopg.connect(f"host=127.0.0.1 port={port} user=ana sslmode=disable", password=w.PASSWORD)
    assert "the connection is not encrypted" in str(caught.value)
    with w.Wired(port) as client:
        client.send(w.startup(user="ana"))
        assert w.error_of([client.reply()])["C"] == "28000"
