"""What names of tables and columns say of whose rows there are. Pure; a name is a guess."""

from __future__ import annotations

import re

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")
_PEOPLE = frozenset(
    {
        *("person", "people", "human", "user", "customer", "cust", "client", "patient"),
        *("member", "employee", "visitor", "student", "pupil", "respondent", "participant", "subscriber"),
        *("voter", "citizen", "resident", "passenger", "driver", "guest", "donor", "buyer"),
        *("shopper", "reader", "viewer", "player", "applicant", "worker", "contact", "household"),
        *("family", "subject", "consumer", "borrower", "tenant", "beneficiary", "rider", "cyclist"),
        *("traveler", "traveller", "tourist", "attendee", "caller", "learner", "teacher", "author", "seller"),
    }
)
_IDS = ("id", "key", "no", "nr", "num", "number", "uuid", "guid", "code", "sk", "pk", "fk", "ref")
_ALONE = frozenset({"uid", "ssn", "msisdn", "mrn", "email", "username", "userid", "phone"})
_GENERIC = frozenset({*_IDS, "name", "rowid", "title", "label", "value"})
_SHORT = 2  # letters of a prefix that stands for the table, as in o_custkey
SURE, LIKELY, NO = 2, 1, 0


def words_of(name: str) -> list[str]:
    """The words of a name, in lower case.

    >>> words_of("o_custkey"), words_of("customerId"), words_of("ORDER_ITEMS")
    (['o', 'custkey'], ['customer', 'id'], ['order', 'items'])
    """
    return [word.lower() for word in _WORDS.findall(name)]


def singular(word: str) -> str:
    """A word of a table's name as that of one row.

    >>> singular("people"), singular("parties"), singular("visits"), singular("address")
    ('person', 'party', 'visit', 'address')
    """
    if word == "people":
        return "person"
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def is_of_people(table: str) -> bool:
    """Whether a table is named after people: its last word is one.

    >>> is_of_people("customers"), is_of_people("dim_user"), is_of_people("user_agents")
    (True, True, False)
    """
    words = words_of(table)
    return bool(words) and singular(words[-1]) in _PEOPLE


def names_a_person(column: str) -> int:
    """How surely a column says whose row it is: SURE, LIKELY or NO.

    >>> names_a_person("customer_id"), names_a_person("o_custkey"), names_a_person("visitor")
    (2, 2, 2)
    >>> names_a_person("referred_by_user_id"), names_a_person("email"), names_a_person("user_agent")
    (1, 1, 0)
    """
    words = _without_prefix(words_of(column))
    joined = "".join(words)
    if joined in _ALONE:
        return SURE if joined in ("uid", "userid") else LIKELY
    bare = _without_id(words)
    if not bare or singular(bare[-1]) not in _PEOPLE:
        return NO
    return SURE if len(bare) == 1 else LIKELY


def says_the_same(column: str, key: str, table: str) -> bool:
    """Whether a column is named like the key of a table, so that it may say which of its rows is meant.

    >>> says_the_same("o_custkey", "c_custkey", "customer"), says_the_same("customer_id", "id", "customers")
    (True, True)
    >>> says_the_same("id", "id", "customers"), says_the_same("name", "name", "towns")
    (False, False)
    """
    own, its = _without_prefix(words_of(column)), _without_prefix(words_of(key))
    if own == its:
        return "".join(own) not in _GENERIC
    named = [singular(word) for word in words_of(table)][-1:]
    return "".join(its) in _GENERIC and bool(named) and _without_id(own) == named and own != named


def is_an_id(column: str) -> bool:
    """Whether a column tells rows apart rather than what they have in common.

    >>> is_an_id("order_id"), is_an_id("page")
    (True, False)
    """
    words = _without_prefix(words_of(column))
    if not words:
        return False
    return _without_id(words) != words or words[-1].endswith("key") or "".join(words) in _ALONE | {"rowid"}


def _without_prefix(words: list[str]) -> list[str]:
    return words[1:] if len(words) > 1 and len(words[0]) <= _SHORT and words[0] not in _IDS else words


def _without_id(words: list[str]) -> list[str]:
    """The words before one that only says that it is an id; of custkey the first part."""
    if not words:
        return words
    last = words[-1]
    if last in _IDS:
        return words[:-1]
    for ending in _IDS:
        bare = last.removesuffix(ending)
        if bare != last and singular(bare) in _PEOPLE:
            return [*words[:-1], bare]
    return words
