"""What can be no ledger is refused before anything is opened: what forgets, and what is no file."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.doors.cli import main
from dpduck.kernel.ledger import open_ledger

WORDS = ["", ":memory:"]
KEY = "ALTER TABLE people ADD PRIVACY_KEY (id)"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with duckdb.connect("shop.duckdb") as connection:
        connection.execute("CREATE TABLE people AS SELECT i AS id FROM range(50) r(i)")
    return Path("shop.duckdb")


@pytest.mark.parametrize("place", WORDS)
@pytest.mark.parametrize("door", ["connect", "register", "vector", "ledger"])
def test_words_in_python(shop: Path, place: str, door: str) -> None:
    with pytest.raises(dpduck.ParameterError) as caught:
        open_at(door, shop, place)
    assert str(caught.value) == (
        f"'{place}' is no place for a ledger\n"
        "DETAIL: What is charged must outlast the process, and be found again. Nothing was charged.\n"
        "HINT: Give the path of a file with --ledger, or leave it out: then it is beside the data."
    )
    assert [file.name for file in Path().iterdir()] == ["shop.duckdb"]


@pytest.mark.parametrize("place", ["folder", "/dev/null"])
@pytest.mark.parametrize("door", ["connect", "register", "vector", "ledger"])
def test_what_is_no_file_in_python(shop: Path, place: str, door: str) -> None:
    Path("folder").mkdir()
    with pytest.raises(dpduck.LedgerError) as caught:
        open_at(door, shop, place)
    assert str(caught.value).startswith(
        f"ledger cannot be opened\nDETAIL: '{place}' is not a file that can be opened."
    )
    assert sorted(file.name for file in Path().iterdir()) == ["folder", "shop.duckdb"]


def open_at(door: str, shop: Path, place: str) -> None:
    match door:
        case "connect":
            dpduck.connect("there_is_no_such.duckdb" if place in WORDS else shop, ledger=place)
        case "register":
            with duckdb.connect() as connection:
                dpduck.register(connection, ledger=place)
        case "vector":
            dpduck.SparseVector(threshold=1, k=1, epsilon=1, ledger=place)
        case _:
            open_ledger(place)


@pytest.mark.parametrize(("place", "code"), [("", 2), (":memory:", 2), ("folder", 1), ("/dev/null", 1)])
@pytest.mark.parametrize(
    "command", [["query", "FILE", KEY], ["budget", "FILE"], ["ledger", "FILE"], ["serve", "FILE"]]
)
def test_on_the_command_line(
    shop: Path, place: str, code: int, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("folder").mkdir()
    before = shop.read_bytes()
    arguments = [str(shop) if word == "FILE" else word for word in command]
    assert main([*arguments, "--ledger", place]) == code
    said = capsys.readouterr().err
    assert (
        "is no place for a ledger" if code == 2 else f"'{place}' is not a file that can be opened"
    ) in said
    assert shop.read_bytes() == before
    assert sorted(file.name for file in Path().iterdir()) == ["folder", "shop.duckdb"]
