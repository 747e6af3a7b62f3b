"""Timestamps with a time zone are read in UTC, whatever zone the session is in.

DuckDB's casts between TIMESTAMP and TIMESTAMP WITH TIME ZONE depend on the settings TimeZone and Calendar,
are slow, and fail far out. What is written here counts microseconds, which depends on nothing and fails on
no value. An infinite time has no number of microseconds, and becomes NULL.
"""

from __future__ import annotations

from dataclasses import replace

from dpduck.compiler.private.type_rules import BIGINT, TIMESTAMP, TIMESTAMPTZ
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Call, Expression


def in_utc(value: Expression) -> Expression:
    """Return the TIMESTAMP of a value with a time zone; any other value as it is."""
    if not value.type.is_zoned:
        return value
    match value:
        case Call("make_timestamptz", (Call("epoch_us", (inner,)),)):  # what `from_utc` made
            return inner
    return build.call("make_timestamp", TIMESTAMP, build.call("epoch_us", BIGINT, value))


def from_utc(value: Expression) -> Expression:
    """Return the value with a time zone whose TIMESTAMP this is. Input: as `ordinary`, or near to it."""
    return build.call("make_timestamptz", TIMESTAMPTZ, build.call("epoch_us", BIGINT, value))


def without_zone(value: Typed) -> Typed:
    """Return a value with a time zone as its TIMESTAMP in UTC; any other value as it is."""
    return replace(value, node=in_utc(value.node), type=TIMESTAMP) if value.type.is_zoned else value


def with_zone_of(given: Typed, value: Typed) -> Typed:
    """Return what was computed `without_zone` of a value, with a time zone if that value has one."""
    return Typed.of(from_utc(value.node), value.domain) if given.type.is_zoned else value
