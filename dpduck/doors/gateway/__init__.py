"""dpduck over the Postgres wire protocol, for analysts without access to the data file.

    bytes -> protocol (one table of states) -> conversation -> execution -> router -> Service, or pg_catalog
    bytes <- transport (asyncio) <- replies <- encoding <- Arrow batches <- released or public rows

`protocol`, `encoding` and `conversation` use no socket; `transport` and `server` know no SQL. `limits` holds
access rules and capacities, `scram` authenticates, `variables` and `options` are a client's settings,
`commands` its statements about the connection, `portals` its prepared statements; `execution` is the only
place where a query is run; `pg_catalog` shows public facts as Postgres's tables; `telemetry` is the log."""
