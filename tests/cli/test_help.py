"""The help says what exists, and the page of the command line shows every command."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from dpduck.doors.cli.arguments import make_parser
from tests.cli.processes import Run

PAGE = Path(__file__).parents[2] / "docs" / "COMMANDS.md"
SHARED = {"--analyst", "--ledger", "--anchor", "--format", "--config"}
CSV = {
    "--type",
    "--delimiter",
    "--quote",
    "--decimal",
    "--thousands",
    "--null",
    "--encoding",
    "--no-header",
    "--skip",
}
POLICIES = {"--unit", "--domain", "--groups", "--rows", "--format", *CSV}
INTERVALS = {"--intervals", "--no-intervals"}
COSTS = {"--epsilon", "--delta", "--budget", "--fresh"}
SERVING = {
    *(
        "--host",
        "--port",
        "--metrics-port",
        "--console-port",
        "--tls-cert",
        "--tls-key",
        "--require-tls",
        "--allow-plain",
    ),
    *(
        "--no-require-tls",
        "--no-allow-plain",
        "--no-quiet",
        "--no-watch",
        "--config",
        "--log-format",
        "--alert",
    ),
    *("--socket", "--socket-group", "--client-ca", "--login-map"),
    *("--oidc-issuer", "--oidc-audience", "--oidc-jwks", "--oidc-claim"),
    *("--quantum", "--max-connections", "--statement-timeout", "--quiet", "--watch"),
    *("--memory", "--ledger-room"),
    *("--max-connections-by-name", "--max-statements", "--message-memory", "--idle-timeout"),
}
CARE = {"--backup", "--restore", "--upgrade", "--move", "--force", "--since", "--limit"}
OPTIONS = {
    "demo": set(),
    "query": SHARED
    | POLICIES
    | COSTS
    | INTERVALS
    | {"--memory", "--ledger-room", "--noisy-averages", "--why"},
    "explain": SHARED | POLICIES | COSTS | {"--memory", "--ledger-room", "--error"},
    "budget": SHARED | POLICIES | {"--html"},
    "ledger": SHARED | {"--verify", "--export", "--policies", *CARE},
    "serve": {"--ledger", "--anchor", "--epsilon", "--delta", "--budget", *POLICIES, *SERVING, *INTERVALS},
    "suggest": CSV | {"--format", "--public", "--summaries", "--ledger", "--anchor", "--config"},
    "misfits": CSV | {"--format", "--memory", "--config"},
    "policy": set(),
    "analyst": set(),
    "console": {
        *("--host", "--port", "--allow-host", "--tls-cert", "--tls-key", "--no-owner"),
        *(
            "--idle-minutes",
            "--quantum",
            "--statement-timeout",
            "--memory",
            "--ledger-room",
            "--config",
            "--ledger",
            "--anchor",
        ),
        *("--epsilon", "--delta", "--budget", *POLICIES),
        *("--max-statements", "--message-memory"),
    },
    "check": set(),
    "completion": set(),
    "audit": POLICIES | {"--config", "--ledger", "--anchor", "--queries", "--seconds", "--html", "--details"},
    "shell": SHARED
    | POLICIES
    | (COSTS - {"--fresh"})
    | INTERVALS
    | {"--no-history", "--memory", "--ledger-room"},
}


def commands() -> dict[str, argparse.ArgumentParser]:
    (action,) = [a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return dict(action.choices)


def test_the_commands_are_those_that_are_documented() -> None:
    assert set(commands()) == set(OPTIONS)


@pytest.mark.parametrize("command", OPTIONS)
def test_each_option_says_what_it_is_for(command: str) -> None:
    actions = commands()[command]._actions
    named = {option for action in actions for option in action.option_strings if option.startswith("--")}
    assert named == OPTIONS[command] | {"--help"}
    assert all(action.help for action in actions)


@pytest.mark.parametrize("command", OPTIONS)
def test_the_page_shows_each_command(command: str) -> None:
    assert f"dpduck {command}" in PAGE.read_text(encoding="utf-8")


def test_the_page_names_each_option() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [option for option in sorted(OPTIONS["query"]) if option not in text] == []


@pytest.mark.parametrize("arguments", [(), *((command,) for command in OPTIONS)])
def test_help_fits_the_screen(run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = run(*arguments, "--help")
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80


def test_version(run: Run) -> None:
    done = run("--version")
    assert done.code == 0
    assert done.out.startswith("dpduck ")
