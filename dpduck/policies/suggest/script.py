"""A proposal as a script: statements that can be run, and all else as comments."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from dpduck.policies.suggest import OfTable, Proposal, Proposed, Question
from dpduck.policies.wording import sql_of

_WIDTH = 100
_MOST = 12  # forms of queries that are named
_DELTA = "with delta"
# Whatever a name holds, it does not end a comment.
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def text_of(proposal: Proposal, name: str) -> str:
    """The script. Input: the name of the data."""
    lines = [*_head(proposal, name)]
    if proposal.files:
        lines += ["", *(f"{sql_of(one)};" for one in proposal.files), *_comment(_OF_LINES, "  ")]
    for table in proposal.tables:
        lines += ["", *lines_of(table)]
    if proposal.views:
        lines += ["", *_comment(f"Of views the policies of their tables hold: {_some(proposal.views)}.")]
    if proposal.tables and not proposal.has_budget:
        lines += ["", *lines_of_question(_BUDGET)]
    return "".join(f"{line}\n" for line in lines)


_OF_LINES = (
    "why: most of its first lines are like that. It is public from now on, and holds for later versions of "
    "the file."
)
_BUDGET = Question(
    "How much may be lost of the privacy of these people in all? Without a budget it is epsilon 10 and "
    "delta 0.00001 in a lifetime.",
    ("CREATE PRIVACY BUDGET life LIMIT 10;",),
)


def _head(proposal: Proposal, name: str) -> Iterator[str]:
    looked = "names and types alone" if proposal.files else "its schema alone: no private row was looked at"
    yield from _comment(f"A policy for {name}, proposed from {looked}.")
    if not proposal.tables:
        yield from _comment("It has no table, so there is nothing to protect yet.")
        return
    yield from _comment(
        "Names are guesses. Is each unit what is to be protected: a person, or a household, or a device? "
        "Answer the questions, take out what is wrong, and apply the rest with dpduck policy apply."
    )


def lines_of(one: OfTable) -> list[str]:
    """The lines about a table: its statements, each with what it allows, and its questions."""
    lines = _comment(f"{_titled(one)}")
    for proposed in one.proposed:
        lines += lines_of_proposed(proposed)
    for question in one.questions:
        lines += lines_of_question(question)
    return lines


def _titled(one: OfTable) -> str:
    name = one.table.full_name
    return f"{name}: {one.before} already" if one.before else name


def lines_of_proposed(proposed: Proposed) -> list[str]:
    """A statement, with why it is proposed and what it allows."""
    told = {query: how for query, how in proposed.allows.items() if not query.startswith("mode(")}
    allowed = [query for query, how in told.items() if how != _DELTA]  # and mode(x) where GROUP BY x
    at_a_delta = [query for query, how in told.items() if how == _DELTA]
    lines = [f"{sql_of(proposed.statement)};", *_comment(f"why: {proposed.why}", "  ")]
    if allowed:
        lines += _comment(f"allows: {_some(allowed)}", "  ")
    if at_a_delta:
        lines += _comment(f"allows with a delta: {_some(at_a_delta)}", "  ")
    return lines


def lines_of_question(question: Question) -> list[str]:
    """A question, and the statements that would answer it, which are not run."""
    return [*_comment(f"? {question.text}"), *(f"--     {_plain(form)}" for form in question.forms)]


def _comment(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(
        _plain(text),
        _WIDTH,
        initial_indent=f"-- {indent}",
        subsequent_indent=f"-- {indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _plain(text: str) -> str:
    return _BREAKS.sub(" ", text)


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {more:,} more" if more > 0 else "")
