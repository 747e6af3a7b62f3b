"""dpduck over the Postgres wire protocol, for analysts who have no other way to the data.

    bytes -> protocol (one table of states) -> conversation -> running -> queries -> Service, or catalog
    bytes <- link (asyncio) <- replies <- encoding <- Arrow batches <- released or public rows

`protocol`, `encoding` and `conversation` know no socket; `link` and `server` know no SQL. `door` says who may
come in how, `proof` who a client is, `variables` and `options` what it sets, `commands` what it says of the
connection itself, `portals` what it has prepared; `running` is the only place where a query is run; `catalog`
is what anybody may know, as Postgres's own tables; `journal` is the log.
"""
