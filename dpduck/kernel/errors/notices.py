"""Notices as data: what there is to say of an answer in one short sentence, and what more there is to it.

A notice has a rank, and facts apart from advice. Doors show the sentences of those that change how a number
is to be read, in a line each for what it means and how sure it is; the rest is one step away: `notices` in
Python, `.why` in the shell, DETAIL and HINT over the wire, "Why?" in the console.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum

from dpduck.kernel.errors.advice import NO_HINT, Audience, Hint, text_for


class Rank(IntEnum):
    """How much a notice matters.

    MEANING: a number means something else than the text of its query, and no door leaves that out;
    UNCERTAIN: a number says little, or its interval less than it seems; ADVICE: what else could be asked.
    """

    MEANING = 1
    UNCERTAIN = 2
    ADVICE = 3


@dataclass(frozen=True)
class Notice:
    """What there is to say of an answer.

    `sentence`: in at most twelve words, of names of one word, with its full stop; if it begins with `lead`
    and a colon, sentences that begin so may share it. `detail`: the same in full, empty if the sentence says
    it all; `hint`: what to do; `columns`: of the answer, whose errors say the same where they stand beside.

    >>> notice = Notice(Rank.MEANING, "n counts distinct visitor, not rows.", hint=Hint.of("Count rows."))
    >>> notice.text()
    'n counts distinct visitor, not rows. Count rows.'
    """

    rank: Rank
    sentence: str
    detail: str = ""
    hint: Hint = NO_HINT
    lead: str = ""
    columns: tuple[str, ...] = ()

    def text(self, audience: Audience = Audience.SQL) -> str:
        """All of it, for an audience."""
        return " ".join(filter(None, (self.detail or self.sentence, self.hint.sentence(audience))))


Said = Notice | Hint | str


def full_text(said: Said, audience: Audience = Audience.SQL) -> str:
    """All of a notice, for an audience."""
    return said.text(audience) if isinstance(said, Notice) else text_for(said, audience)


@dataclass(frozen=True)
class Brief:
    """What a door shows of the notices of an answer.

    `lines`: the short ones; `details` and `hints`: what more there is to say; `whole`: all notices, as
    `notices` of Python has them.

    >>> left_out = Notice(Rank.MEANING, "Omitted: NULL page.", lead="Omitted")
    >>> unit = Notice(Rank.MEANING, "Omitted: NULL visitor.", lead="Omitted")
    >>> brief_of([left_out, Notice(Rank.UNCERTAIN, "Noise is larger than n."), unit]).lines
    ('Omitted: NULL page; NULL visitor.', 'Noise is larger than n.')
    """

    lines: tuple[str, ...]
    details: tuple[str, ...]
    hints: tuple[str, ...]
    whole: tuple[str, ...]

    @property
    def has_more(self) -> bool:
        """Whether there is more to say than the lines."""
        return bool(self.details or self.hints)

    @property
    def more(self) -> tuple[str, ...]:
        """All notices, if there is more to say than the lines."""
        return self.whole if self.has_more else ()

    def pointing_to(self, place: str) -> tuple[str, ...]:
        """Return the lines, of which the last says where there is more. Input: such as `.why`."""
        if not self.has_more:
            return self.lines
        return (*self.lines[:-1], f"{self.lines[-1]} ({place})") if self.lines else (f"Advice: {place}",)


NO_NOTICES = Brief((), (), (), ())


def brief_of(
    notices: Sequence[Said], audience: Audience = Audience.SQL, with_errors: Collection[str] = ()
) -> Brief:
    """Return what a door shows of notices: a line for each that has no rank, and one for each rank.

    Input: the columns beside whose numbers the door shows how far off they may be.
    """
    ranked = [one for one in notices if isinstance(one, Notice)]
    others = [text_for(one, audience) for one in notices if not isinstance(one, Notice)]
    told = [one for one in ranked if not _stands_beside(one, with_errors)]
    shown = (_line([one for one in told if one.rank is rank]) for rank in (Rank.MEANING, Rank.UNCERTAIN))
    details = [
        one.detail or one.sentence
        for one in ranked
        if one.detail or one.rank is Rank.ADVICE or one not in told
    ]
    hints = [one.hint.sentence(audience) for one in ranked if one.hint.parts]
    return Brief(
        tuple(filter(None, (*others, *shown))),
        tuple(details),
        tuple(dict.fromkeys(hints)),
        tuple(full_text(one, audience) for one in notices),
    )


def _stands_beside(one: Notice, with_errors: Collection[str]) -> bool:
    """Whether the errors beside numbers say what a notice does. What a number means is said in any case."""
    return one.rank is not Rank.MEANING and bool(one.columns) and set(one.columns) <= set(with_errors)


def _line(notices: Sequence[Notice]) -> str:
    """Return the sentences of some notices, each once; those with one lead share it."""
    sentences: dict[str, list[str]] = {}
    for one in notices:
        body = one.sentence.removeprefix(f"{one.lead}: ").removesuffix(".") if one.lead else ""
        sentences.setdefault(one.lead or one.sentence, []).append(body)
    return " ".join(
        f"{begins}: {'; '.join(dict.fromkeys(bodies))}." if bodies[0] else begins
        for begins, bodies in sentences.items()
    )
