"""How much of each budget is spent: for the metrics, and told to the data owner at 50, 80 and 100 %.

Amounts are those that were charged. What a release showed as unused and came back is not subtracted: it is a
part of somebody's answer, and others may read the metrics of a machine (docs/LEDGER.md).
"""

from __future__ import annotations

import http.client
import json
import logging
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction

from dpduck.kernel.errors import DpduckError, LedgerError, decimal_text
from dpduck.kernel.ledger import Account, BudgetStatus, Ledger
from dpduck.kernel.ledger.glance import lasting_accounts

LEVELS = (50, 80, 100)  # percent
_SECONDS = 60.0  # between looks if nothing is charged here: others may charge the ledger too
_REST = 1.0  # seconds between looks at least, however much is charged
_TIMEOUT = 10.0  # seconds for a webhook to answer

log = logging.getLogger("dpduck.gateway")


@dataclass(frozen=True)
class Alert:
    """A budget that has reached a level. `percent`: the level; amounts are exact decimals as text."""

    scope: str
    name: str
    period: str
    percent: int
    epsilon_spent: str
    epsilon_limit: str | None
    at: str

    @property
    def text(self) -> str:
        """The alert as a line of the log."""
        period = f" of {self.period}" if self.period else ""
        limit = "" if self.epsilon_limit is None else f" of {self.epsilon_limit}"
        return (
            f"{self.scope} {self.name!a}{period} has reached {self.percent} % of its budget: "
            f"epsilon {self.epsilon_spent}{limit} spent"
        )


class BudgetWatch:
    """Reads the budgets of a server's data, and tells when one reaches a level.

    Input: `accounts`: returns those to watch; `tell`: what else is done with an alert than to log it.
    """

    def __init__(
        self,
        ledger: Ledger,
        accounts: Callable[[], Iterable[Account]] = tuple,
        tell: Callable[[Alert], None] | None = None,
    ) -> None:
        self._ledger = ledger
        self._accounts = accounts
        self._tell = tell
        self._reached: dict[tuple[str, str, str], int] = {}
        self._charged = threading.Event()
        self._ended = False

    def read(self) -> list[BudgetStatus]:
        """The given accounts, and all others of the ledger but sessions. Errors: LedgerError."""
        given = self._given()
        mine = {(account.scope, key) for account in given for key in account.keys}
        others = [one for one in lasting_accounts(self._ledger) if (one.scope, one.key) not in mine]
        return self._ledger.budgets(replace(one, shared=True) for one in (*given, *others))

    def _given(self) -> Sequence[Account]:
        try:
            return tuple(self._accounts())
        except LedgerError:
            raise
        except DpduckError:  # policies that cannot be read; each statement says so
            return ()

    def start(self) -> None:
        """Begin to watch, in a thread that does not keep the process alive."""
        threading.Thread(target=self._run, name="dpduck-budgets", daemon=True).start()

    def charged(self) -> None:
        """Something was charged: look soon. This never waits."""
        self._charged.set()

    def end(self) -> None:
        """Stop watching."""
        self._ended = True
        self._charged.set()

    def _run(self) -> None:
        while not self._ended:
            self.look()
            time.sleep(_REST)
            self._charged.wait(_SECONDS)
            self._charged.clear()

    def look(self) -> None:
        """Tell of each budget that has reached a higher level since it was last looked at."""
        try:
            budgets = self.read()
        except DpduckError as error:
            budgets = []
            log.warning("the budgets cannot be read: %s", error.message)
        for budget in budgets:
            level, key = level_of(budget), (budget.scope, budget.key, budget.period)
            if level > self._reached.get(key, 0):
                self._alert(budget, level)
            self._reached[key] = level  # lower again if the owner raised the cap

    def _alert(self, budget: BudgetStatus, level: int) -> None:
        limit = budget.epsilon_limit
        alert = Alert(
            budget.scope,
            budget.name,
            budget.period,
            level,
            decimal_text(budget.epsilon_spent),
            None if limit is None else decimal_text(limit),
            datetime.now(UTC).isoformat(timespec="seconds"),
        )
        log.warning("%s", alert.text, extra={"fields": {"event": "budget", **asdict(alert)}})
        if self._tell is not None:
            self._tell(alert)


def level_of(budget: BudgetStatus) -> int:
    """The highest level that a budget has reached in what adds up in it, 0 if none.

    That is epsilon and delta; or rho or mu^2, and the delta of keys. The delta that turns these into an
    epsilon is taken by the first charge, and the epsilon grows by their root: neither says what is left.

    >>> from dpduck.kernel.accounting.composition import Cost
    >>> from dpduck.kernel.ledger import Cap
    >>> [level_of(BudgetStatus("budget", "b", Cap(Fraction(10)), Cost(Fraction(n)))) for n in (4, 5, 9, 10)]
    [0, 50, 80, 100]
    """
    shares = _share(*_of_loss(budget)), _share(*_of_delta(budget))
    return max((level for level in LEVELS if 100 * max(shares) >= level), default=0)


def _of_loss(budget: BudgetStatus) -> tuple[Fraction, Fraction | None]:
    measure, epsilon = budget.cap.measure, budget.epsilon_limit
    if measure is None or epsilon is None or not budget.delta_to_convert:
        return budget.epsilon_spent, epsilon
    return measure.of(budget.spent), measure.limit(epsilon, budget.delta_to_convert)


def _of_delta(budget: BudgetStatus) -> tuple[Fraction, Fraction | None]:
    if budget.cap.measure is None:
        return budget.delta_spent, budget.delta_limit
    return budget.spent.keys_delta, budget.cap.delta_of_events


def _share(spent: Fraction, limit: Fraction | None) -> Fraction:
    return spent / limit if limit else Fraction(0)


def webhook(url: str) -> Callable[[Alert], None]:
    """A function that posts each alert to an address, as JSON. It is not logged: it may be secret."""

    def send(alert: Alert) -> None:
        body = json.dumps(asdict(alert)).encode()
        request = urllib.request.Request(  # noqa: S310 (the command line takes http and https only)
            url, data=body, headers={"Content-Type": "application/json"}, method="POST"
        )
        reason = None
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT):  # noqa: S310
                return
        except urllib.error.HTTPError as error:
            reason = f"status {error.code}"
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = type(error).__name__
        with suppress(Exception):
            log.error("an alert could not be sent: %s", reason)

    return send
