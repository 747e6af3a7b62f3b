"""Errors of what users call: their own text, without the frames of dpduck behind it."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

import dpduck
from tests.connection.conftest import HISTOGRAM


def refused(call: object, *args: object) -> dpduck.DpduckError:
    with pytest.raises(dpduck.DpduckError) as caught:
        call(*args)  # type: ignore[operator]
    return caught.value


def test_a_traceback_is_short(db: dpduck.Connection, tmp_path: Path) -> None:
    doors = [
        (db.execute, "SELECT nothing FROM visits"),
        (db.sql, "SELECT FROM"),
        (db.explain, "SELECT nothing FROM visits"),
        (dpduck.connect, str(tmp_path / "missing.duckdb")),
        (db.cursor().fetchone,),
    ]
    for call, *args in doors:
        error = refused(call, *args)
        inside = [
            frame for frame in traceback.extract_tb(error.__traceback__) if "/dpduck/" in frame.filename
        ]
        assert [Path(frame.filename).name for frame in inside] == ["door.py"]
        assert error.__context__ is None
        assert error.__cause__ is None


def test_jupyter_shows_the_line_and_the_text(db: dpduck.Connection) -> None:
    error = refused(db.execute, "SELECT nothing FROM visits")
    place, *text = error._render_traceback_()
    assert place.startswith("line ")
    assert text == [f"UnknownNameError: {error.message}", f"DETAIL: {error.detail}", f"HINT: {error.hint}"]


def test_what_is_no_refusal_keeps_its_frames(db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(db._service, "run", broken)
    with pytest.raises(ZeroDivisionError) as caught:
        db.execute(HISTOGRAM)
    assert len(traceback.extract_tb(caught.value.__traceback__)) > 3


def test_options_are_named(db: dpduck.Connection, file: Path) -> None:
    with pytest.raises(TypeError):
        dpduck.connect(file, "ana")  # type: ignore[misc]
    with pytest.raises(TypeError):
        dpduck.register(db._data, "ana")  # type: ignore[misc]
