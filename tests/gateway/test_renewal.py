"""SIGHUP: another certificate for new connections, the one before if it is no good, nothing disturbed."""

from __future__ import annotations

import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from dpduck.kernel.ledger import open_ledger
from tests.gateway.serving import let_in, serving
from tests.gateway.wiring import certificate

PASSWORD = "correct horse"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "tls").mkdir()
    return certificate(tmp_path / "tls")


def shown(port: int) -> bytes:
    """The certificate that a new client is shown."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
        plain.sendall(bytes.fromhex("0000000804d2162f"))  # SSLRequest
        assert plain.recv(1) == b"S"
        with context.wrap_socket(plain) as encrypted:
            found = encrypted.getpeercert(binary_form=True)
    assert found is not None
    return found


def der(cert: Path) -> bytes:
    return ssl.PEM_cert_to_DER_cert(cert.read_text())


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_new_certificate_and_a_bad_one(shop_copy: Path, pair: tuple[Path, Path], tmp_path: Path) -> None:
    let_in(shop_copy, "ana", PASSWORD)
    cert, key = pair
    log = Path(f"{shop_copy}.log")
    address = f"host=127.0.0.1 user=ana password='{PASSWORD}' sslmode=require"
    with serving(shop_copy, "--tls-cert", str(cert), "--tls-key", str(key), "--require-tls") as (
        port,
        server,
    ):
        first = shown(port)
        assert first == der(cert)
        with psycopg.connect(f"{address} port={port}", autocommit=True) as old:
            certificate(cert.parent)  # another one, in its place
            assert shown(port) == first
            server.send_signal(signal.SIGHUP)
            until(lambda: "the certificate was read again" in log.read_text())
            second = shown(port)
            assert second == der(cert) != first
            other = "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out"
            subprocess.run([*other.split(), str(key)], check=True, capture_output=True, timeout=30)
            server.send_signal(signal.SIGHUP)
            until(lambda: "the certificate stays as it was" in log.read_text())
            assert "cannot be used. Reading" in log.read_text()
            assert shown(port) == second
            cert.unlink()
            server.send_signal(signal.SIGHUP)
            until(lambda: log.read_text().count("the certificate stays as it was") == 2)
            assert shown(port) == second
            assert old.execute("SELECT 1").fetchone() == (1,)  # it has had the first one all along
            with psycopg.connect(f"{address} port={port}", autocommit=True) as new:
                assert new.execute("SELECT 1").fetchone() == (1,)


def test_signals_in_the_middle_of_charges_are_harmless(shop_copy: Path) -> None:
    """Also without a certificate, where there is nothing to read again. Each answer has one charge."""
    let_in(shop_copy, "ana", PASSWORD)
    with serving(shop_copy, "--epsilon", "0.01", "--quantum", "0") as (port, server):
        done = threading.Event()

        def disturb() -> None:
            while not done.is_set():
                server.send_signal(signal.SIGHUP)
                time.sleep(0.002)

        thread = threading.Thread(target=disturb)
        thread.start()
        try:
            address = f"host=127.0.0.1 port={port} user=ana password='{PASSWORD}'"
            with psycopg.connect(address, autocommit=True) as db:
                db.execute("SET dp_replay = off")
                answers = [db.execute("SELECT count(*) FROM people").fetchone() for _ in range(40)]
        finally:
            done.set()
            thread.join()
    assert all(answer is not None for answer in answers)
    with open_ledger(f"{shop_copy}.ledger") as ledger:
        assert ledger.verify() == 0
        assert len([entry for entry in ledger.entries() if entry.analyst == "ana"]) == 40
