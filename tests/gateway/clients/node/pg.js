// The questions on standard input, asked with node's pg: a JSON list of connections and what each is to ask.
const { Client } = require('pg')

async function ask (client, question) {
  try {
    const answer = await client.query(question)
    return {
      rows: answer.rows,
      types: answer.fields.map(field => field.dataTypeID),
      command: answer.command
    }
  } catch (error) {
    return { code: error.code, message: error.message, detail: error.detail, hint: error.hint }
  }
}

async function main () {
  let text = ''
  for await (const piece of process.stdin) text += piece
  const answers = []
  for (const { connection, questions } of JSON.parse(text)) {
    const client = new Client(connection)
    await client.connect()
    const own = []
    for (const question of questions) own.push(await ask(client, question))
    await client.end()
    answers.push(own)
  }
  console.log(JSON.stringify(answers))
}

main()
