"""The load of many clients: each mix is asked, answered without an error, and measured."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from benchmarks.performance import gateway, gateway_load
from tests.gateway.serving import serving


def test_each_mix_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_load, "CLIENTS", 4)
    file = gateway.make(tmp_path, 10)
    with serving(file, "--quantum", "0", "--epsilon", "0.001", "--quiet") as (port, process):

        def connect() -> psycopg.Connection:
            return psycopg.connect(gateway.address(port), autocommit=True)

        runs = gateway_load.mixed(connect, process.pid, seconds=1, rounds=1)
    assert runs.keys() == gateway_load.MIXES.keys()
    for name, mix in gateway_load.MIXES.items():
        assert runs[name]["per_second"] > 0
        assert runs[name]["server_cpu_ms"] > 0
        assert all(runs[name][kind] > 0 for kind in mix if mix[kind] >= 70)


def test_an_error_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_load, "CLIENTS", 1)
    monkeypatch.setattr(gateway_load, "_FRESH", "SELECT nothing_{} FROM sales")
    monkeypatch.setattr(gateway_load, "MIXES", {"fresh": {"fresh": 100}})
    file = gateway.make(tmp_path, 10)
    served = serving(file, "--quantum", "0", "--epsilon", "0.001", "--quiet")
    with served as (port, process), pytest.raises(AssertionError, match="nothing_"):
        gateway_load.mixed(
            lambda: psycopg.connect(gateway.address(port), autocommit=True),
            process.pid,
            seconds=1,
            rounds=1,
        )
