"""Magics of IPython: `%dpduck` opens a database, `%%dpduck` asks it the SQL of a cell.

%load_ext dpduck
%dpduck shop.duckdb --analyst ana --epsilon 0.5

%%dpduck answer
SELECT page, count(*) AS n FROM visits GROUP BY page
"""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any, NoReturn

from dpduck.doors.connection.connect import connect
from dpduck.doors.connection.connection import Connection
from dpduck.doors.connection.cursor import Cursor
from dpduck.doors.connection.display import ShownExplanation
from dpduck.doors.connection.door import door
from dpduck.doors.connection.protect import Domain
from dpduck.kernel.catalog.domain_options import parse_domain
from dpduck.kernel.errors import ParameterError


def define_magics(shell: Any) -> None:
    """Define both magics in a shell of IPython."""
    magics = Magics(shell)
    shell.register_magic_function(magics.open, "line", "dpduck")
    shell.register_magic_function(magics.run, "cell", "dpduck")


class Magics:
    """The magics of one shell, and the connection that its cells use.

    Input: what has `user_ns`, the variables of the user, by name.
    """

    def __init__(self, shell: Any) -> None:
        self._variables: dict[str, Any] = shell.user_ns
        self._db: Connection | None = None

    @door
    def open(self, line: str) -> Connection:
        """Run %dpduck FILE [--analyst A] [--epsilon E] [--delta D] [--budget B] [--ledger L] or NAME.

        What is private in a file that stores no policies: [--unit COL] [--domain COL=LO..HI|COL=a,b,c]...
        [--groups N] [--rows N].
        Output: the connection, which is also the one that cells use from now on.
        Errors: ParameterError for other words; as of `dpduck.connect`.
        """
        words = _Words(prog="%dpduck", add_help=False)
        words.add_argument("database")
        for option in ("analyst", "epsilon", "delta", "budget", "ledger", "unit"):
            words.add_argument(f"--{option}")
        for option in ("groups", "rows"):
            words.add_argument(f"--{option}", type=int)
        words.add_argument("--domain", dest="domains", action="append", default=[])
        given = vars(words.parse_args(_split(line)))
        given["domains"] = _domains_of(given["domains"])
        known = self._variables.get(given["database"])
        if isinstance(known, Connection):
            self._db = known
        else:
            self._db = connect(given.pop("database"), **given)
        return self._db

    @door
    def run(self, line: str, cell: str) -> Cursor | ShownExplanation:
        """Run %%dpduck [NAME] [--db VARIABLE] [--explain] on a cell; the answer is also the variable NAME.

        Output: the answer; with --explain what it would do and cost, at no charge.
        Errors: ParameterError without a connection; as of `Connection.execute`.
        """
        words = _Words(prog="%%dpduck", add_help=False)
        words.add_argument("name", nargs="?")
        words.add_argument("--db")
        words.add_argument("--explain", action="store_true")
        given = words.parse_args(_split(line))
        db = self._connection(given.db)
        answer = db.explain(cell) if given.explain else db.sql(cell)
        if given.name is not None:
            if not given.name.isidentifier():
                raise ParameterError("the answer cannot have that name", hint="Write %%dpduck answer.")
            self._variables[given.name] = answer
        return answer

    def _connection(self, name: str | None) -> Connection:
        found = self._db if name is None else self._variables.get(name)
        if isinstance(found, Connection):
            return found
        raise ParameterError(
            "there is no connection" if name is None else f"{name} is not a connection",
            hint="Write %dpduck shop.duckdb --epsilon 0.5, or db = dpduck.connect(...) and %dpduck db.",
        )


class _Words(ArgumentParser):
    """Words of a magic: what is wrong with them is an error, and does not end the process."""

    def error(self, message: str) -> NoReturn:
        raise ParameterError(f"{self.prog}: {message}", hint=self.format_usage().strip())


def _domains_of(texts: Sequence[str]) -> dict[str, Domain]:
    """Domains by columns. Errors: ParameterError."""
    found: dict[str, Domain] = {}
    for text in texts:
        column, domain, or_null = parse_domain(text)
        if or_null or column in found:
            raise ParameterError(
                f"--domain {text[:60]} is not for %dpduck",
                detail="It takes one domain for each column, none of them with NULL.",
                hint="Give policies=[...] to dpduck.connect, and its connection to %dpduck.",
            )
        found[column] = domain
    return found


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        reason = str(error)
    raise ParameterError(f"the line of the magic cannot be read: {reason}")
