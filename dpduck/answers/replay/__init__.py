"""Replay: answering a query from an earlier release, which is already paid for.

Anything computed from what was released is post-processing and costs nothing (Dwork and Roth 2014,
Proposition 2.1). `describe` says in comparable parts what a release holds; `derive` computes the columns of
another plan from it, or finds that it cannot; `find` searches the stored answers of the ledger.

    plan -> describe -> ledger.kept(subject, version) -> derive -> the plan's released columns

The subject of a release is public: the plan and the owner's policy. The version of the data is public by
decision (see `dpduck.engines.duckdb.data_version`).
"""

from __future__ import annotations

from dpduck.answers.replay.cache import ReplayCache
from dpduck.answers.replay.describe import Description, describe, description_of, subject_of, subject_of_rows
from dpduck.answers.replay.find import Replay, find

__all__ = [
    "Description",
    "Replay",
    "ReplayCache",
    "describe",
    "description_of",
    "find",
    "subject_of",
    "subject_of_rows",
]
