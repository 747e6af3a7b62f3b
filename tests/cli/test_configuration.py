"""Settings of the environment and of a file: the options of the command line, by other names."""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpduck.doors.cli.arguments import Arguments, make_parser, read_arguments
from dpduck.doors.cli.configuration import commands_of, is_setting, name_of, variable_of
from tests.cli.processes import Run

DOCUMENT = Path(__file__).parents[2] / "docs" / "CONFIGURATION.md"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Write a file of settings, which DPDUCK_CONFIG names."""

    def write(text: str) -> Path:
        place = tmp_path / "etc" / "dpduck.toml"
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)
        monkeypatch.setenv("DPDUCK_CONFIG", str(place))
        return place

    return write


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What is said about a command line that is bad usage."""
    with pytest.raises(SystemExit) as caught:
        read_arguments(words)
    assert caught.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err.partition("error: ")[2]


def serving(*words: str) -> Arguments:
    return read_arguments(("serve", *words))


# --- which wins ----------------------------------------------------------------------------------


def test_a_flag_wins_over_the_environment_and_that_over_the_file(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings('epsilon = 0.1\nport = 1\n[serve]\nport = 2\n[query]\nepsilon = 0.7\nformat = "csv"\n')
    assert serving("x.duckdb").epsilon == Fraction(1, 10)  # as it is written: no float comes between
    assert serving("x.duckdb").serving.port == 2
    assert read_arguments(("query", "x.duckdb", "SELECT 1")).epsilon == Fraction(7, 10)
    monkeypatch.setenv("DPDUCK_PORT", "3")
    monkeypatch.setenv("DPDUCK_EPSILON", "0.2")
    assert (serving("x.duckdb").epsilon, serving("x.duckdb").serving.port) == (Fraction(1, 5), 3)
    options = serving("x.duckdb", "--port", "4")
    assert options.serving.port == 4
    assert options.sources == {"epsilon": "DPDUCK_EPSILON"}


def test_a_switch_is_turned_off_where_it_was_on(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings("[serve]\nrequire-tls = true\nquiet = true\n")
    assert serving("x.duckdb").serving.require_tls is True
    monkeypatch.setenv("DPDUCK_QUIET", "off")
    assert serving("x.duckdb").serving.quiet is False
    assert serving("x.duckdb", "--no-require-tls").serving.require_tls is False


def test_the_file_on_the_command_line_wins_over_that_of_the_environment(
    settings: Any, tmp_path: Path
) -> None:
    settings("epsilon = 1\n")
    other = tmp_path / "other.toml"
    other.write_text("epsilon = 2\n")
    for words in (("--config", str(other)), (f"--config={other}",)):
        assert serving("x.duckdb", *words).epsilon == 2


def test_a_file_that_nobody_named_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dpduck.toml").write_text("epsilon = 1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DPDUCK_CONFIG", raising=False)
    assert serving("x.duckdb").epsilon is None


# --- FILE, paths and lists -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("serve",), "set.duckdb"),
        (("serve", "given.duckdb"), "given.duckdb"),
        (("budget", "--format", "csv"), "set.duckdb"),
        (("query", "SELECT 1", "--epsilon", "1"), "set.duckdb"),
        (("query", "--fresh", "given.duckdb", "SELECT 1"), "given.duckdb"),
        (("query", "--", "SELECT 1"), "set.duckdb"),
        (("query", "-"), "set.duckdb"),
        (("analyst", "add", "ana"), "set.duckdb"),
        (("analyst", "add", "given.duckdb", "ana"), "given.duckdb"),
        (("analyst", "list"), "set.duckdb"),
    ],
)
def test_file_may_be_a_setting(settings: Any, words: tuple[str, ...], file: str) -> None:
    place = settings('file = "set.duckdb"\n')
    expected = str(place.parent / file) if file.startswith("set") else file
    assert read_arguments(words).file.text == expected


def test_without_it_a_file_is_required(capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(capsys, "serve") == "the following arguments are required: FILE\n"


def test_paths_in_a_file_start_from_its_folder(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    place = settings(
        'file = "x.duckdb"\nledger = "x.ledger"\nanchor = "http://b/x"\n[serve]\ntls-cert = "/etc/c.pem"\n'
    )
    options = serving()
    assert options.file.text == str(place.parent / "x.duckdb")
    assert options.ledger == str(place.parent / "x.ledger")
    assert options.anchor == "http://b/x"
    assert options.serving.tls_cert == Path("/etc/c.pem")
    monkeypatch.setenv("DPDUCK_LEDGER", "y.ledger")  # as a flag would be
    assert serving().ledger == "y.ledger"
    monkeypatch.setenv("DPDUCK_LEDGER", "postgresql://me:secret@host/db")
    assert serving().ledger == "postgresql://me:secret@host/db"


def test_domains_are_a_list_or_lines(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings('unit = "u"\ndomain = ["a=0..9", "b=f,m"]\n')
    assert [column for column, _, _ in serving("x.csv").domains] == ["a", "b"]
    assert [column for column, _, _ in serving("x.csv", "--domain", "c=0..1").domains] == ["c"]
    monkeypatch.setenv("DPDUCK_DOMAIN", "d=0..9\ne=x,y\n")
    assert [column for column, _, _ in serving("x.csv").domains] == ["d", "e"]


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("epsilom = 1", "epsilom is not a setting\nDETAIL: Did you mean epsilon?"),
        ("[serve]\ntls_cert = 'x'", "serve.tls_cert is not a setting\nDETAIL: Did you mean tls-cert?"),
        ("[query]\nport = 1", "query.port is not a setting\nDETAIL: No option there has that name."),
        ("[sevre]\nport = 1", "[sevre] is not a setting\nDETAIL: Did you mean serve?"),
        ("serve = 1", "serve is not a setting"),
        ("verify = true", "verify is not a setting\nDETAIL: It says what to do, so it stands on the command"),
        (
            "port = 70000",
            "port: '70000' is not a port\nDETAIL: It is from 0 to 65535. Nothing was charged.\n",
        ),
        ("epsilon = nan", "epsilon: epsilon 'nan' is not a decimal number"),
        ("port = [1]", "port is not a value\nDETAIL: It is a number or a text in quotes."),
        ("[serve]\nquiet = 'perhaps'", "serve.quiet: 'perhaps' is neither true nor false"),
        ("port = true", "port is not a value"),
        ("port", "cannot be read\nDETAIL: It is not TOML: Expected '=' after a key"),
    ],
)
def test_what_is_no_setting_is_an_error(
    settings: Any, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    place = settings(text)
    told = refusal(capsys, "serve", "x.duckdb")
    assert f"{place}: {said}" in told or said in told


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("DPDUCK_REQIRE_TLS", "1", "DETAIL: Did you mean DPDUCK_REQUIRE_TLS?"),
        ("DPDUCK_TLS_CERTIFICATE", "x", "DETAIL: Did you mean DPDUCK_TLS_CERT?"),
        ("DPDUCK_PORT_5433_TCP_PORT", "1", "enableServiceLinks: false"),
        ("DPDUCK_PORT", "tcp://10.0.0.1:5433", "HINT: Kubernetes sets it for a service of this name"),
        ("DPDUCK_REQUIRE_TLS", "ja", "'ja' is neither true nor false"),
        ("DPDUCK_FORMAT", "xml", "DPDUCK_FORMAT: 'xml' is not a value\nDETAIL: It is box or csv or json"),
    ],
)
def test_what_is_like_a_setting_in_the_environment_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    variable: str,
    value: str,
    said: str,
) -> None:
    monkeypatch.setenv(variable, value)
    command = ("query", "x.duckdb", "SELECT 1") if variable == "DPDUCK_FORMAT" else ("serve", "x.duckdb")
    assert said in refusal(capsys, *command)


def test_other_variables_and_empty_ones_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPDUCK_SOMETHING_ELSE", "1")
    monkeypatch.setenv("DPDUCK_EPSILON", "")
    assert serving("x.duckdb").epsilon is None


def test_a_file_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(capsys, "serve", "--config", "nowhere.toml")
    assert said.startswith(
        "the settings in nowhere.toml cannot be read\nDETAIL: The system says: no such file or directory."
    )


def test_the_demo_needs_no_settings(settings: Any) -> None:
    settings("nonsense")
    assert read_arguments(("demo",)).command == "demo"


# --- one table -----------------------------------------------------------------------------------


def options_of() -> dict[str, argparse.Action]:
    return {
        name_of(action): action
        for command in commands_of(make_parser()).values()
        for action in command._actions
        if is_setting(action)
    }


EXAMPLES = {
    "port": "7", "epsilon": "0.5", "delta": "1e-6", "budget": "3", "domain": "a=0..9", "format": "csv",
    "memory": "2GB", "quantum": "10", "max-connections": "5", "statement-timeout": "9", "metrics-port": "1",
    "seconds": "10", "log-format": "json", "alert": "http://127.0.0.1:1/",
    "oidc-issuer": "https://login.example.org", "console-port": "8", "idle-minutes": "5", "groups": "3",
    "rows": "2", "ledger-room": "4GB", "max-connections-by-name": "4", "max-statements": "6",
    "message-memory": "32MB",
    "idle-timeout": "60",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(options_of()))
def test_each_option_can_be_set_in_three_ways(
    name: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the option is: its flag, its variable and its key are read to the same value."""
    action, unset_action = options_of()[name], argparse.Action([], "")
    path, command = next(
        (path, one) for path, one in commands_of(make_parser()).items()
        if is_setting(one._option_string_actions.get(action.option_strings[0], unset_action))
    )  # fmt: skip
    wanted = [one for one in command._actions if not one.option_strings]
    words = [*path, *("x" for _ in wanted)]
    switch, text = action.nargs == 0, EXAMPLES.get(name, "/some/thing")

    def value() -> object:
        options = read_arguments(words)
        places = (options.serving, options.browsing, options)
        return next((found for place in places if (found := getattr(place, action.dest, None))), None)

    unset = value()
    words += [f"--{name}"] if switch else [f"--{name}", text]
    expected = value()
    assert expected != unset or name == "format"
    words = words[: len(words) - (1 if switch else 2)]
    monkeypatch.setenv(variable_of(name), "1" if switch else text)
    assert value() == expected
    monkeypatch.delenv(variable_of(name))
    key = "true" if switch else f'["{text}"]' if name == "domain" else f'"{text}"'
    settings(f"{name} = {key}\n")
    assert value() == expected


def test_the_document_has_a_line_for_each_setting() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    lines = [f"| `{name}` | `{variable_of(name)}` |" for name in options_of()]
    assert [line for line in lines if line not in text] == []


def test_a_password_comes_from_a_file(run: Run, folder: Path) -> None:
    (folder / "password").write_text("correct horse battery\nmore\n")
    done = run("analyst", "add", "shop.duckdb", "ana", "--password-file", "password")
    assert (done.code, done.err) == (0, "ana may log in\n")
    done = run("analyst", "add", "shop.duckdb", "ana", "--password-file", "nowhere")
    assert done.code == 1
    assert "The system says of nowhere: no such file or directory." in done.err
