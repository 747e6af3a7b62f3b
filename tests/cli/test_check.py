"""`dpduck check`: finds each mistake that is put into a good set-up, and nothing in the good one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copyfile

import duckdb
import pytest

import dpduck
from dpduck.doors.cli import main
from dpduck.doors.cli.arguments import read_arguments
from dpduck.doors.cli.checks import Grade, Setup, findings
from dpduck.kernel.ledger import open_ledger
from tests.cli.processes import Done
from tests.gateway.serving import serving
from tests.gateway.wiring import certificate

POLICIES = (
    "ALTER TABLE visits ADD PRIVACY_KEY (visitor)",
    "ALTER TABLE pages SET PUBLIC",
    "CREATE PRIVACY BUDGET life LIMIT 8 DELTA 1e-6 PER QUERY 1",
)
GOOD = """\
file = "../data/shop.duckdb"
ledger = "../ledger/shop.ledger"
anchor = "../elsewhere/anchor"
[serve]
host = "0.0.0.0"
tls-cert = "cert.pem"
tls-key = "key.pem"
"""


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop and a certificate, made once."""
    folder = tmp_path_factory.mktemp("made")
    with duckdb.connect(str(folder / "shop.duckdb")) as db:
        db.execute("CREATE TABLE visits AS SELECT i AS visitor, i % 7 AS page FROM range(2000) AS r(i)")
        db.execute("CREATE TABLE pages AS SELECT i AS page FROM range(7) AS r(i)")
    certificate(folder)
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path, on_a_disk: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A set-up without a mistake. Output: its folder, which has etc, data, ledger and elsewhere."""
    monkeypatch.delenv("DPDUCK_CONFIG", raising=False)
    for name in ("etc", "data", "ledger", "elsewhere"):
        (tmp_path / name).mkdir(mode=0o700)
    copyfile(made / "shop.duckdb", tmp_path / "data" / "shop.duckdb")
    for name in ("cert.pem", "key.pem"):
        copyfile(made / name, tmp_path / "etc" / name)
    for private in ("data/shop.duckdb", "etc/key.pem"):
        (tmp_path / private).chmod(0o600)
    settings(tmp_path).write_text(GOOD)
    owner(tmp_path, *POLICIES)
    with open_ledger(tmp_path / "ledger/shop.ledger", tmp_path / "elsewhere/anchor") as ledger:
        ledger.put_analyst("ana", "verifier")
    monkeypatch.chdir(tmp_path / "etc")
    yield tmp_path


def settings(place: Path) -> Path:
    return place / "etc" / "dpduck.toml"


def owner(place: Path, *statements: str) -> None:
    """The owner's statements on the data, with the ledger and anchor of the settings."""
    ledger, anchor = place / "ledger/shop.ledger", place / "elsewhere/anchor"
    with dpduck.connect(place / "data/shop.duckdb", ledger=str(ledger), anchor=str(anchor)) as db:
        for statement in statements:
            db.execute(statement)


def add(text: str) -> Callable[[Path], None]:
    """A mistake in the settings: lines that follow."""

    def edit(place: Path) -> None:
        lines = [line for line in GOOD.splitlines() if line.split(" =")[0] not in text]
        settings(place).write_text("\n".join([*lines, text, ""]))

    return edit


def above(text: str) -> Callable[[Path], None]:
    """A mistake in the settings of all commands."""

    def edit(place: Path) -> None:
        key = text.split(" =")[0]
        lines = [line for line in GOOD.splitlines() if not line.startswith(f"{key} =")]
        settings(place).write_text("\n".join([text, *lines, ""]))

    return edit


def mode(name: str, bits: int) -> Callable[[Path], None]:
    return lambda place: (place / name).chmod(bits)


def says(*statements: str) -> Callable[[Path], None]:
    return lambda place: owner(place, *statements)


def expired(place: Path) -> None:
    """A certificate of a day that is over, for the same key."""
    request = ["openssl", "req", "-new", "-key", "key.pem", "-subj", "/CN=localhost", "-out", "request.pem"]
    sign = [
        *("openssl", "x509", "-req", "-in", "request.pem", "-signkey", "key.pem", "-out", "cert.pem"),
        *("-days", "-1"),
    ]
    for command in (request, sign):
        subprocess.run(command, cwd=place / "etc", check=True, capture_output=True, timeout=30)


def other_key(place: Path) -> None:
    command = "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out key.pem"
    subprocess.run(command.split(), cwd=place / "etc", check=True, capture_output=True, timeout=30)


def with_passphrase(place: Path) -> None:
    command = "openssl ec -aes256 -passout pass:secret -in key.pem -out locked.pem"
    subprocess.run(command.split(), cwd=place / "etc", check=True, capture_output=True, timeout=30)
    (place / "etc/locked.pem").replace(place / "etc/key.pem")


def beside(place: Path) -> None:
    """The ledger and its anchor beside the data, as without any settings for them."""
    settings(place).write_text('file = "../data/shop.duckdb"\n')
    with dpduck.connect(place / "data/shop.duckdb") as db:
        db.execute("SHOW PRIVACY")


def open_socket(place: Path) -> None:
    (place / "run").mkdir()
    (place / "run").chmod(0o777)
    add('socket = "../run"')(place)


def written(name: str, key: str) -> Callable[[Path], None]:
    """A file that the settings name, and that others may write to."""

    def edit(place: Path) -> None:
        add(f'{key} = "{name}"')(place)
        (place / "etc" / name).touch()
        (place / "etc" / name).chmod(0o666)

    return edit


def many_authorities(place: Path) -> None:
    pem = (place / "etc/cert.pem").read_text()
    (place / "etc/world.pem").write_text(12 * pem)
    add('client-ca = "world.pem"')(place)


def wrong_map(place: Path) -> None:
    (place / "etc/names.toml").write_text("[tokens]\nx = 'ana'\n")
    add('login-map = "names.toml"')(place)


def tokens(keys: str) -> Callable[[Path], None]:
    who = 'oidc-issuer = "https://login.example.org"\noidc-audience = "dpduck"'
    return add(f"{who}\noidc-jwks = {keys}")


MISTAKES: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "nothing is encrypted": (
        lambda place: settings(place).write_text(
            GOOD.replace('tls-cert = "cert.pem"\ntls-key = "key.pem"', "allow-plain = true")
        ),
        "danger",
        "answers cross the network in the open: 0.0.0.0 without a certificate",
    ),
    "no certificate": (
        lambda place: settings(place).write_text(
            GOOD.replace('tls-cert = "cert.pem"\ntls-key = "key.pem"', "")
        ),
        "danger",
        "it listens on 0.0.0.0, and has no certificate",
    ),
    "encryption is optional": (add("allow-plain = true"), "danger", "there is a certificate, and clients"),
    "a certificate without its key": (
        lambda place: settings(place).write_text(GOOD.replace('tls-key = "key.pem"', "")),
        "wrong",
        "a certificate needs its key, and a key its certificate",
    ),
    "an expired certificate": (expired, "danger", "the certificate cert.pem has expired"),
    "another key": (other_key, "wrong", "the certificate or its key cannot be used"),
    "a key with a passphrase": (with_passphrase, "wrong", "the certificate or its key cannot be used"),
    "a certificate that ends soon": (lambda place: None, "advice", "the certificate cert.pem ends on "),
    "a key that others read": (mode("etc/key.pem", 0o644), "danger", "others may read the key of the cert"),
    "the ledger beside the data": (beside, "danger", "the ledger is beside the data: shop.duckdb.ledger"),
    "the anchor beside the ledger": (beside, "danger", "the anchor is beside the ledger"),
    "an anchor that is gone": (
        lambda place: (place / "elsewhere/anchor").unlink(),
        "danger",
        "the anchor is gone: ../elsewhere/anchor",
    ),
    "an anchor in the open": (
        above('anchor = "http://10.1.2.3/anchor"'),
        "danger",
        "the anchor is reached in the open",
    ),
    "a ledger that others read": (mode("ledger/shop.ledger", 0o644), "danger", "others may read the ledger"),
    "a folder that others write to": (mode("ledger", 0o777), "danger", "others may write to the folder of"),
    "data that others read": (mode("data/shop.duckdb", 0o644), "danger", "every account on this machine may"),
    "settings that others write": (mode("etc/dpduck.toml", 0o666), "danger", "others may write to the set"),
    "no units": (
        says("ALTER TABLE visits DROP PRIVACY_KEY FORCE"),
        "danger",
        "no table says whose rows it holds",
    ),
    "a table without a policy": (says("ALTER TABLE visits DROP PRIVACY_KEY"), "advice", "closed: visits"),
    "no lifetime": (says("DROP PRIVACY BUDGET life FORCE"), "advice", "no budget says what people may lose"),
    "a lifetime without end": (
        says("ALTER PRIVACY BUDGET life LIMIT 500 FORCE"),
        "danger",
        "budget life caps next to nothing: epsilon 500",
    ),
    "a large delta": (add("delta = 0.001"), "danger", "the delta of delta is large for the data: 0.001, and"),
    "a budget's large delta": (
        says("ALTER PRIVACY BUDGET life DELTA 0.01 FORCE"),
        "danger",
        "the delta of budget life is large for the data: 0.01, and 2000 rows",
    ),
    "times are told": (add("quantum = 0"), "danger", "answers leave at once: quantum is 0"),
    "alerts in the open": (add('alert = "http://10.1.2.3/x"'), "danger", "alerts are sent in the open"),
    "no time limit": (add("statement-timeout = 0"), "advice", "no statement is ever stopped"),
    "nobody": (
        lambda place: open_ledger(place / "ledger/shop.ledger", place / "elsewhere/anchor").drop_analyst(
            "ana"
        ),
        "advice",
        "nobody may log in yet",
    ),
    "an older ledger put back": (
        lambda place: (place / "elsewhere/anchor").write_text(
            (place / "elsewhere/anchor").read_text().replace('"number": ', '"number": 9')
        ),
        "wrong",
        "ledger is behind its anchor",
    ),
    "a socket without a folder": (
        add('socket = "../gone"'),
        "wrong",
        "the folder of the socket is not there",
    ),
    "a socket that others may replace": (open_socket, "danger", "others may write to the folder of the soc"),
    "a socket in a public folder": (add('socket = "/tmp"'), "advice", "every account may put a socket into"),
    "a group of no socket": (add('socket-group = "root"'), "wrong", "a group of no socket"),
    "authorities that are none": (add('client-ca = "key.pem"'), "wrong", "the authorities of clients cannot"),
    "authorities without TLS": (
        lambda place: settings(place).write_text(
            GOOD.replace('tls-cert = "cert.pem"\ntls-key = "key.pem"', 'client-ca = "cert.pem"')
        ),
        "wrong",
        "clients show certificates over TLS alone",
    ),
    "authorities that others write": (
        written("cert.pem", "client-ca"),
        "danger",
        "others may write to the au",
    ),
    "authorities of the whole world": (many_authorities, "danger", "12 authorities may let clients in"),
    "a map that is none": (wrong_map, "wrong", "the map of logins has a table that is none"),
    "a map that others write": (written("names.toml", "login-map"), "danger", "others may write to the map"),
    "tokens for anybody": (
        add('oidc-issuer = "https://login.example.org"'),
        "wrong",
        "tokens need an issuer, an audience and keys",
    ),
    "keys that are none": (tokens('"cert.pem"'), "wrong", "the keys of tokens cannot be read"),
    "names that change hands": (
        tokens('"https://login.example.org/keys"\noidc-claim = "preferred_username"'),
        "danger",
        "people may be able to change what names them",
    ),
    "no data": (lambda place: (place / "data/shop.duckdb").unlink(), "wrong", "file ../data/shop.duckdb"),
}


def checked(capfd: pytest.CaptureFixture[str], *words: str) -> Done:
    capfd.readouterr()
    code = main(("check", *words))
    printed = capfd.readouterr()
    return Done(code, printed.out, printed.err)


def test_a_good_set_up(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    done = checked(capfd)  # dpduck.toml is in the working directory
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("check: 0 wrong, 0 danger, 1 advice\n")  # its certificate ends tomorrow
    after = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert {path: data for path, data in after.items() if path in before} == before
    assert {path.name for path in set(after) - set(before)} <= {"shop.ledger-wal", "shop.ledger-shm"}


@pytest.mark.slow
@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_found(name: str, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    make, grade, said = MISTAKES[name]
    make(place)
    done = checked(capfd, "dpduck.toml")
    assert done.err == ""
    assert any(line.startswith(f"{grade:<7} {said}") for line in done.out.splitlines()), done.out
    assert done.code == (0 if grade == "advice" and ", 0 danger" in done.out else 1)
    if grade == "advice" and name != "a table without a policy":
        assert done.code == 0


def test_ten_mistakes_at_once(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    owner(place, "ALTER PRIVACY BUDGET life LIMIT 500 DELTA 0.01 FORCE")
    for name, bits in {"etc/key.pem": 0o644, "ledger": 0o777, "ledger/shop.ledger": 0o644}.items():
        (place / name).chmod(bits)
    (place / "data/shop.duckdb").chmod(0o644)
    expired(place)
    settings(place).write_text(f"{GOOD}allow-plain = true\nquantum = 0\ndelta = 0.001\n")
    settings(place).chmod(0o666)
    done = checked(capfd)
    assert (done.code, done.err) == (1, "")
    assert done.out.endswith("check: 0 wrong, 11 danger, 0 advice\n")


def test_what_cannot_be_read_is_bad_usage(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    settings(place).write_text("hots = '0.0.0.0'\n")
    done = checked(capfd)
    assert (done.code, done.out) == (2, "")
    assert "dpduck.toml: hots is not a setting\nDETAIL: Did you mean host?" in done.err


def test_passwords(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql://me:secret@db/x"

    def dangers(*words: str) -> list[str]:
        options = read_arguments(("serve", "x.duckdb", "--anchor", "https://a/b", *words))
        return [one.message for one in findings(Setup(options)) if one.grade is Grade.DANGER]

    assert dangers("--ledger", url) == ["the password of the ledger stands on the command line"]
    assert dangers("--ledger", "postgresql://me@db/x") == []
    monkeypatch.setenv("DPDUCK_LEDGER", url)
    assert dangers() == []
    monkeypatch.delenv("DPDUCK_LEDGER")
    settings(place).write_text(f'ledger = "{url}"\n')
    settings(place).chmod(0o600)
    config = ("--config", str(settings(place)))
    assert dangers(*config) == []
    settings(place).chmod(0o640)
    assert dangers(*config) == [f"others may read the file of settings: {settings(place)}"]


@pytest.mark.parametrize(
    ("kind", "grade"), [("tmpfs", Grade.DANGER), ("overlay", Grade.ADVICE), ("ext4", None)]
)
def test_file_systems_that_forget(place: Path, kind: str, grade: Grade | None) -> None:
    options = read_arguments(("serve", "--config", "dpduck.toml"))
    mounts = f"disk / ext4 rw 0 0\nother {(place / 'ledger').resolve()} {kind} rw 0 0\nx /proc proc rw 0 0\n"
    found = [one.grade for one in findings(Setup(options, mounts=mounts)) if "file system" in one.message]
    assert found == ([] if grade is None else [grade])


def test_a_shared_ledger_without_an_anchor(place: Path) -> None:
    options = read_arguments(("serve", "x.duckdb", "--ledger", "postgresql://me@db/x"))
    assert "there is no anchor" in [one.message for one in findings(Setup(options))]


@pytest.mark.slow
def test_a_server_says_what_is_dangerous_when_it_starts(made: Path, tmp_path: Path) -> None:
    file = tmp_path / "shop.duckdb"
    copyfile(made / "shop.duckdb", file)
    with serving(file, "--quantum", "0"):
        pass
    said = Path(f"{file}.log").read_text()
    for line in ("the ledger is beside the data: shop.duckdb.ledger", "answers leave at once: quantum is 0"):
        assert f"warning: {line}. " in said


def test_without_settings_there_is_nothing_to_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DPDUCK_CONFIG", "DPDUCK_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 2
    said = capsys.readouterr().err
    assert "dpduck check: error: there are no settings to check" in said
    assert "serve" not in said


def test_settings_that_cannot_be_read_are_those_of_a_check(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(place).write_text(GOOD + "port = 'x'\n")
    assert main(["check", str(settings(place))]) == 2
    assert "dpduck check: error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["serve", "a b.duckdb"], "dpduck analyst add 'a b.duckdb' NAME"),
        (
            ["serve", "s.duckdb", "--ledger", "s.ledger", "--anchor", "/a"],
            "dpduck analyst add s.duckdb NAME --ledger s.ledger --anchor /a",
        ),
        (
            ["serve", "s.duckdb", "--ledger", "postgresql://u:secret@host/l"],
            "dpduck analyst add s.duckdb NAME --ledger postgresql://...",
        ),
    ],
)
def test_the_command_that_lets_somebody_in(words: list[str], command: str) -> None:
    assert read_arguments(words).to_add_analyst == command


def test_the_command_that_lets_somebody_in_has_the_file_of_settings(place: Path) -> None:
    options = read_arguments(["serve", "--config", str(settings(place))])
    [dpduck, *words] = options.to_add_analyst.split()
    assert (dpduck, "--ledger" in words, words[-2:]) == ("dpduck", False, ["--config", str(settings(place))])
    assert read_arguments(words).ledger_path == options.ledger_path
