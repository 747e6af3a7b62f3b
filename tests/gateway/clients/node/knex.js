// knex: the query builder, and what it says of columns.
const knex = require('knex')

// knex writes the query in front of an error.
async function plain (asked) {
  try {
    return await asked
  } catch (error) {
    error.message = error.message.slice(error.message.lastIndexOf(' - ') + 3)
    throw error
  }
}

module.exports = async connection => {
  const query = knex({ client: 'pg', connection })
  return {
    ask: async sql => (await plain(query.raw(sql))).rows.map(Object.values),
    close: () => query.destroy(),
    looks: {
      columns: () => query('visits').columnInfo(),
      exists: async () => [await query.schema.hasTable('visits'), await query.schema.hasColumn('visits', 'page')],
      archived: () => query.schema.withSchema('archive').hasTable('numbers'),
      count: () => query('visits').where('page', 'home').count('* as n').first(),
      filtered: () => query('visits').whereIn('page', ['home', 'jobs']).countDistinct('visitor as n'),
      groups: () => query('visits').select('page').avg('age as mean').groupBy('page').orderBy('page'),
      public: () => query('pages').where('weight', '>', 1).select('title', 'weight'),
      transaction: () => query.transaction(async inside => (await inside('pages').count('* as n'))[0].n),
      rows: () => plain(query('visits').select('*').limit(2)),
      insert: () => plain(query('pages').insert({ page: 'x', title: 'y' }))
    }
  }
}
