// Sequelize: its QueryInterface looks at the schema, its models ask.
const { DataTypes, Op, Sequelize } = require('sequelize')

module.exports = async connection => {
  const { host, port, user, password, database, options } = connection
  const sequelize = new Sequelize(database, user, password, {
    host, port, dialect: 'postgres', logging: false, dialectOptions: { options }
  })
  await sequelize.authenticate()
  const query = sequelize.getQueryInterface()
  const Visit = sequelize.define('visits', {
    visitor: { type: DataTypes.BIGINT, primaryKey: true },
    page: DataTypes.TEXT,
    age: DataTypes.INTEGER
  }, { timestamps: false })
  const Page = sequelize.define('pages', {
    page: { type: DataTypes.TEXT, primaryKey: true },
    title: DataTypes.TEXT,
    weight: DataTypes.DOUBLE
  }, { timestamps: false })
  const between = { page: 'home', age: { [Op.between]: [20, 40] } }
  return {
    ask: async sql => (await sequelize.query(sql, { type: Sequelize.QueryTypes.SELECT })).map(Object.values),
    close: () => sequelize.close(),
    looks: {
      tables: () => query.showAllTables(),
      schemas: () => query.showAllSchemas(),
      visits: () => query.describeTable('visits'),
      pages: () => query.describeTable('pages'),
      indexes: () => query.showIndex('pages'),
      references: () => query.getForeignKeyReferencesForTable('visits'),
      exists: () => query.tableExists('visits'),
      count: () => Visit.count({ where: between }),
      distinct: () => Visit.count({ distinct: true, col: 'visitor' }),
      sum: () => Visit.sum('amount'),
      mean: () => Visit.aggregate('age', 'avg', { dataType: 'float' }),
      groups: () => Visit.findAll({
        attributes: ['page', [sequelize.fn('COUNT', sequelize.col('visitor')), 'n']],
        group: ['page'],
        order: [['page', 'ASC']],
        raw: true
      }),
      transaction: () => sequelize.transaction(transaction => Page.count({ transaction })),
      public: () => Page.findAll({ raw: true, order: ['page'] }),
      one: () => Page.findByPk('shop', { raw: true }),
      rows: () => Visit.findAll({ limit: 2 }),
      insert: () => Page.create({ page: 'x', title: 'y' })
    }
  }
}
