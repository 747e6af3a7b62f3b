"""Every error that dpduck raises, shaped as a Postgres ErrorResponse.

Above the data line (before any private row is read) an error teaches: what is wrong, the facts, and
what to write instead. Below it an error is constant text with nothing attached, since any detail
may quote a private value. Either way it says what was charged.
"""

from __future__ import annotations

import traceback
from fractions import Fraction
from pathlib import Path

from dpduck.kernel.errors.advice import Audience, Hint, text_for
from dpduck.kernel.errors.dbapi import DatabaseError, NotSupportedError, OperationalError, ProgrammingError

NOTHING_CHARGED = "Nothing was charged."
UNKNOWN = "unknown"  # what was charged, where the ledger did not confirm it
UNSAID = ""  # what was charged, where nothing was asked: an answer that is there is to be shown
_PACKAGE = Path(__file__).parent.parent.parent


def decimal_text(amount: Fraction) -> str:
    """Write an exact decimal amount without loss.

    Input: a fraction with a finite decimal expansion.
    Output: plain digits, no exponent, no trailing zeros.
    Errors: ValueError if the amount has no finite decimal expansion.

    >>> decimal_text(Fraction(1, 2)), decimal_text(Fraction(3)), decimal_text(Fraction(1, 10**6))
    ('0.5', '3', '0.000001')
    """
    places = 0
    scaled = abs(amount)
    while scaled.denominator != 1:
        if scaled.denominator % 2 and scaled.denominator % 5:
            raise ValueError("the amount has no finite decimal expansion")
        scaled *= 10
        places += 1
    digits = str(scaled.numerator).rjust(places + 1, "0")
    sign = "-" if amount < 0 else ""
    return sign + (digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}")


class DpduckError(DatabaseError):
    """The base of all dpduck errors: data that each interface renders as text.

    Fields: `message`, `reason` (the facts behind it, or None), `advice` (what to type instead, or None),
    `position` (1-based character in the SQL text, or None), `charged` (exact epsilon as text, UNKNOWN or
    UNSAID).
    Rendered for users who type SQL: `detail` (the reason, and what was charged) and `hint`.
    """

    sqlstate = "XX000"

    def __init__(
        self,
        message: str,
        *,
        detail: str | None = None,
        hint: Hint | str | None = None,
        position: int | None = None,
        charged: str = "0",
    ) -> None:
        self.message = message
        self.reason = detail
        self.advice = hint
        self.position = position
        self.charged = charged
        super().__init__(str(self))

    @property
    def detail(self) -> str:
        """The reason, and what was charged."""
        return " ".join(part for part in (self.reason, self._charge()) if part)

    @property
    def hint(self) -> str | None:
        """What to type instead, in SQL."""
        return self.hint_for(Audience.SQL)

    def hint_for(self, audience: Audience) -> str | None:
        """What to type instead, for this audience."""
        return None if self.advice is None else text_for(self.advice, audience)

    def _charge(self) -> str:
        if self.charged == UNSAID:
            return ""
        if self.charged == UNKNOWN:
            return "Whether anything was charged is not known."
        return f"Epsilon {self.charged} was charged." if is_charged(self.charged) else NOTHING_CHARGED

    def __str__(self) -> str:
        return self.text_for(Audience.SQL)

    def text_for(self, audience: Audience) -> str:
        """The message, DETAIL, and HINT for an audience, one line each."""
        facts = [f"DETAIL: {self.detail}"] if self.detail else []
        hint = self.hint_for(audience)
        return "\n".join([self.message, *facts, *([] if hint is None else [f"HINT: {hint}"])])

    def _render_traceback_(self) -> list[str]:
        """The lines that Jupyter shows: the user's own line, and the text of the error."""
        frames = traceback.extract_tb(self.__traceback__)
        own = [frame for frame in frames if _is_of_user(Path(frame.filename))]
        place = [f"line {frame.lineno}: {frame.line}" for frame in own[-1:] if frame.line]
        return [*place, *f"{type(self).__name__}: {self}".splitlines()]


def _is_of_user(file: Path) -> bool:
    """Whether the code of a file is neither of dpduck nor of another package that is installed."""
    return not file.is_relative_to(_PACKAGE) and "site-packages" not in file.parts


def is_charged(charged: str) -> bool:
    """Whether something was charged for sure. Input: `charged` of an error or an answer."""
    return charged not in ("0", UNKNOWN, UNSAID)


def tell_charge(error: DpduckError, charged: str) -> None:
    """Add a charge that was made earlier to an error that knows of none. Input: epsilon as text."""
    if is_charged(charged) and not is_charged(error.charged):
        error.charged = charged


class SqlSyntaxError(DpduckError, ProgrammingError):
    """The text is not SQL that dpduck can parse."""

    sqlstate = "42601"


class UnsupportedSqlError(DpduckError, NotSupportedError):
    """The SQL is understood and refused."""

    sqlstate = "0A000"


class UnknownNameError(DpduckError, ProgrammingError):
    """A table, column or function that does not exist."""

    sqlstate = "42703"


class PolicyError(DpduckError, ProgrammingError):
    """The policy of a table does not allow the query, or a policy statement is wrong."""

    sqlstate = "55000"


class ParameterError(DpduckError, ProgrammingError, ValueError):
    """A parameter is outside its range or not exact."""

    sqlstate = "22023"


class BudgetExceededError(DpduckError, OperationalError):
    """A cap would be exceeded."""

    sqlstate = "53400"


class LedgerError(DpduckError, OperationalError):
    """The ledger cannot be opened, read or written."""

    sqlstate = "58030"


class ExecutionError(DpduckError, OperationalError):
    """Reading private data failed; the text is constant and the charge stays."""

    sqlstate = "58000"

    def __init__(self, *, charged: str) -> None:
        super().__init__(
            "query failed while reading private data",
            detail="The cause is withheld because it may quote a private value.",
            hint="Ask the data owner, who can run the same query on the raw table.",
            charged=charged,
        )


class AuthenticationError(DpduckError, OperationalError):
    """The client failed to authenticate."""

    sqlstate = "28P01"


class PermissionDeniedError(DpduckError):
    """The role of whoever asks does not allow it."""

    sqlstate = "42501"


class InternalError(DpduckError):
    """A fault of dpduck itself."""

    sqlstate = "XX000"
