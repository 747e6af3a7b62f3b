"""The statements of the ledger, in SQL that every store understands: functions of one transaction.

`entry` is the record: append-only and sealed by the chain. `account` (spent amounts) and `cap` are derived
from it to make charges fast; `verify` recomputes them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

from dpduck.kernel.accounting.composition import Cost
from dpduck.kernel.accounting.event_records import write_event
from dpduck.kernel.accounting.events import Event
from dpduck.kernel.errors import BudgetExceededError, InternalError
from dpduck.kernel.ledger.admission import admit
from dpduck.kernel.ledger.chain import (
    FIELDS,
    FIELDS_BEFORE_MU_SQUARED,
    ChainEntry,
    Head,
    account_list,
    accounts_in,
    digest,
    start_of,
)
from dpduck.kernel.ledger.errors import clock_fault
from dpduck.kernel.ledger.fixed_point import (
    charge_amount,
    cost_amount,
    cost_units,
    delta_amount,
    delta_units,
    epsilon_amount,
    epsilon_units,
)
from dpduck.kernel.ledger.records import (
    Account,
    BudgetStatus,
    Cap,
    Charge,
    Entry,
    KeptAnswer,
    NewAnswers,
    StoredRelease,
    without_id,
)
from dpduck.kernel.ledger.repricing import given_back
from dpduck.kernel.ledger.windows import period_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
CLOCK_TOLERANCE = 60_000_000  # microseconds by which a clock may be behind the last entry
MAX_ANSWERS = 200  # the newest answers on one subject from which others are derived
MAX_NEWS = 1_000  # entries that are searched for new answers

_LINK = ", ".join(FIELDS)
_NO_CHARGE = ", ".join(FIELDS_BEFORE_MU_SQUARED)  # without what only charges have, also in version 4
_HEAD = "SELECT number, hash, at FROM entry ORDER BY number DESC LIMIT 1"
_LAST_NUMBER = "SELECT max(number) FROM entry"
_LAST_SEQ = "SELECT max(seq) FROM entry"
_ADD = f"INSERT INTO entry ({_LINK}, hash) VALUES ({', '.join(f':{name}' for name in FIELDS)}, :hash)"
_SPEND = """
    INSERT INTO account
        (scope, name, period, epsilon_spent, delta_spent, rho_spent, mu_squared_spent, keys_delta_spent)
    VALUES (:scope, :name, :period, :epsilon, :delta, :rho, :mu_squared, :keys_delta)
    ON CONFLICT (scope, name, period) DO UPDATE SET
        epsilon_spent = account.epsilon_spent + excluded.epsilon_spent,
        delta_spent = account.delta_spent + excluded.delta_spent,
        rho_spent = account.rho_spent + excluded.rho_spent,
        mu_squared_spent = account.mu_squared_spent + excluded.mu_squared_spent,
        keys_delta_spent = account.keys_delta_spent + excluded.keys_delta_spent
"""
_RETURN = """
    UPDATE account SET
        epsilon_returned = epsilon_returned + :epsilon,
        delta_returned = delta_returned + :delta,
        rho_returned = rho_returned + :rho
    WHERE scope = :scope AND name = :name AND period = :period
"""
_SPENT = """
    SELECT epsilon_spent - epsilon_returned, delta_spent - delta_returned, rho_spent - rho_returned,
        mu_squared_spent, keys_delta_spent
"""
_BACK = "SELECT epsilon_returned, delta_returned, rho_returned, 0, 0"
# Names were once stored as spelled, and are now stored as keys, which lower() leaves unchanged. If `scope`
# were not hidden from SQLite's planner, it would scan a whole scope instead of using the index of keys.
_OF = " FROM account WHERE lower(name) IN ({names}) AND scope || '' = :scope"
_WITHIN = " AND period = :period"  # without a window all charges count, whatever their periods
_CHARGED = "SELECT 1 FROM account WHERE lower(name) = :name AND scope || '' = :scope LIMIT 1"
# Of several spellings, the key itself sorts first.
_CAP = """
    SELECT terms FROM cap WHERE lower(name) = :name AND scope || '' = :scope ORDER BY name DESC LIMIT 1
"""
_SET_CAP = """
    INSERT INTO cap (scope, name, terms) VALUES (:scope, :name, :terms)
    ON CONFLICT (scope, name) DO UPDATE SET terms = excluded.terms
"""
_ACCOUNTS = """
    SELECT scope, lower(name) AS name FROM account UNION SELECT scope, lower(name) FROM cap
    ORDER BY scope, name
"""
_PEOPLE = """
    SELECT lower(name) AS name FROM account WHERE scope = 'people'
    UNION SELECT lower(name) FROM cap WHERE scope = 'people' ORDER BY name
"""
_ENTRIES = """
    SELECT e.seq, e.at, e.session, e.analyst, e.mechanism, e.query, e.evaluations,
        e.epsilon, e.delta, e.rho, e.mu_squared, e.keys_delta,
        coalesce(s.epsilon, 0), coalesce(s.delta, 0), coalesce(s.rho, 0),
        e.about, e.accounts, e.event
    FROM entry AS e LEFT JOIN entry AS s ON s.about = e.seq AND s.kind = 'settle'
    WHERE e.kind = 'charge'
"""
_CHARGE = "SELECT epsilon, delta, rho, mu_squared, keys_delta, accounts FROM entry WHERE seq = :seq"
_RETURNED = "SELECT epsilon, delta, rho, 0, 0 FROM entry WHERE about = :seq AND kind = 'settle'"
_SETTLED = "SELECT detail FROM entry WHERE about = :seq AND kind = 'settle'"
_KEEP = """
    INSERT INTO answer (seq, subject, version, description, contents)
    VALUES (:seq, :subject, :version, :description, :contents)
"""
_KEPT = f"""
    SELECT a.seq, e.at, e.epsilon, e.delta, a.description
    FROM answer AS a JOIN entry AS e ON e.seq = a.seq
    WHERE a.subject = :subject AND a.version = :version {{given}} ORDER BY a.seq DESC LIMIT {MAX_ANSWERS}
"""
_SAME = """
    SELECT a.seq, e.at, e.epsilon, e.delta, a.description
    FROM answer AS a JOIN entry AS e ON e.seq = a.seq
    WHERE a.subject = :subject AND a.version = :version AND a.description = :description {given}
    ORDER BY e.epsilon DESC, a.seq DESC LIMIT {most}
"""
_NEW_ANSWERS = """
    SELECT a.subject, a.version, a.seq, e.at, e.epsilon, e.delta, a.description
    FROM entry AS s JOIN answer AS a ON a.seq = s.about JOIN entry AS e ON e.seq = a.seq
    WHERE s.number > :after AND s.kind = 'settle' ORDER BY s.number
"""
_GIVEN = """
    AND a.seq IN (SELECT coalesce(about, seq) FROM entry WHERE kind = 'charge' AND analyst = :analyst)
"""
_CONTENTS = "SELECT subject, version, description, contents FROM answer WHERE seq = :seq"
_PAYERS = "SELECT DISTINCT accounts FROM entry WHERE kind = 'charge' AND (seq = :seq OR about = :seq)"
_SEEN = "SELECT 1 FROM entry WHERE kind = 'charge' AND about = :seq AND session = :session LIMIT 1"
_SEEN_QUESTION = f"{_SEEN.removesuffix('LIMIT 1')}AND query = :query LIMIT 1"


class Transaction(Protocol):
    """One transaction of a store, the only one that may write while it lasts.

    `ledger_id`: the random name of the ledger. `now`: microseconds since 1970, UTC.
    """

    ledger_id: str
    now: int

    def run(self, sql: str, values: Mapping[str, object] = ...) -> Sequence[tuple[Any, ...]]:
        """Run a statement with named parameters, and return its rows, if any."""


# --- writing -------------------------------------------------------------------------------------


def add_charge(db: Transaction, charge: Charge) -> int:
    """Admit and record a charge; see `Ledger.charge`."""
    return _pay(db, charge, charge.cost, charge.accounts)


def add_replay(db: Transaction, charge: Charge, seq: int) -> Fraction | None:
    """Record a replay; see `Ledger.replay`."""
    priced = _priced(db, charge, seq)
    if priced is None:
        return None
    cost, payers = priced
    if payers:
        _pay(db, charge, cost, payers, seq)
    elif not _seen(db, charge, seq):
        _add_paid(db, read_head(db), charge, cost, [], seq)
    return cost.epsilon


def price_of_replay(db: Transaction, charge: Charge, seq: int) -> Fraction | None:
    """The epsilon that `add_replay` would charge now; None if it would record nothing."""
    priced = _priced(db, charge, seq)
    return None if priced is None else priced[0].epsilon


def _priced(db: Transaction, charge: Charge, seq: int) -> tuple[Cost, list[Account]] | None:
    """What a replay costs, and who pays; None if they cannot, or a fresh answer would cost less."""
    unpaid = _unpaid(db, charge, seq)
    if all(account.scope != "budget" for account in unpaid):
        return Cost(), []
    cost = _cost_of_answer(db, seq)
    if cost.epsilon > charge.cost.epsilon or cost.delta > charge.cost.delta:
        return None
    payers = [account for account in unpaid if account.scope in ("analyst", "budget")]
    try:
        admit(cost, charge.evaluations, read_budgets(db, payers))
    except BudgetExceededError:  # a refusal at this answer's cost would reveal that it exists
        return None
    return cost, payers


def is_paid(db: Transaction, charge: Charge, seq: int) -> bool:
    """Whether `add_replay` would charge nothing."""
    return all(account.scope != "budget" for account in _unpaid(db, charge, seq))


def is_replayed(db: Transaction, charge: Charge, seq: int) -> bool:
    """Whether `add_replay` would neither charge nor record anything."""
    return _seen(db, charge, seq) and is_paid(db, charge, seq)


def _unpaid(db: Transaction, charge: Charge, seq: int) -> list[Account]:
    """The accounts of a charge that have not paid for an answer; none unless a budget FOR somebody is one.

    Else nobody pays, and a summary has as many rows to look through as it was asked questions.
    """
    if not any(account.scope == "budget" for account in charge.accounts):
        return []
    payers = db.run(_PAYERS, {"seq": seq})
    paid = {(scope, name) for (text,) in payers for scope, name, _ in accounts_in(text)}
    return [
        account
        for account in charge.accounts
        if not any((account.scope, key) in paid for key in account.keys)
    ]


def _seen(db: Transaction, charge: Charge, seq: int) -> bool:
    """Whether a replay of the answer in the charge's session is on record; of a summary, of that question."""
    known = {"seq": seq, "session": charge.session}
    if charge.of_summary:
        return bool(db.run(_SEEN_QUESTION, {**known, "query": charge.query}))
    return bool(db.run(_SEEN, known))


def _cost_of_answer(db: Transaction, seq: int) -> Cost:
    """The cost of an answer's charge after its settlement."""
    [(*amounts, _)] = db.run(_CHARGE, {"seq": seq})
    back = db.run(_RETURNED, {"seq": seq})
    return charge_amount(*amounts) - (cost_amount(*back[0]) if back else Cost())


def _pay(
    db: Transaction, charge: Charge, cost: Cost, accounts: Sequence[Account], about: int | None = None
) -> int:
    """Admit a cost to all accounts, and record it. Output: the number of the charge."""
    head = read_head(db)
    at = _moment(db, head)
    caps = [_read_cap(db, account) for account in accounts]
    budgets = [_read_status(db, account, cap, at) for account, cap in zip(accounts, caps, strict=True)]
    admit(cost, charge.evaluations, budgets)
    for account, cap in zip(accounts, caps, strict=True):
        # A default that was applied once is the account's cap from now on.
        if account.default is not None and cap is None:
            head = _add_cap(db, head, account, account.default)
    names: list[tuple[str, str, str]] = [(b.scope, b.key, b.period) for b in budgets]
    return _add_paid(db, head, charge, cost, names, about)


def _add_paid(
    db: Transaction,
    head: Head,
    charge: Charge,
    cost: Cost,
    accounts: list[tuple[str, str, str]],
    about: int | None,
) -> int:
    [(last,)] = db.run(_LAST_SEQ)
    seq, amounts = (last or 0) + 1, cost_units(cost)
    link = ChainEntry(
        number=head.number + 1,
        kind="charge",
        seq=seq,
        at=_moment(db, head),
        session=charge.session,
        analyst=charge.analyst,
        mechanism=charge.mechanism,
        query=charge.query,
        evaluations=charge.evaluations,
        accounts=account_list(accounts),
        about=about,
        detail="",
        event=write_event(charge.event) if about is None else None,  # a replay releases nothing new
        **amounts,
    )
    append(db, head, link)
    for scope, name, period in accounts:
        db.run(_SPEND, {"scope": scope, "name": name, "period": period, **amounts})
    return seq


def add_settlement(
    db: Transaction, seq: int, used: Event | None, answer: StoredRelease | None, seal: str = ""
) -> Fraction:
    """Record what a charge used and the answer it paid for; see `Ledger.settle`.

    Input: `seal`: the digest of what it paid for, if that is no answer and is kept elsewhere.
    """
    found = db.run(_CHARGE, {"seq": seq})
    if not found or db.run(_SETTLED, {"seq": seq}):
        raise InternalError("a charge is settled once")
    *amounts, accounts = found[0]
    charged = charge_amount(*amounts)
    back = Cost() if used is None else given_back(charged, used)
    link = note(db, "settle", read_head(db), accounts=accounts, about=seq, cost=back)
    if answer is not None:
        db.run(
            _KEEP,
            {
                "seq": seq,
                "subject": answer.subject,
                "version": answer.version,
                "description": answer.description,
                "contents": answer.rows,
            },
        )
    detail = seal if answer is None else seal_of(answer)
    event = None if used is None else write_event(used)
    append(db, read_head(db), replace(link, detail=detail, event=event))
    for scope, name, period in accounts_in(accounts):
        db.run(_RETURN, {"scope": scope, "name": name, "period": period, **cost_units(back)})
    return charged.epsilon - back.epsilon


def set_cap(db: Transaction, account: Account, cap: Cap | None) -> None:
    """Set or drop the cap of an account; see `Ledger.set_cap`."""
    if _read_cap(db, account) != cap:
        _add_cap(db, read_head(db), account, cap)


def _add_cap(db: Transaction, head: Head, account: Account, cap: Cap | None) -> Head:
    terms = terms_of(cap)
    accounts = account_list([(account.scope, account.key, "")])
    link = replace(note(db, "cap", head, accounts=accounts), detail=terms)
    db.run(_SET_CAP, {"scope": account.scope, "name": account.key, "terms": terms})
    return append(db, head, link)


def note(
    db: Transaction,
    kind: Any,
    head: Head,
    *,
    accounts: str,
    about: int | None = None,
    cost: Cost = Cost(),  # noqa: B008 (frozen)
) -> ChainEntry:
    """An entry that is not a charge, to be appended after that head."""
    number, at = head.number + 1, _moment(db, head)
    amounts = cost_units(cost)
    return ChainEntry(
        number,
        kind,
        None,
        at,
        "",
        None,
        "",
        "",
        1,
        **amounts,
        accounts=accounts,
        about=about,
        detail="",
        event=None,
    )


def append(db: Transaction, head: Head, link: ChainEntry) -> Head:
    """Append an entry to the chain. Output: the new head."""
    sealed = link.seal(head.hash)
    db.run(_ADD, {**{name: getattr(link, name) for name in FIELDS}, "hash": sealed})
    return Head(link.number, sealed, link.at)


def _moment(db: Transaction, head: Head) -> int:
    """The time of the next entry: never before that of the last one, so that no window opens twice.

    Errors: LedgerError if the clock is far behind it.
    """
    if db.now < head.at - CLOCK_TOLERANCE:
        raise clock_fault(moment(db.now), moment(head.at))
    return max(db.now, head.at)


def seal_of(answer: StoredRelease) -> str:
    """The digest that the chain stores of a kept answer; of what a damaged file has in place of text, too."""
    parts = [answer.subject, answer.version, answer.description, answer.rows]
    return digest(json.dumps(parts, default=repr))


# --- caps ----------------------------------------------------------------------------------------


def terms_of(cap: Cap | None) -> str:
    """A cap as it is stored; '' if it was dropped."""
    if cap is None:
        return ""
    terms = {
        "epsilon": epsilon_units(cap.epsilon),
        "delta": delta_units(cap.delta),
        "per_query": epsilon_units(cap.per_query),
        "window": cap.window,
        "accounting": cap.accounting,
    }
    if cap.keys_delta is not None:
        terms["keys_delta"] = delta_units(cap.keys_delta)
    return json.dumps(terms, separators=(",", ":"))


@lru_cache(maxsize=1024)  # each charge reads those of its accounts
def _cap_of(terms: str) -> Cap | None:
    if not terms:
        return None
    stored = json.loads(terms)
    return Cap(
        epsilon_amount(stored["epsilon"]),
        delta_amount(stored["delta"]),
        epsilon_amount(stored["per_query"]),
        stored["window"],
        stored["accounting"],
        delta_amount(stored.get("keys_delta")),
    )


def _read_cap(db: Transaction, account: Account) -> Cap | None:
    """The cap under the account's own key; if none was ever set, the first under a former key."""
    for key in account.keys:
        found = db.run(_CAP, {"scope": account.scope, "name": key})
        if found:
            return _cap_of(found[0][0])
    return None


# --- reading -------------------------------------------------------------------------------------


def read_head(db: Transaction) -> Head:
    """The head of the chain."""
    found = db.run(_HEAD)
    return Head(*found[0]) if found else start_of(db.ledger_id)


def read_hash(db: Transaction, number: int) -> str | None:
    """The hash of the entry of that number; None if there is none."""
    found = db.run("SELECT hash FROM entry WHERE number = :number", {"number": number})
    return found[0][0] if found else None


def read_budgets(db: Transaction, accounts: Sequence[Account] | None) -> list[BudgetStatus]:
    """The status of these accounts, which may be new, or of all recorded accounts, by scope and name."""
    at = max(db.now, read_head(db).at)
    if accounts is None:
        shown = _shown_names(db)
        accounts = [Account(scope, shown.get(key, key), id=key) for scope, key in db.run(_ACCOUNTS)]
    return [_read_budget(db, account, at) for account in accounts]


def _read_budget(db: Transaction, account: Account, at: int) -> BudgetStatus:
    return _read_status(db, account, _read_cap(db, account), at)


def _read_status(db: Transaction, account: Account, stored: Cap | None, at: int) -> BudgetStatus:
    """The status of an account with the cap that is stored for it, if there is one."""
    cap = stored or account.default or Cap()
    period = period_of(cap.window, moment(at))
    spent, withheld = _read_sums(db, _SPENT, account, period), Cost()
    if account.shared:
        withheld = _read_sums(db, _BACK, account, period)
        spent += withheld
    return BudgetStatus(account.scope, account.name, cap, spent, period, account.key, withheld)


def _read_sums(db: Transaction, sums: str, account: Account, period: str) -> Cost:
    names = {f"name{number}": key for number, key in enumerate(account.keys)}
    sql = (sums + _OF).format(names=", ".join(f":{name}" for name in names))
    if period:
        rows = db.run(sql + _WITHIN, {"scope": account.scope, "period": period, **names})
    else:
        rows = db.run(sql, {"scope": account.scope, **names})
    return cost_amount(*map(sum, zip(*rows, strict=True))) if rows else Cost()


def _shown_names(db: Transaction) -> dict[str, str]:
    """Display names of the privacy units' accounts: without their ids where that is unambiguous."""
    keys = [key for (key,) in db.run(_PEOPLE)]
    short = Counter(map(without_id, keys))
    return {key: without_id(key) if short[without_id(key)] == 1 else key for key in keys}


def read_entries(db: Transaction, session: str | None) -> list[Entry]:
    """Read the charges of one session or of all, in order."""
    chosen = "" if session is None else " AND e.session = :session"
    rows = db.run(f"{_ENTRIES}{chosen} ORDER BY e.seq", {} if session is None else {"session": session})
    shown = _shown_names(db)
    return [_as_entry(row, shown) for row in rows]


def read_last_seq(db: Transaction) -> int:
    """The number of the last charge, 0 if there is none."""
    [(last,)] = db.run(_LAST_SEQ)
    return last or 0


def read_between(db: Transaction, above: int, below: int, analyst: str | None, most: int) -> list[Entry]:
    """The last charges between two numbers, which are not among them, newest first; None: of all analysts."""
    chosen = "" if analyst is None else " AND e.analyst = :analyst"
    given = {} if analyst is None else {"analyst": analyst}
    rows = db.run(
        f"{_ENTRIES} AND e.seq > :above AND e.seq < :below{chosen} ORDER BY e.seq DESC LIMIT :most",
        {"above": above, "below": below, "most": most, **given},
    )
    shown = _shown_names(db) if rows else {}
    return [_as_entry(row, shown) for row in rows]


def _as_entry(row: tuple[Any, ...], shown: Mapping[str, str]) -> Entry:
    seq, at, session, analyst, mechanism, query, evaluations, *amounts, about, accounts, event = row
    charged, returned = amounts[:5], (*amounts[5:], 0, 0)
    cost = charge_amount(*charged) - cost_amount(*returned)
    return Entry(
        seq,
        moment(at),
        session,
        analyst,
        cost.epsilon,
        cost.delta,
        mechanism,
        query,
        evaluations,
        about is not None,
        cost.rho,
        cost.mu_squared,
        cost.keys_delta,
        tuple((scope, shown.get(key, key)) for scope, key, _ in accounts_in(accounts)),  # type: ignore[misc]
        event,
    )


def read_kept(db: Transaction, subject: str, version: str, analyst: str | None = None) -> list[KeptAnswer]:
    """The stored answers on one subject and state of the data, newest first; see `Ledger.kept`."""
    values = {"subject": subject, "version": version}
    if analyst is None:
        rows = db.run(_KEPT.format(given=""), values)
    else:
        rows = db.run(_KEPT.format(given=_GIVEN), {**values, "analyst": analyst})
    return [_as_kept(row) for row in rows]


def read_same(
    db: Transaction, subject: str, version: str, description: str, analyst: str | None
) -> list[KeptAnswer]:
    """The stored answers of one description; see `Ledger.same`."""
    values = {"subject": subject, "version": version, "description": description}
    if analyst is None:
        rows = db.run(_SAME.format(given="", most=MAX_ANSWERS), values)
    else:
        rows = db.run(_SAME.format(given=_GIVEN, most=MAX_ANSWERS), {**values, "analyst": analyst})
    return [_as_kept(row) for row in rows]


def read_new_answers(db: Transaction, after: int) -> NewAnswers:
    """The answers that were stored after an entry; see `Ledger.new_answers`.

    By the entries that stored them, since an earlier charge may be settled after a later one.
    """
    [(last,)] = db.run(_LAST_NUMBER)
    upto = last or 0
    if upto == after:
        return NewAnswers(upto, ())
    if not after < upto <= after + MAX_NEWS:  # an older ledger was put in its place, or much has happened
        return NewAnswers(upto, None)
    rows = db.run(_NEW_ANSWERS, {"after": after})
    return NewAnswers(upto, tuple((subject, version, _as_kept(row)) for subject, version, *row in rows))


def _as_kept(row: Sequence[Any]) -> KeptAnswer:
    seq, at, epsilon, delta, description = row
    return KeptAnswer(seq, moment(at), *_epsilon_delta(epsilon, delta), description)


def _epsilon_delta(epsilon: int, delta: int) -> tuple[Fraction, Fraction]:
    cost = cost_amount(epsilon, delta, 0, 0, 0)
    return cost.epsilon, cost.delta


def read_answer(db: Transaction, seq: int) -> StoredRelease | None:
    """A stored answer; None unless its digest is the one in the chain."""
    found, settled = db.run(_CONTENTS, {"seq": seq}), db.run(_SETTLED, {"seq": seq})
    if not found or not settled:
        return None
    answer = StoredRelease(*found[0])
    return answer if seal_of(answer) == settled[0][0] else None


def read_links(
    db: Transaction, after: int, most: int, names: Sequence[str] = FIELDS
) -> Iterator[tuple[ChainEntry, str]]:
    """Entries of all kinds with their hashes, in order, after the entry of that number.

    Input: `most`: the largest number of entries; `names`: the fields of the stored version.
    """
    rows = db.run(
        f"SELECT {', '.join(names)}, hash FROM entry WHERE number > :after ORDER BY number LIMIT :most",
        {"after": after, "most": most},
    )
    for *values, hashed in rows:
        yield ChainEntry(*values), hashed


def read_policy_links(db: Transaction, below: int | None, most: int) -> list[ChainEntry]:
    """Entries about policies, newest first. Input: only numbers below `below`; at most `most`."""
    chosen = "" if below is None else " AND number < :below"
    rows = db.run(
        f"SELECT {_NO_CHARGE} FROM entry WHERE kind = 'policy'{chosen} ORDER BY number DESC LIMIT :most",
        {"most": most} if below is None else {"below": below, "most": most},
    )
    return [ChainEntry(*row) for row in rows]


def was_charged(db: Transaction, accounts: Sequence[Account]) -> bool:
    """Whether one of the accounts was ever charged."""
    keys = [(one.scope, key) for one in accounts for key in one.keys]
    return any(db.run(_CHARGED, {"scope": scope, "name": key}) for scope, key in keys)


def moment(microseconds: int) -> datetime:
    """Convert a stored time."""
    return EPOCH + timedelta(microseconds=microseconds)
