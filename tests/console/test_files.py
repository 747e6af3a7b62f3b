"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dpduck.doors.console.files import write_file
from dpduck.doors.console.writer import OutputError


def test_a_file_is_for_its_owner(tmp_path: Path) -> None:
    write_file(tmp_path / "page", b"new")
    assert (tmp_path / "page").read_bytes() == b"new"
    assert (tmp_path / "page").stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["page"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "page").symlink_to("real")
    write_file(tmp_path / "page", b"new")
    assert (tmp_path / "page").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_until_all_is_written_the_old_one_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page").write_bytes(b"old")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OutputError) as error:
        write_file(tmp_path / "page", b"new")
    assert str(error.value) == (
        f"file {tmp_path}/page cannot be written\n"
        "DETAIL: The system says: no space left on device. Nothing was charged.\n"
        "HINT: Give the path of a file in a folder that exists."
    )
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("page", b"old")]


@pytest.mark.parametrize(
    ("place", "why"),
    [("nowhere/page", "no such file or directory"), ("file/page", "not a directory"), (".", "it is no file")],
)
def test_what_cannot_be_written(tmp_path: Path, place: str, why: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError, match=why):
        write_file(tmp_path / place, b"new")


def test_a_device_is_no_place() -> None:
    with pytest.raises(OutputError, match="it is no file"):
        write_file(Path(os.devnull), b"new")
    assert Path(os.devnull).is_char_device()
