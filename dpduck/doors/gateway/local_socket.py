"""A socket in the file system, as PostgreSQL has one: DIR/.s.PGSQL.PORT, for clients of this machine.

Who may connect is who may write to the file: the server's own account, or a group that the owner names. No
bytes cross a network, so nothing there is encrypted.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from dpduck.kernel.errors import ParameterError

MOST_BYTES = 107  # of a path; Linux has room for no more
_OWN, _OF_GROUP = 0o700, 0o770


@dataclass(frozen=True)
class LocalSocket:
    """Where it is, and for whom. `group`: None: the server's own account alone."""

    folder: Path
    group: str | None = None

    def file(self, port: int) -> Path:
        """The file for a port.

        >>> LocalSocket(Path("/tmp")).file(5432).as_posix()
        '/tmp/.s.PGSQL.5432'
        """
        return self.folder / f".s.PGSQL.{port}"


@asynccontextmanager
async def listening(
    place: LocalSocket | None, port: int, protocol: Callable[[], asyncio.BaseProtocol], backlog: int
) -> AsyncIterator[Path | None]:
    """Listen while the block runs. Output: the file.

    Errors: ParameterError if the file cannot be had: its folder is not there, or another server listens.
    """
    if place is None:
        yield None
        return
    file = place.file(port).absolute()
    await _check_free(file)
    server = await _open(file, place.group, protocol, backlog)
    made = file.stat().st_ino
    try:
        yield file
    finally:
        server.close()
        with suppress(OSError):
            if file.stat().st_ino == made:  # another server may have taken its place
                file.unlink()


async def _check_free(file: Path) -> None:
    """Remove what a server that was killed has left. Errors: ParameterError."""
    if len(os.fsencode(file)) > MOST_BYTES:
        raise _fault(file, f"a path of a socket has at most {MOST_BYTES} bytes")
    try:
        mode = file.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        reason = (error.strerror or "it cannot be had").lower()
        raise _fault(file, reason) from None
    if not stat.S_ISSOCK(mode):
        raise _fault(file, "something else is there")
    try:
        _, writer = await asyncio.open_unix_connection(file)
    except OSError:
        with suppress(OSError):
            file.unlink()
        return
    writer.close()
    raise _fault(file, "another server listens there")


async def _open(
    file: Path, group: str | None, protocol: Callable[[], asyncio.BaseProtocol], backlog: int
) -> asyncio.AbstractServer:
    reason = ""
    # Nobody else may connect before the group is set, so the file is made without rights for others.
    before = os.umask(0o777 & ~_OWN)
    try:
        server = await asyncio.get_running_loop().create_unix_server(protocol, file, backlog=backlog)
    except OSError as error:
        reason = (os.strerror(error.errno) if error.errno else "it cannot be had").lower()
    finally:
        os.umask(before)
    if reason:
        raise _fault(file, reason)
    try:
        if group is not None:
            shutil.chown(file, group=group)
        file.chmod(_OWN if group is None else _OF_GROUP)
    except LookupError:
        reason = f"there is no group {group}"
    except OSError as error:
        reason = (error.strerror or "its rights cannot be set").lower()
    else:
        return server
    server.close()
    file.unlink(missing_ok=True)
    raise _fault(file, reason)


def _fault(file: Path, reason: str) -> ParameterError:
    return ParameterError(
        f"cannot listen on {file}",
        detail=f"The system says: {reason}.",
        hint="Give another folder with --socket, or another --port.",
    )
