// TypeORM: its QueryRunner looks at the schema, repositories and the query builder ask.
require('reflect-metadata')
const { DataSource, EntitySchema } = require('typeorm')

const Visit = new EntitySchema({
  name: 'Visit',
  tableName: 'visits',
  columns: {
    visitor: { type: 'bigint', primary: true },
    page: { type: 'text' },
    age: { type: 'int' },
    amount: { type: 'numeric', precision: 9, scale: 2 }
  }
})
const Page = new EntitySchema({
  name: 'Page',
  tableName: 'pages',
  columns: {
    page: { type: 'text', primary: true },
    title: { type: 'text' },
    weight: { type: 'float8', nullable: true }
  }
})

module.exports = async connection => {
  const { user: username, options, ...where } = connection
  const source = new DataSource({
    type: 'postgres', ...where, username, entities: [Visit, Page], installExtensions: false, extra: { options }
  })
  await source.initialize()
  const runner = source.createQueryRunner()
  const visits = source.getRepository('Visit')
  const pages = source.getRepository('Page')
  const described = async name => (await runner.getTable(name)).columns.map(
    ({ name, type, isPrimary, isNullable, comment, precision, scale, isArray }) =>
      ({ name, type, isPrimary, isNullable, comment, precision, scale, isArray })
  )
  return {
    ask: async sql => (await source.query(sql)).map(Object.values),
    close: () => source.destroy(),
    looks: {
      visits: () => described('visits'),
      pages: () => described('pages'),
      kinds: () => described('kinds'),
      tables: async () => (await runner.getTables(['visits', 'pages', 'archive.numbers'])).map(one => one.name),
      exists: () => runner.hasTable('visits'),
      where: async () => [await runner.getCurrentDatabase(), await runner.getCurrentSchema()],
      count: () => visits.countBy({ page: 'home' }),
      sum: () => visits.sum('amount'),
      mean: () => visits.average('age'),
      groups: () => visits.createQueryBuilder('v').select('v.page', 'page').addSelect('COUNT(*)', 'n')
        .groupBy('v.page').orderBy('n', 'DESC').limit(3).getRawMany(),
      filtered: () => visits.createQueryBuilder('v').where('v.age >= :age', { age: 48 }).getCount(),
      public: () => pages.find({ order: { page: 'ASC' } }),
      paged: () => pages.findAndCount({ order: { page: 'ASC' }, take: 2, skip: 1 }),
      one: () => pages.findOneBy({ page: 'shop' }),
      transaction: () => source.transaction(manager => manager.getRepository('Page').count()),
      rows: () => visits.find({ take: 2 })
    }
  }
}
