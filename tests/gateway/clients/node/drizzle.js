// drizzle-orm, on node's pg.
const { avg, count, desc, eq, gte, sql, sum } = require('drizzle-orm')
const { drizzle } = require('drizzle-orm/node-postgres')
const { bigint, doublePrecision, integer, numeric, pgTable, text } = require('drizzle-orm/pg-core')
const { Pool } = require('pg')

const visits = pgTable('visits', {
  visitor: bigint({ mode: 'number' }).notNull(),
  page: text(),
  age: integer(),
  amount: numeric({ precision: 9, scale: 2 })
})
const pages = pgTable('pages', { page: text().primaryKey(), title: text().notNull(), weight: doublePrecision() })

module.exports = async connection => {
  const pool = new Pool(connection)
  const db = drizzle(pool)
  const n = count().as('n')
  return {
    ask: async text => (await db.execute(sql.raw(text))).rows.map(Object.values),
    close: () => pool.end(),
    looks: {
      count: () => db.$count(visits, eq(visits.page, 'home')),
      sum: () => db.select({ sum: sum(visits.amount), mean: avg(visits.age) }).from(visits),
      groups: () => db.select({ page: visits.page, n }).from(visits).groupBy(visits.page).orderBy(desc(n)).limit(3),
      filtered: () => db.select({ n }).from(visits).where(gte(visits.age, 48)),
      public: () => db.select().from(pages).orderBy(pages.page),
      prepared: () => db.select().from(pages).where(eq(pages.page, sql.placeholder('page'))).prepare('one')
        .execute({ page: 'shop' }),
      transaction: () => db.transaction(inside => inside.$count(pages)),
      rows: () => db.select().from(visits).limit(2)
    }
  }
}
