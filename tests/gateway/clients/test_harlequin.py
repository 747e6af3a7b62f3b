"""Harlequin, an editor in the terminal: its tree and its search, its menus, and its two modes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import pytest

from tests.gateway.clients.contract import HIDDEN, Answer, Refusal, Served, check_contract, check_hidden
from tests.gateway.clients.shop import PASSWORD

pytest.importorskip("harlequin_postgres")

from harlequin.exception import HarlequinQueryError
from harlequin_postgres import HarlequinPostgresAdapter
from harlequin_postgres.adapter import HarlequinPostgresConnection

OPTIONS = "options=-c%20dp_replay%3Doff"


def connect(served: Served, user: str = "harlequin", **more: Any) -> HarlequinPostgresConnection:
    url = f"postgresql://{user}@127.0.0.1:{served.port}/shop?{OPTIONS}"
    return HarlequinPostgresAdapter([url], password=PASSWORD, **more).connect()


@pytest.fixture
def editor(served: Served) -> Iterator[HarlequinPostgresConnection]:
    with closing(connect(served)) as editor:
        yield editor


def test_contract(served: Served) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        with closing(connect(served, user)) as editor:
            return [_answer(editor, question) for question in questions]

    check_contract(served, "harlequin", ask, hides=("sqlstate",))


def _answer(editor: HarlequinPostgresConnection, question: str) -> Answer:
    try:
        cursor = editor.execute(question)
    except HarlequinQueryError as error:
        return Refusal.of_text(f"ERROR: {error.msg}")
    assert cursor is not None
    return list(cursor.fetchall())


def test_what_there_is(served: Served, editor: HarlequinPostgresConnection) -> None:
    before = served.count("harlequin")
    (shop,) = editor.get_catalog().items
    schemas = {schema.label: schema for schema in shop.fetch_children()}
    assert list(schemas) == ["archive", "public"]
    tables = {table.label: table for table in schemas["public"].fetch_children()}
    assert list(tables) == ["kinds", "pages", "visits"]
    columns = [(column.label, column.type_name) for column in tables["visits"].fetch_children()]
    assert columns[:2] == [("visitor", "bigint"), ("page", "text")]
    found = [(result.item.label, result.parents) for result in editor.search_catalog("pag")]
    assert found == [
        ("pages", ("shop", "public")),
        ("page", ("shop", "public", "pages")),
        ("page", ("shop", "public", "visits")),
    ]
    assert {one.label for one in editor.get_completions()} >= {"select", "search_path"}
    assert served.count("harlequin") == before


class _Driver:
    """What a menu does: queries that it puts into the editor are run, what it would destroy is not."""

    def __init__(self, editor: HarlequinPostgresConnection) -> None:
        self._editor = editor
        self.rows: list[Any] = []

    def insert_text_in_new_buffer(self, text: str) -> None:
        cursor = self._editor.execute(text)
        assert cursor is not None
        self.rows = list(cursor.fetchall())

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments, **named: None


def test_menus(served: Served, editor: HarlequinPostgresConnection) -> None:
    """Each entry of the menus of a database, a schema and a private table."""
    before = served.count("harlequin")
    (shop,) = editor.get_catalog().items
    public = next(schema for schema in shop.fetch_children() if schema.label == "public")
    visits = next(table for table in public.fetch_children() if table.label == "visits")
    shown = {}
    for item in (shop, public, visits):
        for name, act in item.INTERACTIONS:
            driver = _Driver(editor)
            if name == "Preview Data":
                with pytest.raises(HarlequinQueryError, match="private rows cannot be listed"):
                    act(item, driver)
            else:
                act(item, driver)
            shown[item.label, name] = driver.rows
    listed = [row[1] for row in shown["public", r"List Relations (\d+)"]]
    assert listed == ["kinds", "pages", "visits"]
    described = [row[:2] for row in shown["visits", r"Describe Relation (\d+)"]]
    assert described[0] == ("visitor", "bigint")
    assert len(described) == 6
    assert served.count("harlequin") == before


def test_modes(served: Served, editor: HarlequinPostgresConnection) -> None:
    """Within a transaction of its manual mode, and for readers only."""
    editor.toggle_transaction_mode()
    check_hidden(_answer(editor, HIDDEN), hides=("sqlstate",))
    assert _answer(editor, "SELECT count(*) FROM pages") == [(3,)]
    editor.commit()
    editor.toggle_transaction_mode()
    with closing(connect(served, read_only=True)) as reader:
        assert _answer(reader, "SELECT count(*) FROM pages") == [(3,)]
