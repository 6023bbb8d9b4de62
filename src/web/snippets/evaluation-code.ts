import { evaluationCodeText } from '../text/evaluation/evaluation-code.ts'
import { startText } from '../text/start.ts'
import type { SnippetFacts, SnippetStep } from './snippet.ts'

/** What a program evaluates. */
export interface EvaluatedByCode {
  /** Name of the evaluation. */
  readonly evaluation: string
  /** Ref of the version of its dataset. */
  readonly dataset: string
  /** Columns of its rows. */
  readonly columns: readonly string[]
  /** Names of its scorers. */
  readonly scorers: readonly string[]
  readonly trials: number
}

/** Languages of programs that evaluate. */
export const codeLanguages = ['python', 'typescript'] as const
export type CodeLanguage = (typeof codeLanguages)[number]

const scorersMax = 4

/**
 * A program that evaluates a model of its own with the Weave SDK: the same rows, and scores of the
 * same names, so that its run can be compared with those of the server.
 */
export function evaluationCode(
  language: CodeLanguage,
  of: EvaluatedByCode,
  { url, key, projectId }: Pick<SnippetFacts, 'url' | 'key' | 'projectId'>,
): readonly SnippetStep[] {
  const install = language === 'python' ? 'pip install weave' : 'npm install weave'
  const variables = `export WANDB_BASE_URL=${url} WF_TRACE_SERVER_URL=${url}\nexport WANDB_API_KEY=${key}`
  const code = language === 'python' ? python(of, projectId) : typescript(of, projectId)
  return [
    { title: startText.install, language: 'shell', code: `${install}\n${variables}` },
    { title: evaluationCodeText.runThis, language, code },
  ]
}

/** A name that both languages take. */
const identifier = (name: string): string => name.replaceAll(/\W/g, '_').replace(/^(?=\d|$)/, '_')

const expectedIn = ({ columns }: EvaluatedByCode): string =>
  columns.find((column) => /^(expected|answer|target|label)$/i.test(column)) ?? columns.at(-1) ?? 'expected'

const inputIn = (of: EvaluatedByCode): string =>
  of.columns.find((column) => column !== expectedIn(of) && isIdentifier(column)) ?? 'question'

const isIdentifier = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text)

const scorersOf = ({ scorers }: EvaluatedByCode): readonly string[] =>
  (scorers.length === 0 ? ['exact'] : scorers.slice(0, scorersMax)).map(identifier)

function python(of: EvaluatedByCode, projectId: string): string {
  const input = inputIn(of)
  const expected = isIdentifier(expectedIn(of)) ? expectedIn(of) : 'expected'
  const scorers = scorersOf(of)
  const trials = of.trials === 1 ? '' : `, trials=${of.trials}`
  return `import asyncio
import weave

weave.init("${projectId}")
dataset = weave.ref("${weaveRef(of.dataset)}").get()

@weave.op
def my_model(${input}):
    return "…"  # ${evaluationCodeText.callModel}
${scorers
  .map(
    (name) => `
@weave.op
def ${name}(${expected}, output):
    return {"match": output == ${expected}}
`,
  )
  .join('')}
evaluation = weave.Evaluation(
    name="${of.evaluation}", dataset=dataset, scorers=[${scorers.join(', ')}]${trials}
)
print(asyncio.run(evaluation.evaluate(my_model)))`
}

function typescript(of: EvaluatedByCode, projectId: string): string {
  const [, name = '', digest = ''] = /\/object\/([^:/]+):([^/]+)/.exec(of.dataset) ?? []
  const scorers = scorersOf(of)
  const trials = of.trials === 1 ? '' : `, nTrials: ${of.trials}`
  return `import * as weave from 'weave'

const client = await weave.init('${projectId}')
const dataset = await client.get(new weave.ObjectRef('${projectId}', '${decodeURIComponent(name)}', '${digest}'))

const myModel = weave.op(async function myModel({ datasetRow }) {
  return '…' // ${evaluationCodeText.callModel}: datasetRow.${inputIn(of)}
})
${scorers
  .map(
    (scorer) => `const ${scorer} = weave.op(
  ({ modelOutput, datasetRow }) => ({ match: modelOutput === datasetRow[${JSON.stringify(expectedIn(of))}] }),
  { name: '${scorer}' },
)
`,
  )
  .join('')}
const evaluation = new weave.Evaluation({ name: '${of.evaluation}', dataset, scorers: [${scorers.join(', ')}] })
console.log(await evaluation.evaluate({ model: myModel${trials} }))
await client.waitForBatchProcessing()`
}

/** The Weave SDK has a scheme of its own. */
const weaveRef = (ref: string): string => ref.replace(/^\w+(?=:\/\/\/)/, 'weave')
