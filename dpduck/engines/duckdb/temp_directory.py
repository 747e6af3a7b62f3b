"""The folder for data that does not fit into DuckDB's memory, which only its owner can enter.

Spilled data are private rows, and DuckDB makes its files readable for all. So they are put into a folder
of this process under the system's folder for temporary files (set by the variable TMPDIR), which is created
when the first data is opened and removed when the process ends. A process that is killed leaves it behind.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from itertools import count
from pathlib import Path

from dpduck.kernel.system.fork_lock import ForkLock

_lock = ForkLock()
_numbers = count()
_folders: dict[int, Path] = {}  # by process, since a forked child must not remove its parent's


def spill_folder() -> Path:
    """A path for one database, which DuckDB creates when it needs it, and removes when it closes.

    Errors: OSError.
    """
    with _lock:
        folder = _folders.get(os.getpid())
        if folder is None:
            folder = _folders[os.getpid()] = Path(tempfile.mkdtemp(prefix="dpduck-"))  # for its owner only
        return folder / str(next(_numbers))


@atexit.register
def remove_spilled() -> None:
    """Remove the folder of this process at exit."""
    folder = _folders.pop(os.getpid(), None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
