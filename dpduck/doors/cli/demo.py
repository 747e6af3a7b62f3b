"""`dpduck demo`: a small shop, private answers beside the truth, and what they cost."""

from __future__ import annotations

import tempfile
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from dpduck.doors.connection import Connection, connect
from dpduck.doors.console.reports import aligned, budget_lines, ledger_lines
from dpduck.doors.console.tables import error_text
from dpduck.doors.console.writer import Writer
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.system.sql_files import read_sql

WIDTH = 79


@dataclass(frozen=True)
class DemoQuestion:
    """A private query, and plain SQL for the true answer, which only the data owner may run."""

    title: str
    sql: str
    truth: str


TOP = DemoQuestion(
    "What sells best? Counts are of people, not of rows.",
    "SELECT item, count(*) AS n FROM purchases\nGROUP BY item ORDER BY n DESC LIMIT 5",
    "SELECT item, count(DISTINCT customer) FROM purchases GROUP BY item",
)
MODE = DemoQuestion(
    "What do people under 25 buy most?",
    "SELECT mode(item) FROM purchases WHERE age < 25",
    "SELECT mode(item) FROM (SELECT DISTINCT customer, item FROM purchases WHERE age < 25)",
)
MEDIAN = DemoQuestion(
    "How old are they?",
    "SELECT median(age) FROM purchases",
    "SELECT median(age) FROM (SELECT DISTINCT customer, age FROM purchases)",
)
SHARPER = "SELECT count(*) FROM purchases WHERE item = 'capers'"


def show_demo(writer: Writer) -> None:
    """Run the demonstration in a temporary directory."""
    with (
        tempfile.TemporaryDirectory(prefix="dpduck-") as folder,
        duckdb.connect(str(Path(folder, "shop.duckdb"))) as shop,
    ):
        shop.execute("SET enable_progress_bar = false")  # it would be among the answers on a slow machine
        shop.execute(read_sql("demo.sql"))
        _show_title(writer, shop)
        with connect(shop, epsilon="0.5", budget="2", session="demo") as db:
            _set_policies(writer, db, shop)
            _ask_top(writer, db, shop)
            _ask_one(writer, db, shop, 2, MODE)
            _ask_one(writer, db, shop, 3, MEDIAN)
            _show_ledger(writer, db)
            _ask_too_much(writer, db)
    _show_end(writer)


def _show_title(writer: Writer, shop: duckdb.DuckDBPyConnection) -> None:
    people, visits, rows = _row(
        shop, "SELECT count(DISTINCT customer), count(DISTINCT (customer, visit)), count(*) FROM purchases"
    )
    writer.show(
        f"{writer.bold('A shop.')} {people:,} customers, {visits:,} visits, {rows:,} rows"
        " in shop.duckdb.\nIts owner says once what is private, and what everybody knows anyway:\n\n"
    )


def _set_policies(writer: Writer, db: Connection, shop: duckdb.DuckDBPyConnection) -> None:
    items = shop.execute("SELECT DISTINCT item FROM purchases ORDER BY item").fetchall()
    listed = [f"'{item}'" for (item,) in items]
    for statement, shown in (
        ("ALTER TABLE purchases ADD PRIVACY_KEY (customer)", None),
        (
            f"ALTER TABLE purchases ALTER COLUMN item SET PRIVACY DOMAIN IN ({', '.join(listed)})",
            "ALTER TABLE purchases ALTER COLUMN item SET PRIVACY DOMAIN\n"
            f"IN ({', '.join(listed[:5])}, ... {len(listed) - 5} more)",
        ),
        ("ALTER TABLE purchases ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (18, 90)", None),
    ):
        _show_sql(writer, shown or statement)
        db.execute(statement)
    _say(writer, "From here on, answers are private: epsilon 0.5 for each query, 2 in all.")


def _ask_top(writer: Writer, db: Connection, shop: duckdb.DuckDBPyConnection) -> None:
    _show_question(writer, 1, TOP)
    width = round(db.explain(TOP.sql).expected_error["n"])
    answers = db.execute(TOP.sql).fetchall()
    truth = dict(shop.execute(TOP.truth).fetchall())
    held = sum(abs(n - truth[item]) <= width for item, n in answers)
    rows = [(item, f"{n:,} ± {width}", f"{truth[item]:,}") for item, n in answers]
    _show_rows(writer, [("item", "private answer", "the truth"), *rows], right={1, 2})
    _say(writer, f"± {width} holds with probability 95 %; here for {held} of {len(answers)}.")


def _ask_one(
    writer: Writer, db: Connection, shop: duckdb.DuckDBPyConnection, number: int, question: DemoQuestion
) -> None:
    _show_question(writer, number, question)
    promise = db.explain(question.sql).promises[0]
    (answer,) = db.execute(question.sql).fetchall()[0]
    (truth,) = _row(shop, question.truth)
    _show_rows(writer, [("private answer", "the truth"), (f"{answer}", f"{truth}")])
    _say(writer, _wrapped(f"Promised: {promise}."))


def _show_ledger(writer: Writer, db: Connection) -> None:
    _say(writer, f"{writer.bold('The ledger.')} Each query was charged before a row was read.")
    charges = ledger_lines(db.ledger().drop_columns(["at", "session"]), WIDTH - 2)
    writer.show(textwrap.indent(f"{charges}\n{budget_lines(db.budget(), WIDTH - 2)}", "  "))


def _ask_too_much(writer: Writer, db: Connection) -> None:
    _say(writer, f"{writer.bold('4. The limit.')} A question that costs more than is left:")
    _show_sql(writer, "SET dp_epsilon = 1")
    db.execute("SET dp_epsilon = 1")
    _show_sql(writer, SHARPER)
    try:
        db.execute(SHARPER)
    except DpduckError as refusal:
        writer.show(textwrap.indent(f"\n{_wrapped(error_text(refusal))}", "  ") + "\n")


def _show_end(writer: Writer) -> None:
    _say(writer, f"{writer.bold('Yours next.')} A Parquet or CSV file will do:")
    _show_sql(writer, 'dpduck query FILE "SELECT count(*) FROM TABLE" --unit COLUMN --epsilon 1', "$")


def _show_question(writer: Writer, number: int, question: DemoQuestion) -> None:
    _say(writer, writer.bold(f"{number}. {question.title}"))
    _show_sql(writer, question.sql)
    writer.show("\n")


def _show_sql(writer: Writer, sql: str, prompt: str = ">") -> None:
    lines = f"{sql}{';' if prompt == '>' else ''}".replace("\n", "\n    ")
    writer.show(f"  {writer.dim(prompt)} {lines}\n")


def _show_rows(writer: Writer, rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> None:
    writer.show(textwrap.indent(aligned(rows, right), "    "))


def _say(writer: Writer, text: str) -> None:
    writer.show(f"\n{text}\n")


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.fill(line, WIDTH - 2) for line in text.splitlines())


def _row(shop: duckdb.DuckDBPyConnection, sql: str) -> tuple[object, ...]:
    return shop.execute(sql).fetchall()[0]
