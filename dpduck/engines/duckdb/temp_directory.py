"""Where DuckDB puts what does not fit into its memory: a folder that only its owner can enter.

What is spilled are private rows, and DuckDB makes its files readable for all. So they are put into a folder
of this process under the system's folder for temporary files (the variable TMPDIR says where that is), which
is made when the first data is opened and removed when the process ends. A process that is killed leaves it
behind.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from itertools import count
from pathlib import Path

from dpduck.system.fork_lock import ForkLock

_lock = ForkLock()
_numbers = count()
_folders: dict[int, Path] = {}  # by process, since a fork must not remove that of its parent


def spill_folder() -> Path:
    """A place for one database, which DuckDB makes when it needs it, and removes when it is closed.

    Errors: OSError.
    """
    with _lock:
        folder = _folders.get(os.getpid())
        if folder is None:
            folder = _folders[os.getpid()] = Path(tempfile.mkdtemp(prefix="dpduck-"))  # for its owner only
        return folder / str(next(_numbers))


@atexit.register
def remove_spilled() -> None:
    """Remove what this process has spilled, at its end."""
    folder = _folders.pop(os.getpid(), None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
