"""Answers that are paid for already: what a query asks is taken, if it can be, from an earlier release.

Anything computed from what was released is post-processing and costs nothing (Dwork and Roth 2014,
Proposition 2.1). `describe` says in comparable parts what a release holds; `derive` makes the columns of
another plan of it, or says that it cannot; `find` looks through what the ledger keeps.

    plan -> describe -> ledger.kept(subject, version) -> derive -> the plan's released columns

What a subject is about is public: the plan and the owner's policy. The version of the data is public by
decision (see `dpduck.engines.duckdb.data_version`).
"""

from __future__ import annotations

from dpduck.replay.cache import Finds
from dpduck.replay.describe import Description, describe, subject_of
from dpduck.replay.find import Replay, find

__all__ = [
    "Description",
    "Finds",
    "Replay",
    "describe",
    "find",
    "subject_of",
]
