"""Keywords, functions and settings of SQL on protected tables, for completion and colours."""

from __future__ import annotations

from dpduck.query.functions.aggregates import WINDOWS
from dpduck.query.functions.table import CALLS
from dpduck.query.parse.statements import SETTINGS

__all__ = ["FUNCTIONS", "KEYWORDS", "SETTINGS"]

_KEYWORDS = """
    ADD ALL ALTER AND AS ASC BETWEEN BUDGET BY CASE CAST COLUMN CONTRIBUTION CREATE CROSS DELTA DESC DISTINCT
    DIFFERENTIAL_PRIVACY DOMAIN DROP ELSE END EXCEPT EXISTS EXPLAIN FALSE FILTER FOR FROM FULL GROUP HAVING
    ILIKE IN INNER INTERSECT INTERVAL IS JOIN LEFT LIKE LIMIT NOT NULL NULLS OFFSET ON OPTIONS OR ORDER OUTER
    OVER PARTITION PER PRIVACY PRIVACY_KEY PRIVACY_LINK PUBLIC QUALIFY QUERY REFERENCES REPLACE RIGHT SELECT
    SET SHOW STEP TABLE THEN TRUE UNION USING VALUES VERSION WHEN WHERE WINDOW WITH
"""
_MORE = ("count", "coalesce", "date_trunc", "date_diff", "regexp_matches", "replace", "trim")
_OF_ANSWERS = ("dp_low", "dp_high", "dp_gap", "dp_p_value", "dp_budget", "dp_ledger", "dp_policies")
_KNOWN = {call.name for call in (CALLS | WINDOWS).values()}

KEYWORDS = tuple(_KEYWORDS.split())
FUNCTIONS = tuple(sorted({*_MORE, *_OF_ANSWERS, *(name for name in _KNOWN if name.isidentifier())}))
