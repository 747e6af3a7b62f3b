"""dpduck over the Postgres wire protocol, for analysts who have no other way to the data.

    bytes -> wire (states: one table) -> messages -> conversation -> running -> queries -> Service, or catalog
    bytes <- link (asyncio) <- replies <- encode, copying <- Arrow batches <- released or public rows

`messages`, `states`, `wire`, `conversation` and `replies` know no socket; `link` and `server` know no SQL.
`proof` is who a client is, `variables` and `options` what it sets, `commands` what it says of the connection
itself, `portals` what it has prepared; `parameters` reads the values that it binds, `pgtypes` and the modules
of encoding write what it gets, `journal` is the log.
"""
