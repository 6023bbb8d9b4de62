import * as weave from 'weave'
import { projectArgument, tellResult } from './run-program.ts'

const client = await weave.init(projectArgument())

interface Row {
  question: string
  expected: number
}

const dataset = new weave.Dataset<Row>({
  name: 'sums',
  rows: [
    { question: '1+1', expected: 2 },
    { question: '2+2', expected: 4 },
    { question: '3+3', expected: 7 },
  ],
})
const model = weave.op(async function adder({ datasetRow }: { datasetRow: Row }) {
  const [left, right] = datasetRow.question.split('+').map(Number)
  return left! + right!
})
const isExact = weave.op(
  ({ modelOutput, datasetRow }: { modelOutput: number; datasetRow: Row }) => modelOutput === datasetRow.expected,
  {
    name: 'isExact',
  },
)
const distance = weave.op(
  ({ modelOutput, datasetRow }: { modelOutput: number; datasetRow: Row }) => ({
    absolute: Math.abs(modelOutput - datasetRow.expected),
  }),
  { name: 'distance' },
)
const evaluation = new weave.Evaluation({ name: 'arithmetic', dataset, scorers: [isExact, distance] })
const summary = await evaluation.evaluate({ model })

const logger = new weave.EvaluationLogger({ name: 'by-hand', model: { name: 'person' }, dataset: 'handmade' })
for (const [question, said, good] of [
  ['a', 'x', true],
  ['b', 'y', false],
] as const) {
  const scores = logger.logPrediction({ question }, said)
  await scores.logScore('good', good)
  await scores.finish()
}
await logger.logSummary({ note: 'done' })
await client.waitForBatchProcessing()

tellResult({ summary })
