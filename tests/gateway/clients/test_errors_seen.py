"""The error of an answer as clients see it: the first notice, and the columns of SET dp_intervals."""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
import sys
from typing import Any

import pytest

from tests.gateway.clients.contract import Served
from tests.gateway.clients.shop import PASSWORD

QUERY = "SELECT page, count(*) AS n FROM visits GROUP BY page"
ERROR = re.compile(r"n ± [0-9,]+( or higher)? \(95 %\)")
ENDS = ["page", "n", "n_low", "n_high"]
LOG = "sqlalchemy.dialects.postgresql"
COLUMNS = "-c dp_intervals=columns"


def said(notices: list[str]) -> bool:
    """Whether the first notice is the error, as a client has it."""
    text = re.sub(r"^NOTICE:\s+", "", notices[0]).strip()
    return ERROR.fullmatch(text) is not None


@pytest.mark.skipif(shutil.which("psql") is None, reason="psql is not installed")
def test_psql(served: Served) -> None:
    def psql(options: str) -> subprocess.CompletedProcess[str]:
        where = f"host=127.0.0.1 port={served.port} user=psql dbname=shop options='{options}'"
        command = ["psql", "-X", "-c", QUERY, where]
        return subprocess.run(command, capture_output=True, text=True, timeout=30)

    assert said(psql("").stderr.splitlines())
    lines = psql(COLUMNS).stdout.splitlines()
    assert [name.strip() for name in lines[0].split("|")] == ENDS


def test_psycopg(served: Served) -> None:
    psycopg = pytest.importorskip("psycopg")
    notices: list[str] = []
    address = f"host=127.0.0.1 port={served.port} user=psycopg dbname=shop"
    with psycopg.connect(address, password=PASSWORD, options=COLUMNS, autocommit=True) as session:
        session.add_notice_handler(lambda notice: notices.append(notice.message_primary))
        found = session.execute(QUERY)
        assert [column.name for column in found.description] == ENDS
        assert all(low <= n for _, n, low, _ in found.fetchall())
        assert [column.name for column in session.execute(QUERY, prepare=True).description] == ENDS
    assert said(notices)


def test_pandas(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """Its frames have the ends; SQLAlchemy passes notices on to its log."""
    caplog.set_level(logging.INFO, LOG)
    sa, pandas = pytest.importorskip("sqlalchemy"), pytest.importorskip("pandas")
    engine = engine_of(sa, served, COLUMNS)
    with engine.connect() as session:
        frame = pandas.read_sql(QUERY, session)
    assert said([record.message for record in caplog.records if record.name == LOG])
    assert list(frame.columns) == ENDS
    assert str(frame["n_low"].dtype) == "float64"
    engine.dispose()


def engine_of(sa: Any, served: Served, options: str) -> Any:
    pytest.importorskip("psycopg2")
    url = sa.URL.create("postgresql+psycopg2", "sqlalchemy", PASSWORD, "127.0.0.1", served.port, "shop")
    return sa.create_engine(url, connect_args={"options": options})


# Ibis 12 asks pandas 3 for an option that is no longer needed.
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")
def test_ibis(served: Served) -> None:
    ibis = pytest.importorskip("ibis")
    where = {"host": "127.0.0.1", "port": served.port, "user": "ibis", "password": PASSWORD}
    shop = ibis.postgres.connect(**where, database="shop", options=COLUMNS)
    notices: list[str] = []
    shop.con.add_notice_handler(lambda notice: notices.append(notice.message_primary))
    visits = shop.table("visits")
    expression = visits.group_by("page").agg(n=visits.count())
    with shop.raw_sql(ibis.to_sql(expression, dialect="postgres")) as cursor:
        assert [column.name for column in cursor.description] == ENDS
    assert said(notices)
    shop.disconnect()


def test_jupysql(served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Its frames have the ends; the notice is in the log. It looks for Spark, of which it needs nothing."""
    caplog.set_level(logging.INFO, LOG)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.sql.connect.dataframe", None)
    pytest.importorskip("sql", reason="jupysql is not installed")
    sa, shell = pytest.importorskip("sqlalchemy"), pytest.importorskip("IPython.core.interactiveshell")
    engine = engine_of(sa, served, COLUMNS)
    kernel = shell.InteractiveShell.instance()
    try:
        kernel.run_line_magic("load_ext", "sql")
        kernel.push({"engine": engine})
        kernel.run_line_magic("sql", "engine")
        found = kernel.run_line_magic("sql", QUERY)
        assert list(found.DataFrame().columns) == ENDS
        assert said([record.message for record in caplog.records if record.name == LOG])
    finally:
        engine.dispose()
        shell.InteractiveShell.clear_instance()
