"""The file that remembers what was typed: in the user's state directory, for nobody else to read."""

from __future__ import annotations

import os
from pathlib import Path


def history_path() -> Path:
    """Where the history is: by default ~/.local/state/dpduck/history."""
    base = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "state"
    return folder / "dpduck" / "history"


def open_history(path: Path) -> Path | None:
    """Make sure that the file is there with mode 0600. None if it cannot be: then nothing is remembered."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600))
        path.chmod(0o600)
    except OSError:
        return None
    return path
