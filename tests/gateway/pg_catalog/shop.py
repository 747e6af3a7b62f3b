"""A small shop as dpduck's catalog has it; a PostgreSQL with its tables answered the recorded queries."""

from __future__ import annotations

from dpduck.doors.gateway.pg_catalog import Asker
from dpduck.kernel.catalog.model import Catalog, Column, Link, RangeDomain, Table, View

ASKER = Asker("ana", "shop", 7, {"server_version": "15.0", "search_path": '"$user", public'})


def _table(name: str, columns: dict[str, str], *, schema: str = "main", **facts: object) -> Table:
    made = tuple(Column(column, kind) for column, kind in columns.items())
    return Table("shop", schema, name, made, **facts)  # type: ignore[arg-type]


def shop() -> Catalog:
    """Private, public and closed tables, a link, a view, a second schema and a name that needs quotes."""
    customers = Table(
        "shop",
        "main",
        "customers",
        (
            Column("id", "BIGINT"),
            Column("name", "VARCHAR"),
            Column("country", "VARCHAR"),
            Column("age", "INTEGER", RangeDomain(0, 90, 1)),
            Column("vip", "BOOLEAN"),
            Column("born", "DATE"),
            Column("tags", "VARCHAR[]"),
        ),
        unit="id",
        unit_is_unique=True,
        unique_columns=("id",),
        unique_keys=(("id",),),
        primary_key=("id",),
    )
    orders = _table(
        "orders",
        {
            "id": "INTEGER",
            "customer_id": "BIGINT",
            "amount": "DECIMAL(9,2)",
            "at": "TIMESTAMP",
            "note": "JSON",
            "code": "UUID",
        },
        link=Link("customer_id", "main", "customers", "id"),
        unique_columns=("id",),
        unique_keys=(("id",),),
        primary_key=("id",),
    )
    countries = _table(
        "countries",
        {
            "code": "VARCHAR",
            "year": "INTEGER",
            "region": "VARCHAR",
            "weight": "DOUBLE",
            "seen": "TIMESTAMP WITH TIME ZONE",
        },
        public=True,
        unique_columns=("region",),
        unique_keys=(("code", "year"), ("region",)),
        primary_key=("code", "year"),
    )
    odd = _table(
        "Odd name", {"A b": "SMALLINT", "select": "FLOAT", "t": "TIME", "v": "INTERVAL", "b": "BLOB"}
    )
    visits = _table("visits", {"user_id": "BIGINT", "page": "VARCHAR"}, schema="archive", unit="user_id")
    columns = (Column("id", "INTEGER"), Column("amount", "DECIMAL(9,2)"))
    view = View("main", "big_orders", "CREATE VIEW big_orders AS ...", "shop", columns)
    return Catalog((customers, orders, countries, odd, visits), (view,))
