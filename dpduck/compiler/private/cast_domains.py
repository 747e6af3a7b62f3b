"""Propagates domains through CAST; see `domains`."""

from __future__ import annotations

from dpduck.compiler.private.datetime_domains import as_timestamps, days
from dpduck.compiler.private.domains import listed, mapped, members
from dpduck.compiler.private.number_domains import integers, whole, within
from dpduck.compiler.private.type_rules import DATE
from dpduck.kernel.catalog.model import Domain, RangeDomain
from dpduck.kernel.catalog.types import SqlType


def of_cast(domain: Domain | None, source: SqlType, target: SqlType) -> Domain | None:
    """Return the domain of CAST(x AS target) from that of x."""
    if domain is None or source == target:
        return domain
    if target == DATE and source.kind == "timestamp":
        return days(domain)
    if target.kind == "timestamp" and source.kind in ("date", "timestamp"):
        return as_timestamps(domain)
    if target.kind == "integer" and source.kind == "integer":
        return _recast_integers(domain, target)
    if target.kind == "text" and source.kind in ("enum", "integer", "date"):
        return mapped(domain, str)
    if target.kind == "integer" and source.name == "DOUBLE":
        return within(_whole_floats(domain), target)
    return None


def _recast_integers(domain: Domain, target: SqlType) -> Domain | None:
    if isinstance(domain, RangeDomain):
        low, high, step = whole(domain)
        return integers(low, high, step, target)
    return within(domain, target)


def _whole_floats(domain: Domain) -> Domain | None:
    """Return a domain of integral doubles as integers; None if one has a fraction and would be rounded."""
    values = members(domain) or []
    whole = [int(value) for value in values if isinstance(value, float) and value.is_integer()]
    return listed(whole) if len(whole) == len(values) else None
