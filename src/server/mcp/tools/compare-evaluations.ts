import { type Static, Type } from '@sinclair/typebox'
import type { ProjectReader } from '../../../domains/access/index.ts'
import type {
  EvalResults,
  EvalResultsEvaluationSummary,
  EvalResultsScorerStats,
} from '../../../domains/evaluations/index.ts'
import { evaluate } from '../../../lib/evaluation-ops.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { toolLimits } from '../../../lib/limits/tools.ts'
import { AnswerText } from '../text/answer-text.ts'
import { callColumns, callName, callStatistics, timeText } from '../text/call-text.ts'
import { costText, countText, oneLine, percentText, scoreText } from '../text/number-text.ts'
import { defineTool, type ToolContext } from '../tool.ts'
import { Arguments, count, readerOf, text } from './arguments.ts'
import { conditionsOf } from './call-conditions.ts'
import { readCalls } from './read-calls.ts'

type Results = Static<typeof EvalResults>
type Row = Results['rows'][number]

const rowsDefault = 8

const input = Arguments({
  evaluations: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 4,
      description: 'Call ids of one to four evaluations; lists them if omitted',
    }),
  ),
  score: text('Score that decides the order, as in the answer: `accuracy.correct`; the first one if omitted'),
  limit: count(`Number of rows; ${rowsDefault} if omitted`, toolLimits.agentCallsMax),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Rows to skip' })),
})

/** Compares evaluations, the rows that differ most first. */
export const compareEvaluations = defineTool({
  name: 'compare_evaluations',
  title: 'Compare evaluations',
  description:
    'Scores, tokens and cost of evaluations side by side, then the rows whose scores differ most (of one evaluation: ' +
    'the rows with the lowest scores). Without `evaluations`: lists the newest ones.',
  input,
  answer: async (context, args) => {
    const reader = readerOf(context, args.project)
    const answer = new AnswerText()
    if (!args.evaluations?.length) await listEvaluations(context, reader, answer)
    else await compare(context, reader, { ...args, evaluations: args.evaluations }, answer)
    return answer.end()
  },
})

async function listEvaluations(context: ToolContext, reader: ProjectReader, answer: AnswerText): Promise<void> {
  const { filter, query } = conditionsOf({ op: evaluate })
  const request = { filter, query, sort_by: [{ field: 'started_at', direction: 'desc' as const }] }
  const [calls, { count: total }] = await Promise.all([
    readCalls(context, reader, { ...request, columns: [...callColumns], limit: toolLimits.agentCallsDefault }),
    context.services.calls.reader.stats(reader, { filter, query }, context.signal),
  ])
  answer.add(`Evaluations of ${reader.projectId}, newest first:`)
  const lines = calls.map(
    (call) => `${timeText(call.started_at)}  ${callName(call)}  ${callStatistics(call)}  ${call.id}`,
  )
  answer.addList(lines, 'evaluations', total)
  const [newest, before] = calls
  const project = reader.projectId
  if (newest && before)
    answer.next('compare_evaluations', { project, evaluations: [before.id, newest.id] }, 'the two newest side by side')
  else if (newest) answer.next('compare_evaluations', { project, evaluations: [newest.id] }, 'its lowest scores')
}

type CompareArguments = Static<typeof input> & { readonly evaluations: readonly string[] }

async function compare(
  context: ToolContext,
  reader: ProjectReader,
  args: CompareArguments,
  answer: AnswerText,
): Promise<void> {
  const { evaluations, limit = rowsDefault, offset = 0 } = args
  const common = { evaluation_call_ids: [...evaluations], include_costs: true }
  const { summary, warnings } = await results(context, reader, {
    ...common,
    include_rows: false,
    include_summary: true,
  })
  for (const warning of warnings) answer.add(warning)
  const all = summary?.evaluations ?? []
  for (const [at, evaluation] of all.entries()) answer.add(`${letterOf(at)}: ${summaryText(evaluation)}`)
  const scores = [...new Set(all.flatMap(({ scorer_stats }) => scorer_stats.filter(isOrdered).map(scorePath)))]
  const score = args.score ?? scores[0]
  if (score === undefined) {
    answer.add('There are no numeric or boolean scores to order the rows by.')
    return
  }
  const isSingle = evaluations.length === 1
  const { rows, total_rows } = await results(context, reader, {
    ...common,
    ...{ limit, offset, include_raw_data_rows: true, resolve_row_refs: true },
    sort_by: [
      { field: `scores.${score}`, direction: isSingle ? 'asc' : 'desc', mode: isSingle ? 'value' : 'difference' },
    ],
  })
  answer.add(`Rows by ${score}, ${isSingle ? 'lowest first' : 'largest difference first'}:`)
  const shown = answer.addList(
    rows.map((row) => rowText(row, all, score)),
    'rows on this page',
    rows.length,
  )
  answer.add(`Rows ${offset + 1} to ${offset + shown} of ${total_rows}.`)
  if (offset + shown < total_rows)
    answer.next('compare_evaluations', { ...args, offset: offset + shown }, 'the next rows')
  const trial = rows[0]?.evaluations.at(-1)?.trials[0]
  if (trial) {
    const call_id = trial.predict_call_id ?? trial.predict_and_score_call_id
    answer.next('get_call', { project: reader.projectId, call_id }, 'what the model did in the first row')
  }
}

async function results(
  { services, signal }: ToolContext,
  reader: ProjectReader,
  request: Parameters<typeof services.evaluations.results.query>[1],
): Promise<Results> {
  let text = ''
  for await (const pieces of services.evaluations.results.query(reader, request, signal)) text += pieces.join('')
  return JSON.parse(text)
}

const letterOf = (at: number): string => String.fromCharCode(65 + at)

const scorePath = ({ scorer_key, path }: EvalResultsScorerStats): string =>
  [scorer_key, ...(path ? [path] : [])].join('.')

const isOrdered = ({ value_type }: EvalResultsScorerStats): boolean =>
  value_type === 'binary' || value_type === 'continuous'

function summaryText(evaluation: EvalResultsEvaluationSummary): string {
  const { evaluation_call_id, display_name, started_at, trial_count, scorer_stats } = evaluation
  const scores = scorer_stats.filter(isOrdered).map((stats) => {
    const { pass_rate, numeric_mean } = stats
    return `${scorePath(stats)} ${pass_rate !== null ? percentText(pass_rate) : scoreText(numeric_mean ?? 0)}`
  })
  const { predict_total_tokens: tokens, predict_total_cost: cost } = evaluation
  return [
    ...(display_name ? [display_name] : []),
    ...(started_at ? [timeText(started_at)] : []),
    `${trial_count} trials`,
    ...scores,
    ...(tokens === null ? [] : [`${countText(tokens)} tokens`]),
    ...(cost === null ? [] : [costText(cost)]),
    evaluation_call_id,
  ].join('  ')
}

function rowText(row: Row, all: readonly EvalResultsEvaluationSummary[], score: string): string {
  const perEvaluation = all.flatMap(({ evaluation_call_id }, at) => {
    const found = row.evaluations.find((one) => one.evaluation_call_id === evaluation_call_id)
    const [trial] = found?.trials ?? []
    if (found === undefined || trial === undefined) return [`  ${letterOf(at)}: not evaluated`]
    const values = found.trials.map(({ scores }) => valueAt(scores, score)).filter((one) => one !== undefined)
    const output = oneLine(textOf(trial.model_output), toolLimits.agentPreviewChars)
    return [`  ${letterOf(at)}: ${values.map(textOf).join(', ') || 'no score'}  ${output}`]
  })
  return [`row ${oneLine(textOf(row.raw_data_row), toolLimits.agentPreviewChars)}`, ...perEvaluation].join('\n')
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The value at a dotted path; names of scorers may contain dots. */
function valueAt(scores: unknown, path: string): unknown {
  if (!isJsonObject(scores)) return undefined
  if (path in scores) return scores[path]
  const scorer = Object.keys(scores).find((key) => path.startsWith(`${key}.`))
  return scorer === undefined ? undefined : valueAt(scores[scorer], path.slice(scorer.length + 1))
}
