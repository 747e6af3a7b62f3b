"""The history file, in the user's state directory and readable only for the user."""

from __future__ import annotations

import os
from pathlib import Path


def history_path() -> Path:
    """The path of the history: by default ~/.local/state/dpduck/history."""
    base = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "state"
    return folder / "dpduck" / "history"


def open_history(path: Path) -> Path | None:
    """Create the file with mode 0600 if necessary. None if that fails: then no history is stored."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600))
        path.chmod(0o600)
    except OSError:
        return None
    return path
