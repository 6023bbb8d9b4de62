// Uses the vendor's TypeScript client as an application would; any version from 0.9 on: earlier ones
// reach only hosts with https. It is copied beside the version that it is to
// use. Prints a line `STEP <name> ok` or `STEP <name> failed: <why>` a step.
import process from 'node:process'
import * as weave from 'weave'

const project = process.argv[2]
const complaints = []
// The client tells of failed requests and goes on: here that is a failure.
for (const name of ['error', 'warn']) {
  const plain = console[name]
  console[name] = (...said) => {
    if (/error|failed/i.test(said.join(' '))) complaints.push(said.join(' '))
    plain(...said)
  }
}

let client
function expect(found, wanted) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`)
  }
}

const steps = {
  async init() {
    client = await weave.init(project)
  },
  async trace() {
    const lookUp = weave.op(async function lookUp(word) {
      if (word === 'broken') throw new TypeError('no such word')
      return { word, meaning: `${word}!` }
    })
    const answer = weave.op(async function answer(words) {
      const found = []
      for (const word of words) found.push(await lookUp(word))
      return { found, text: 'ä 😀', nothing: null, fraction: 0.5 }
    })
    await answer(['one', 'two'])
    expect(await answer(['broken']).catch((error) => error.message), 'no such word')
    await client.waitForBatchProcessing()
    const roots = await client.getCalls({ trace_roots_only: true })
    expect(roots.length, 2)
    const [good] = roots.filter(({ exception }) => !exception)
    expect(good.output.found[1], { word: 'two', meaning: 'two!' })
    expect((await client.getCalls({ parent_ids: [good.id] })).length, 2)
    expect((await client.getCall(good.id)).output.fraction, 0.5)
  },
  async publish() {
    // The client marks what it has saved, so each use has a value of its own.
    const value = () => ({ list: [1, 2.5, 'ä'], nested: { deep: [{ a: null }] }, flag: true })
    const first = await client.publish(value(), 'settings')
    const again = await client.publish(value(), 'settings')
    expect(first.uri(), again.uri())
    expect(await first.get(), value())
  },
  async dataset() {
    const rows = () => [
      { question: 'one plus one', answer: 2 },
      { question: 'π', answer: 3.14 },
    ]
    const ref = await new weave.Dataset({ name: 'questions', rows: rows() }).save()
    const loaded = await ref.get()
    // Clients before 0.11 leave the rows that they have loaded a ref.
    if (typeof (loaded.rows.rows ?? loaded.rows) === 'string') return
    const read = []
    for await (const row of loaded) read.push({ question: row.question, answer: row.answer })
    expect(read, rows())
  },
  async evaluate() {
    const rows = [
      { question: '1+1', expected: 2 },
      { question: '2+2', expected: 5 },
    ]
    const add = weave.op(async function adder({ datasetRow }) {
      const [left, right] = datasetRow.question.split('+').map(Number)
      return left + right
    })
    const isExact = weave.op(({ modelOutput, datasetRow }) => modelOutput === datasetRow.expected, { name: 'isExact' })
    const dataset = new weave.Dataset({ name: 'sums', rows })
    const evaluation = new weave.Evaluation({ name: 'arithmetic', dataset, scorers: [isExact] })
    const summary = await evaluation.evaluate({ model: add })
    expect(summary.isExact.true_count, 1)
    await client.waitForBatchProcessing()
  },
  async image() {
    const picture = weave.op(async function picture() {
      return weave.weaveImage({ data: Buffer.from('iVBORw0KGgo=', 'base64') })
    })
    await picture()
    await client.waitForBatchProcessing()
  },
  async score() {
    if (typeof client.addScore !== 'function') return
    const [call] = await client.getCalls({ trace_roots_only: true }, false, 1)
    await client.addScore(call.id, call.id, `weave:///${project}/op/judge:abc`, { good: true })
  },
}

for (const [name, step] of Object.entries(steps)) {
  complaints.length = 0
  let why
  try {
    await step()
    why = complaints[0]
  } catch (error) {
    console.log(error)
    why = String(error)
  }
  const told = why === undefined ? 'ok' : `failed: ${why.replaceAll(/\s+/g, ' ').slice(0, 300)}`
  console.log(`\nSTEP ${name} ${told}`)
  if (why !== undefined && name === 'init') break
}
process.exit(0)
