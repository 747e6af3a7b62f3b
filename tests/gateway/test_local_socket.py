"""A socket of the file system: its name and rights, and clients that come over it."""

from __future__ import annotations

import grp
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.gateway.serving import ENVIRONMENT, let_in, serving
from tests.gateway.wiring import PASSWORD, certificate


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def serve(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """A server that is expected not to start."""
    command = [sys.executable, "-m", "dpduck", "serve", str(file), "--port", "0", *options]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)


@pytest.mark.clients
def test_psql_comes_over_the_socket_also_where_tls_is_required(shop_copy: Path, tmp_path: Path) -> None:
    let_in(shop_copy, "ana", PASSWORD)
    cert, key = map(str, certificate(tmp_path))
    options = ("--socket", str(tmp_path), "--tls-cert", cert, "--tls-key", key, "--require-tls")
    with serving(shop_copy, *options) as (port, server):
        file = tmp_path / f".s.PGSQL.{port}"
        assert server.stdout is not None
        assert server.stdout.readline() == f"listening on {file}\n"
        assert stat.S_ISSOCK(file.stat().st_mode)
        assert mode(file) == 0o700
        for more in ("", "sslmode=prefer", "options='-c dp_epsilon=0.1'"):
            done = subprocess.run(
                [
                    "psql",
                    "-XAt",
                    f"host={tmp_path} port={port} user=ana dbname=shop {more}",
                    "-c",
                    "SELECT 7",
                ],
                env={"PGPASSWORD": PASSWORD, "PATH": "/usr/bin:/bin"},
                capture_output=True,
                text=True,
                timeout=30,
            )
            assert done.stdout == "7\n", done.stderr
        # A password is asked for here too, and a slow client is cancelled here too.
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(f"host={tmp_path} port={port} user=ana", password="wrong password")
        with psycopg.connect(f"host={tmp_path} port={port} user=ana", password=PASSWORD) as db:
            assert db.execute("SELECT 1").fetchone() == (1,)
            db.cancel()
    assert not file.exists()


def test_a_group_may_use_it_if_the_owner_says_so(shop_copy: Path, tmp_path: Path) -> None:
    group = grp.getgrgid(os.getgroups()[0] if os.getgroups() else os.getgid())
    with serving(shop_copy, "--socket", str(tmp_path), "--socket-group", group.gr_name) as (port, _):
        file = tmp_path / f".s.PGSQL.{port}"
        assert mode(file) == 0o770
        assert file.stat().st_gid == group.gr_gid


def test_what_a_killed_server_left_makes_way_and_a_running_one_does_not(
    shop_copy: Path, tmp_path: Path
) -> None:
    left = tmp_path / ".s.PGSQL.24329"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(left))
    with serving(shop_copy, "--socket", str(tmp_path), "--port", "24329"):
        assert mode(left) == 0o700
        other = serve(shop_copy, "--socket", str(tmp_path), "--port", "24329", "--host", "127.0.0.2")
        assert other.returncode != 0
        assert "another server listens there" in other.stderr
        assert left.exists()
    assert not left.exists()


@pytest.mark.parametrize(
    ("folder", "reason"),
    [("gone", "no such file"), ("file", "not a directory"), ("x" * 120, "at most 107 bytes")],
)
def test_places_where_it_cannot_be(shop_copy: Path, tmp_path: Path, folder: str, reason: str) -> None:
    (tmp_path / "file").touch()
    done = serve(shop_copy, "--socket", str(tmp_path / folder))
    assert done.returncode != 0
    assert "cannot listen on" in done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_no_socket_is_not_removed(shop_copy: Path, tmp_path: Path) -> None:
    file = tmp_path / ".s.PGSQL.24328"
    file.write_text("precious")
    done = serve(shop_copy, "--socket", str(tmp_path), "--port", "24328")
    assert "something else is there" in done.stderr
    assert file.read_text() == "precious"


def test_a_group_that_is_not_there(shop_copy: Path, tmp_path: Path) -> None:
    done = serve(shop_copy, "--socket", str(tmp_path), "--socket-group", "nobody-has-this")
    assert "there is no group" in done.stderr
    assert not list(tmp_path.glob(".s.*"))
    assert "a group of no socket" in serve(shop_copy, "--socket-group", "root").stderr
