// Cube's driver for PostgreSQL: what Cube calls to look at a database, and to run the SQL of its queries.
const { PostgresDriver } = require('@cubejs-backend/postgres-driver')

// As Cube writes a query of a measure by week, with the ends of a date range as parameters.
const BY_WEEK = `SELECT
      date_trunc('week', ("visits".day::timestamptz AT TIME ZONE 'UTC')) "visits__day_week", count(*) "visits__count"
    FROM
      public.visits AS "visits"
  WHERE ("visits".day >= $1::timestamptz AND "visits".day <= $2::timestamptz) GROUP BY 1 ORDER BY 1 ASC LIMIT 10000`
const BY_PAGE = `SELECT
      "visits".page "visits__page", count(*) "visits__count"
    FROM
      public.visits AS "visits"  GROUP BY 1 ORDER BY 2 DESC LIMIT 10000`
const WEEKS = ['2024-01-01T00:00:00.000Z', '2024-01-30T23:59:59.999Z']

module.exports = async connection => {
  const driver = new PostgresDriver({ ...connection, ssl: false })
  const streamed = async () => {
    const { rowStream, types, release } = await driver.downloadQueryResults(
      BY_PAGE, [], { streamImport: true, highWaterMark: 2 }
    )
    const rows = []
    for await (const row of rowStream) rows.push(row)
    await release()
    return { types, rows }
  }
  return {
    ask: async sql => (await driver.query(sql, [])).map(Object.values),
    close: () => driver.release(),
    looks: {
      connects: async () => { await driver.testConnection(); return true },
      schema: () => driver.tablesSchemaV2(),
      schemas: () => driver.getSchemas(),
      tables: () => driver.getTablesForSpecificSchemas([{ schema_name: 'public' }, { schema_name: 'archive' }]),
      columns: () => driver.getColumnsForSpecificTables([{ schema_name: 'public', table_name: 'pages' }]),
      types: () => driver.tableColumnTypes('public.visits'),
      weeks: () => driver.query(BY_WEEK, WEEKS),
      streamed
    }
  }
}
