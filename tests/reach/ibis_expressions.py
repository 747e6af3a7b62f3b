"""Expressions of Ibis over the tables of tests/everyday/shop, and the SQL that it compiles them to.

    python -m tests.reach.ibis_expressions

writes that SQL to tests/reach/ibis/duckdb.sql and postgres.sql. It needs Ibis, but no database and no server.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import ibis
from ibis import _
from ibis import selectors as s
from ibis.expr.types import Table, Value

FOLDER = Path(__file__).parent / "ibis"
DIALECTS = ("duckdb", "postgres")

customers = ibis.table(
    {
        "id": "int32",
        "first_name": "string",
        "last_name": "string",
        "email": "string",
        "city": "string",
        "segment": "string",
        "registered_on": "date",
        "birth_date": "date",
        "newsletter": "boolean",
    },
    name="customers",
)
orders = ibis.table(
    {
        "id": "int32",
        "customer_id": "int32",
        "ordered_at": "timestamp",
        "status": "string",
        "payment_method": "string",
        "shipping": "decimal(6, 2)",
        "coupon": "string",
        "shipped_on": "date",
    },
    name="orders",
)
items = ibis.table(
    {
        "order_id": "int32",
        "line_no": "int32",
        "product_id": "int32",
        "quantity": "int32",
        "unit_price": "decimal(8, 2)",
        "discount": "float64",
    },
    name="order_items",
)
products = ibis.table(
    {
        "product_id": "int32",
        "name": "string",
        "category": "string",
        "list_price": "decimal(8, 2)",
        "weight_kg": "float64",
    },
    name="products",
)

Made = Callable[[], Table | Value]
EXPRESSIONS: list[tuple[str, Made]] = []


def expression(title: str) -> Callable[[Made], Made]:
    """Number an expression, and give it a title."""

    def keep(made: Made) -> Made:
        EXPRESSIONS.append((title, made))
        return made

    return keep


def sales() -> Table:
    """Items with their order, customer and product."""
    return (
        items.join(orders, items.order_id == orders.id)
        .join(customers, orders.customer_id == customers.id)
        .join(products, items.product_id == products.product_id)
    )


# --- groups and aggregates -------------------------------------------------------------------------


@expression("Customers by city and segment")
def _1() -> Table:
    return customers.group_by(["city", "segment"]).agg(n=_.count())


@expression("Number of rows of a table")
def _2() -> Value:
    return orders.count()


@expression("Counts of values")
def _3() -> Table:
    return orders.status.value_counts()


@expression("Counts of values, the largest first")
def _4() -> Table:
    return orders.payment_method.value_counts(name="n").order_by(ibis.desc("n")).limit(5)


@expression("The top three products by number of items")
def _5() -> Table:
    return items.product_id.topk(3)


@expression("Top products by revenue")
def _6() -> Table:
    return (
        items.mutate(revenue=_.quantity * _.unit_price)
        .group_by("product_id")
        .agg(revenue=_.revenue.sum(), n=_.count())
        .order_by(_.revenue.desc())
        .limit(10)
    )


@expression("Distinct customers who ordered, by status")
def _7() -> Table:
    return orders.group_by("status").agg(buyers=_.customer_id.nunique(), orders=_.count())


@expression("Median and quartiles of the shipping fee")
def _8() -> Table:
    return orders.group_by("payment_method").agg(
        low=_.shipping.quantile(0.25), mid=_.shipping.median(), high=_.shipping.quantile(0.75)
    )


@expression("Mean, deviation and variance of the price")
def _9() -> Table:
    return items.agg(mean=_.unit_price.mean(), sd=_.unit_price.std(), var=_.unit_price.var(how="pop"))


@expression("Groups with more than a hundred orders")
def _10() -> Table:
    return orders.group_by("status").having(_.count() > 100).agg(n=_.count(), fee=_.shipping.mean())


@expression("Aggregates with conditions")
def _11() -> Table:
    return orders.agg(
        paid=_.count(where=_.status == "completed"),
        fee=_.shipping.sum(where=_.payment_method == "card"),
        share=(_.status == "cancelled").mean(),
    )


@expression("The same aggregate of several columns")
def _12() -> Table:
    return items.agg(s.across(["quantity", "discount"], {"mean": _.mean(), "sum": _.sum()}))


# --- columns that are computed -----------------------------------------------------------------------


@expression("Customers by decade of birth")
def _13() -> Table:
    return (
        customers.mutate(decade=_.birth_date.year() // 10 * 10)
        .group_by("decade")
        .agg(n=_.count())
        .order_by("decade")
    )


@expression("Cases of quantity")
def _14() -> Table:
    size = ibis.cases((items.quantity >= 4, "large"), (items.quantity >= 2, "middle"), else_="small")
    return items.mutate(size=size).group_by("size").agg(n=_.count(), price=_.unit_price.mean())


@expression("A column of one case, summed")
def _15() -> Table:
    return orders.group_by("payment_method").agg(
        returned=(orders.status == "returned").ifelse(1, 0).sum(), total=_.count()
    )


@expression("Prices in buckets")
def _16() -> Table:
    return items.mutate(band=_.unit_price.bucket([0, 50, 100, 250])).group_by("band").agg(n=_.count())


@expression("Prices in a histogram of ten bins")
def _17() -> Table:
    bins = items.unit_price.histogram(binwidth=25, base=0)
    return items.mutate(bin=bins).group_by("bin").agg(n=_.count()).order_by("bin")


@expression("Missing coupons filled")
def _18() -> Table:
    return orders.mutate(coupon=_.coupon.fill_null("none")).group_by("coupon").agg(n=_.count())


@expression("Domains of e-mail addresses")
def _19() -> Table:
    return (
        customers.mutate(host=_.email.split("@")[1].lower())
        .filter(_.host.isin(["gmail.com", "yahoo.com", "corp.example"]))
        .group_by("host")
        .agg(n=_.count())
    )


@expression("Initials of cities, and texts that begin alike")
def _20() -> Table:
    return (
        customers.filter(_.city.startswith("M") | _.city.contains("er"))
        .mutate(initial=_.city.upper().substr(0, 1))
        .group_by("initial")
        .agg(n=_.count(), length=_.city.length().mean())
    )


# --- conditions ----------------------------------------------------------------------------------------


@expression("Values between, and in a list")
def _21() -> Table:
    return (
        items.filter(_.quantity.between(2, 4), _.discount.isin([0.05, 0.1]))
        .group_by("quantity")
        .agg(n=_.count())
    )


@expression("Orders of a period")
def _22() -> Table:
    return (
        orders.filter((_.ordered_at >= "2025-01-01") & (_.ordered_at < ibis.timestamp("2025-04-01 00:00:00")))
        .filter(_.status.notin(["cancelled", "returned"]))
        .agg(n=_.count(), fee=_.shipping.mean())
    )


@expression("Rows without missing values")
def _23() -> Table:
    return orders.drop_null(["shipped_on"]).group_by("status").agg(n=_.count())


# --- time --------------------------------------------------------------------------------------------------


@expression("Orders by month")
def _24() -> Table:
    return orders.group_by(month=_.ordered_at.truncate("M")).agg(n=_.count()).order_by("month")


@expression("Orders by day of week and hour")
def _25() -> Table:
    when = _.ordered_at
    return orders.group_by(weekday=when.day_of_week.index(), hour=when.hour()).agg(n=_.count())


@expression("Orders by name of the weekday")
def _26() -> Table:
    return orders.group_by(weekday=_.ordered_at.day_of_week.full_name()).agg(n=_.count())


@expression("Days between registration and order")
def _27() -> Table:
    joined = orders.join(customers, orders.customer_id == customers.id)
    days = joined.ordered_at.date().delta(joined.registered_on, unit="day")
    return joined.mutate(weeks=(days // 7).clip(0, 52)).group_by("weeks").agg(n=_.count())


# --- joins -------------------------------------------------------------------------------------------------


@expression("Revenue by city and category, over three joins")
def _28() -> Table:
    return (
        sales()
        .group_by(["city", "category"])
        .agg(revenue=(_.quantity * _.unit_price * (1 - _.discount)).sum())
        .order_by(["city", _.revenue.desc()])
    )


@expression("Customers with an order that was returned")
def _29() -> Table:
    returned = orders.filter(_.status == "returned")
    those = customers.semi_join(returned, customers.id == returned.customer_id)
    return those.group_by("city").agg(n=_.count())


@expression("Customers without an order")
def _30() -> Table:
    others = customers.anti_join(orders, customers.id == orders.customer_id)
    return others.group_by("segment").agg(n=_.count())


@expression("Customers in a list of those of another table")
def _31() -> Table:
    buyers = orders.filter(_.payment_method == "paypal").customer_id
    return customers.filter(_.id.isin(buyers)).group_by("segment").agg(n=_.count())


@expression("Orders of each customer, and how many customers have so many")
def _32() -> Table:
    of_each = orders.group_by("customer_id").agg(n=_.count())
    return of_each.mutate(n=_.n.clip(upper=12)).group_by("n").agg(customers=_.count()).order_by("n")


@expression("Spending of each customer, by city, with a left join")
def _33() -> Table:
    spent = orders.group_by("customer_id").agg(fees=_.shipping.sum())
    return (
        customers.left_join(spent, customers.id == spent.customer_id)
        .mutate(fees=_.fees.fill_null(0).clip(0, 100))
        .group_by("city")
        .agg(fees=_.fees.mean(), n=_.count())
    )


# --- windows -----------------------------------------------------------------------------------------------


@expression("First order of each customer, by payment method")
def _34() -> Table:
    first = ibis.row_number().over(group_by=orders.customer_id, order_by=orders.ordered_at)
    return orders.mutate(turn=first).filter(_.turn == 0).group_by("payment_method").agg(n=_.count())


@expression("Share of each group of all")
def _35() -> Table:
    return orders.group_by("status").agg(n=_.count()).mutate(share=_.n / _.n.sum())


@expression("Mean of the last three months of orders")
def _36() -> Table:
    months = orders.group_by(month=_.ordered_at.truncate("M")).agg(n=_.count())
    window = ibis.window(preceding=2, following=0, order_by=months.month)
    return months.mutate(rolling=_.n.mean().over(window), before=_.n.lag().over(order_by=_.month))


@expression("The best two cities of each segment")
def _37() -> Table:
    counted = customers.group_by(["segment", "city"]).agg(n=_.count())
    ranked = counted.mutate(place=ibis.row_number().over(group_by="segment", order_by=ibis.desc("n")))
    return ranked.filter(_.place < 2).drop("place")


# --- shapes ------------------------------------------------------------------------------------------------


@expression("A cross table of statuses and payment methods")
def _38() -> Table:
    counted = orders.group_by(["status", "payment_method"]).agg(n=_.count())
    return counted.pivot_wider(
        names_from="payment_method", values_from="n", names=["card", "paypal", "transfer"], values_fill=0
    )


@expression("Two answers put together")
def _39() -> Table:
    by_city = customers.group_by(value=_.city).agg(n=_.count()).mutate(column=ibis.literal("city"))
    by_segment = customers.group_by(value=_.segment).agg(n=_.count()).mutate(column=ibis.literal("segment"))
    return by_city.union(by_segment)


@expression("Distinct pairs of columns")
def _40() -> Table:
    return customers[["city", "segment"]].distinct().order_by(["city", "segment"]).limit(20)


# --- the SQL -----------------------------------------------------------------------------------------------


def compiled(dialect: str) -> str:
    """All of it in one dialect, in the form of queries.sql."""
    texts = []
    for number, (title, made) in enumerate(EXPRESSIONS, start=1):
        texts.append(f"-- {number}: {title}\n{ibis.to_sql(made(), dialect=dialect)};\n")
    return "".join(texts)


if __name__ == "__main__":
    for dialect in DIALECTS:
        (FOLDER / f"{dialect}.sql").write_bytes(compiled(dialect).encode())
