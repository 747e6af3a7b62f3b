"""dpduck over the Postgres wire protocol, for analysts who have no other way to the data.

    bytes -> protocol (one table of states) -> conversation -> execution -> router -> Service, or pg_catalog
    bytes <- transport (asyncio) <- replies <- encoding <- Arrow batches <- released or public rows

`protocol`, `encoding` and `conversation` know no socket; `transport` and `server` know no SQL. `limits` says
who may come in how, `scram` who a client is, `variables` and `options` what it sets, `commands` what it says
of the connection itself, `portals` what it has prepared; `execution` is the only place where a query is run;
`pg_catalog` is what anybody may know, as Postgres's own tables; `telemetry` is the log."""
