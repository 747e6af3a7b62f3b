# The gem pg: ruby client.rb PORT USER all|only QUESTION..., the password in PGPASSWORD; prints JSON.
require 'json'
require 'pg'

port, user, what, *questions = ARGV
db = PG.connect(host: '127.0.0.1', port: port, user: user, dbname: 'shop', options: '-c dp_replay=off')
db.type_map_for_results = PG::BasicTypeMapForResults.new(db)

def answer(db, sql)
  { rows: db.exec(sql).values }
rescue PG::Error => e
  field = ->(code) { e.result.error_field(code) }
  {
    sqlstate: field.call(PG::PG_DIAG_SQLSTATE), message: field.call(PG::PG_DIAG_MESSAGE_PRIMARY),
    detail: field.call(PG::PG_DIAG_MESSAGE_DETAIL), hint: field.call(PG::PG_DIAG_MESSAGE_HINT)
  }
end

said = { answers: questions.map { |sql| answer(db, sql) } }
if what == 'all'
  db.prepare('counted', 'SELECT count(*) AS n FROM visits WHERE page = $1 AND age < $2')
  said[:counted] = 2.times.map { db.exec_prepared('counted', ['home', 48]).getvalue(0, 0) }
  said[:title] = db.exec_params('SELECT title FROM pages WHERE page = $1', ['shop']).getvalue(0, 0)
  said[:kinds] = db.exec('SELECT id, big, price, flag, day, list, names, text FROM kinds ORDER BY id LIMIT 1').first
  said[:inside] = db.transaction { |inside| inside.exec('SELECT count(*) FROM pages').getvalue(0, 0) }
  columns = 'SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = $1 AND ' \
            'table_name = $2 ORDER BY ordinal_position'
  said[:schema] = db.exec_params(columns, %w[public visits]).values
  copied = []
  db.copy_data('COPY (SELECT page FROM pages ORDER BY page) TO STDOUT') do
    while (line = db.get_copy_data)
      copied << line.chomp
    end
  end
  said[:copied] = copied
end
db.close
puts JSON.generate(said)
