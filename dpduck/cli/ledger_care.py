"""`dpduck ledger --backup`, `--restore`, `--upgrade` and `--move`."""

from __future__ import annotations

from dpduck.cli.arguments import Arguments
from dpduck.console.writer import Writer
from dpduck.errors import LedgerError
from dpduck.ledger import open_ledger
from dpduck.ledger.backups import back_up, restore
from dpduck.ledger.chain import Head
from dpduck.ledger.copies import named
from dpduck.ledger.glance import version_of
from dpduck.ledger.moves import move
from dpduck.ledger.versions import VERSION


def takes_care(options: Arguments) -> bool:
    """Whether a command line asks for one of these."""
    return bool(options.backup or options.restore or options.upgrade or options.move)


def take_care(options: Arguments, writer: Writer) -> None:
    """Do what the command line asks for. Errors: LedgerError."""
    place, anchor = options.ledger_path, options.anchor
    if options.restore is not None:
        done = restore(options.restore, place, anchor, force=options.force)
        writer.show(f"restored: {_told(done.head)}\n")
        if done.replaced is not None:
            writer.show(f"the ledger before it is kept as {done.replaced}\n")
        return
    before = version_of(place)
    if before is None:
        raise LedgerError(
            f"there is no ledger at {named(place)}",
            hint="Give its place with --ledger, or --restore a backup.",
        )
    if options.backup is not None:
        writer.show(f"backed up to {options.backup}: {_told(back_up(place, anchor, options.backup))}\n")
    elif options.move is not None:
        writer.show(f"moved to {named(options.move)}: {_told(move(place, anchor, options.move))}\n")
        writer.note("the ledger that was is closed: give the new place with --ledger, or set it")
    else:
        with open_ledger(place, anchor) as ledger:
            ledger.verify()
            head = ledger.head()
        how = f"of version {VERSION}" if before == VERSION else f"upgraded from version {before} to {VERSION}"
        writer.show(f"the ledger is {how}, and whole: {_told(head)}\n")


def _told(head: Head) -> str:
    return f"{head.number} {'entry' if head.number == 1 else 'entries'}, head {head.hash}"
