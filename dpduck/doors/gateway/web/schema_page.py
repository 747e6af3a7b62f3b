"""Which tables there are, and what each may be asked: the screen of SHOW PRIVACY FOR."""

from __future__ import annotations

from urllib.parse import urlencode

from dpduck.doors.gateway.web.layout import cells_table, error_box
from dpduck.doors.page.html import Markup, quoted, tag
from dpduck.kernel.catalog.model import Catalog, Table, View, fold, written
from dpduck.kernel.catalog.statements import TableName
from dpduck.kernel.errors import DpduckError
from dpduck.policies.show import ANSWER_COLUMNS, answer_rows, privacy_rows

_MOST_TABLES = 500
_SYNTHETIC = (
    "Synthetic rows of a private summary: made from its released numbers, and about nobody. For numbers with "
    "intervals ask the table that it is about; the summary answers where it can, at no further cost."
)


def schema_parts(catalog: Catalog, schema: str, name: str) -> list[Markup]:
    """The tables, and one of them. Input: its schema and name, '' for none yet."""
    relations: list[Table | View] = [*catalog.tables, *catalog.views]
    chosen = next((one for one in relations if _is(one, schema, name)), None)
    entries = [
        tag("li", _link(one, _status(one, catalog), here=one is chosen)) for one in relations[:_MOST_TABLES]
    ]
    if not relations:
        return [tag("h1", "Schema"), tag("p", "There are no tables.")]
    listed = tag("nav", tag("ul", *entries), aria_label="Tables", class_="tables")
    shown = (
        [tag("p", "Choose a table to see what may be asked of it.")]
        if chosen is None
        else _table(catalog, chosen)
    )
    return [tag("h1", "Schema"), tag("div", listed, tag("div", *shown), class_="beside")]


def _is(one: Table | View, schema: str, name: str) -> bool:
    return fold(one.name) == fold(name) and fold(one.schema) == fold(schema or "main")


def _link(one: Table | View, status: str, *, here: bool) -> Markup:
    address = f"/schema?{urlencode({'schema': one.schema, 'table': one.name})}"
    schema = "" if one.schema == "main" else f"{one.schema}."
    current = {"aria_current": "page"} if here else {}
    return tag("a", quoted(f"{schema}{one.name}"), " ", tag("small", status), href=address, **current)


def _status(one: Table | View, catalog: Catalog) -> str:
    if isinstance(one, View):
        return "view"
    if one in catalog.synthetic:
        return "summary"
    return "public" if one.public else "private" if one.private else "closed"


def _table(catalog: Catalog, chosen: Table | View) -> list[Markup]:
    try:
        answers = answer_rows(catalog, TableName(chosen.name, chosen.schema))
    except DpduckError as error:
        return [tag("h2", quoted(chosen.name)), error_box(error)]
    domains = {row[3]: row[4] for row in privacy_rows(catalog) if row[0] == chosen.name and row[3]}
    columns = [
        (written(column.name), column.type, domains.get(column.name) or "") for column in chosen.columns
    ]
    made = [tag("p", _SYNTHETIC)] if chosen in catalog.synthetic else []
    return [
        tag("h2", quoted(chosen.name)),
        *made,
        cells_table("What may be asked", ANSWER_COLUMNS, answers),
        cells_table("Columns", ("column", "type", "public domain"), columns),
    ]
