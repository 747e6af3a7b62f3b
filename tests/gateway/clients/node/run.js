// Run one tool: `node run.js TOOL`, with runs on standard input as JSON, each {connection, questions, looks}.
//
// A tool's module makes an object of a connection: `ask` puts a question of SQL, `looks` are named functions of
// its own, such as an introspection, and `close` ends it. What it answers, or how it fails, is printed as JSON.
async function outcome (work) {
  try {
    return { value: await work() }
  } catch (error) {
    const own = error.parent ?? error.driverError ?? error.cause ?? error
    return { error: { code: own.code, message: own.message ?? String(own), detail: own.detail, hint: own.hint } }
  }
}

async function main () {
  let text = ''
  for await (const piece of process.stdin) text += piece
  const open = require(`./${process.argv[2]}.js`)
  const done = []
  for (const { connection, questions, looks } of JSON.parse(text)) {
    const tool = await open(connection)
    const own = { answers: [], looks: {} }
    for (const sql of questions) own.answers.push(await outcome(() => tool.ask(sql)))
    for (const name of looks) own.looks[name] = await outcome(() => tool.looks[name]())
    await tool.close()
    done.push(own)
  }
  console.log(JSON.stringify(done))
}

main().then(() => process.exit(), error => { console.error(error); process.exit(1) })
