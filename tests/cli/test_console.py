"""`dpduck console` and `dpduck serve --console-port` as their owner starts them."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dpduck
from dpduck.doors.cli.arguments import make_parser, read_arguments
from dpduck.doors.cli.configuration import commands_of
from tests.cli.processes import Run
from tests.cli.test_help import CSV
from tests.gateway.serving import ENVIRONMENT, let_in
from tests.gateway.web.sites import Client
from tests.gateway.wiring import PASSWORD, make_shop


def started(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "dpduck", *arguments]
    return subprocess.Popen(
        command, env=ENVIRONMENT, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def lines_until(process: subprocess.Popen[str], words: str) -> list[str]:
    assert process.stdout is not None
    lines = [process.stdout.readline()]
    while lines[-1] and words not in lines[-1]:
        lines.append(process.stdout.readline())
    assert lines[-1], process.stderr.read() if process.stderr else ""
    return lines


def ended(process: subprocess.Popen[str]) -> str:
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    return said


def test_the_console_shows_a_link_and_ends_well(tmp_path: Path) -> None:
    file = make_shop(tmp_path / "shop.duckdb")
    process = started("console", file.name, "--epsilon", "0.5", "--port", "0", folder=tmp_path)
    try:
        lines = lines_until(process, "listening on ")
        link = re.search(r"http://127\.0\.0\.1:\d+/open/\S+", "".join(lines))
        assert link is not None
        client = Client(lines[-1].split()[-1])
        client.get(link[0].removeprefix(client.base))
        assert "data owner" in client.words()
        lines_until(process, "the data owner opens, once: ")
        client.run()
        assert "Epsilon 0.5 was charged." in client.words()
        assert ended(process) == ""
    finally:
        process.kill()


def test_a_file_that_takes_the_place_of_the_served_one_is_read_on_sighup(tmp_path: Path) -> None:
    file = make_shop(tmp_path / "shop.duckdb")
    process = started("console", file.name, "--epsilon", "0.5", "--port", "0", folder=tmp_path)
    try:
        lines = lines_until(process, "listening on ")
        client = Client(lines[-1].split()[-1])
        client.get(lines[0].split()[-1].removeprefix(client.base))
        copy = tmp_path / "next.duckdb"
        shutil.copy(file, copy)
        with dpduck.connect(copy, ledger=f"{file}.ledger") as owner:
            owner.execute("ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 119)")
        copy.rename(file)
        client.get("/schema?schema=main&table=people")
        assert "From 0 to 89." in client.words()
        process.send_signal(signal.SIGHUP)
        end = time.monotonic() + 30
        while "From 0 to 119." not in client.words():
            assert time.monotonic() < end
            client.get("/schema?schema=main&table=people")
        ended(process)
    finally:
        process.kill()


def test_the_console_beside_a_gateway(tmp_path: Path) -> None:
    file = make_shop(tmp_path / "shop.duckdb")
    let_in(file, "ana", PASSWORD)
    arguments = ("serve", file.name, "--epsilon", "0.5", "--port", "0", "--console-port", "0", "--quiet")
    process = started(*arguments, folder=tmp_path)
    try:
        lines = lines_until(process, "listening on ")
        assert lines[0].startswith("the console is at http://127.0.0.1:")
        client = Client(lines[0].split()[-1])
        client.log_in()
        client.run()
        assert "Epsilon 0.5 was charged." in client.words()
        client.get("/open/anything")
        assert client.path == "/login"
        assert "Traceback" not in ended(process)
    finally:
        process.kill()


@pytest.mark.parametrize("command", [("console", "--port"), ("serve", "--console-port")])
def test_an_address_that_is_taken_is_said(tmp_path: Path, command: tuple[str, str]) -> None:
    file = make_shop(tmp_path / "shop.duckdb")
    first = started("console", file.name, "--port", "0", folder=tmp_path)
    try:
        port = lines_until(first, "listening on ")[-1].rpartition(":")[2].strip()
        more = () if command[0] == "console" else ("--port", "0")
        second = started(command[0], file.name, command[1], port, *more, folder=tmp_path)
        _, said = second.communicate(timeout=60)
        assert second.returncode == 1
        assert "cannot listen on" in said
        ended(first)
    finally:
        first.kill()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--host", "0.0.0.0"), "nothing would be encrypted"),
        (("--tls-cert", "cert.pem"), "a certificate needs its key"),
        (("--idle-minutes", "0"), "'0' is not a number of minutes"),
        (("--port", "99999"), "'99999' is not a port"),
    ],
)
def test_what_would_be_unsafe_is_bad_usage(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    (tmp_path / "shop.duckdb").touch()
    done = run("console", str(tmp_path / "shop.duckdb"), *arguments)
    assert done.code == 2
    assert words in done.err


def test_the_assets_are_in_the_package() -> None:
    from importlib.resources import files

    static = files("dpduck.doors.gateway.web") / "static"
    names = {one.name for one in static.iterdir()}
    assert names >= {"console.css", "console.js", "editor.js", "editor.LICENSE.txt", "icon.svg"}
    assert "MIT" in (static / "editor.LICENSE.txt").read_text(encoding="utf-8")


def test_the_document_shows_the_commands_and_all_options() -> None:
    text = (Path(__file__).parents[2] / "docs" / "CONSOLE.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    commands = [read_arguments(shlex.split(line)[1:]).command for line in block.splitlines()]
    assert commands == ["analyst", "console"]
    parser = commands_of(make_parser())["console",]
    options = {option for action in parser._actions for option in action.option_strings if option[1] == "-"}
    shown = set(re.findall(r"`(--[a-z-]+)", "\n".join(re.findall(r"^\| `--.*$", text, re.MULTILINE))))
    assert shown <= options
    policies = {"--unit", "--domain", "--groups", "--rows", "--format", *CSV}  # of files, as everywhere
    assert options - shown == {"--help", "--config", *policies}
