// Evidence's connector for PostgreSQL: the runner of a page's SQL, which asks for the number of rows first.
const evidence = require('@evidence-dev/postgres')

module.exports = async connection => {
  const options = { ...connection, ssl: false }
  const run = await evidence.getRunner(options)
  const read = async sql => {
    const { rows, columnTypes, expectedRowCount } = await run(sql, 'page.sql', 2)
    const batches = []
    for await (const batch of rows()) batches.push(batch)
    return { rows: batches.flat(), batches: batches.length, types: columnTypes, expected: Number(expectedRowCount) }
  }
  return {
    ask: async sql => (await read(sql)).rows.map(Object.values),
    close: () => undefined,
    looks: {
      connects: () => evidence.testConnection(options),
      schema: () => read(`SELECT column_name, data_type FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = 'visits' ORDER BY ordinal_position`),
      pages: () => read('SELECT page, count(*) AS n FROM visits WHERE member GROUP BY page ORDER BY n DESC'),
      public: () => read('SELECT * FROM pages ORDER BY page')
    }
  }
}
