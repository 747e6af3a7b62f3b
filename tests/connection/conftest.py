"""A shop of which each visitor has three visits, as a file and as a connection of its owner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck

SHOP = """
CREATE TABLE visits AS SELECT i % 1000 AS uid, ['home', 'cart', 'help'][1 + i % 3] AS page,
    (i % 90)::INTEGER AS age, DATE '2024-01-01' + (i % 20)::INTEGER AS day FROM range(3000) AS r(i)
"""
POLICIES = """
ALTER TABLE visits ADD PRIVACY_KEY (uid);
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'cart', 'help');
ALTER TABLE visits ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120);
ALTER TABLE visits ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-01-20')
"""
HISTOGRAM = "SELECT page, count(*) AS n FROM visits GROUP BY page"


def make_shop(path: Path) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute(SHOP)
    with dpduck.connect(path) as db:
        db.execute(POLICIES)


@pytest.fixture
def file(copied: Callable[..., Path]) -> Path:
    return copied(make_shop)


@pytest.fixture
def db(file: Path) -> Iterator[dpduck.Connection]:
    with dpduck.connect(file, epsilon="0.5") as connection:
        yield connection
