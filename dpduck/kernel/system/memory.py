"""Memory of the process that is free but was not given back to the system.

The C library keeps what was freed, in one arena for each thread that was busy at once, and Arrow's own
allocator some MB for each thread that ever used it: after a few answers of a million rows a server would hold
hundreds of MB for good. So Arrow takes its memory from the C library, whose threads share a few arenas, which
are trimmed. Linux with glibc only; elsewhere nothing is done.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache

import pyarrow as pa

ARENAS = 2
_M_ARENA_MAX = -8  # of mallopt in glibc's malloc.h


@cache
def _glibc() -> ctypes.CDLL | None:
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None


def keep_little() -> bool:
    """Let Arrow and the threads that begin from now on share a few arenas.

    Output: whether that is possible here.
    """
    library = _glibc()
    if library is None or not library.mallopt(_M_ARENA_MAX, ARENAS):
        return False
    pa.set_memory_pool(pa.system_memory_pool())
    return True


def give_back() -> None:
    """Give back what is free."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)
