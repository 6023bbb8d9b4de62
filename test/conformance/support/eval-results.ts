import type { CallDraft } from './call-shapes.ts'
import type { Answer } from './client.ts'
import type { Project } from './project.ts'

interface Trial {
  predict_and_score_call_id: string
  predict_call_id: string | null
  model_output: unknown
  scores: Record<string, unknown>
  model_latency_seconds: number | null
  total_tokens: number | null
  total_cost: number | null
  scorer_call_ids: Record<string, string>
  genai_span_ref: unknown
}

interface ResultsRow {
  row_digest: string
  raw_data_row: unknown
  evaluations: { evaluation_call_id: string; trials: Trial[] }[]
}

export interface ScorerStats {
  scorer_key: string
  path: string | null
  value_type: string | null
  trial_count: number
  numeric_count: number
  numeric_mean: number | null
  pass_true_count: number
  pass_known_count: number
  pass_rate: number | null
  pass_signal_coverage: number | null
}

export interface Results {
  rows: ResultsRow[]
  total_rows: number
  summary: { row_count: number; evaluations: (Record<string, unknown> & { scorer_stats: ScorerStats[] })[] } | null
  warnings: string[]
}

/** `eval_results/query`, whatever the answer. */
export const sendResults = (
  project: Project,
  evaluations: readonly string[],
  request: Record<string, unknown> = {},
): Promise<Answer<Results>> =>
  project.client.post(project.v2('eval_results/query'), { evaluation_call_ids: evaluations, ...request })

export async function queryResults(
  project: Project,
  evaluations: readonly string[],
  request: Record<string, unknown> = {},
): Promise<Results> {
  const answer = await sendResults(project, evaluations, request)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}

/** Digests of the rows that are answered, in order. */
export const digestsOf = async (
  project: Project,
  evaluations: readonly string[],
  request: Record<string, unknown> = {},
): Promise<string[]> => (await queryResults(project, evaluations, request)).rows.map((row) => row.row_digest)

/** What one trial of a client package's evaluation came to. */
export interface TracedTrial {
  row: string
  output?: unknown
  scores: Record<string, unknown>
  usage?: Record<string, unknown>
}

const second = (count: number): string => new Date(Date.UTC(2024, 4, 1, 10) + count * 1000).toISOString()

/**
 * Stores an evaluation the way client packages trace one: op names are refs, rows are refs into a
 * dataset.
 */
export async function traceEvaluation(
  project: Project,
  id: string,
  trials: readonly TracedTrial[],
  options: { scheme?: string; op?: string } = {},
): Promise<void> {
  const { scheme = 'ext', op = 'Evaluation.predict_and_score' } = options
  const ref = (tail: string) => `${scheme}:///${project.id}/${tail}`
  const model = ref(`object/Guesser-${id}:m1`)
  const base = { trace_id: `trace-${id}`, started_at: second(0), ended_at: second(600) }
  const root = {
    ...base,
    id,
    op_name: ref('op/Evaluation.evaluate:e1'),
    inputs: { self: ref('object/quiz:q1'), model },
  }
  const below = trials.flatMap(({ row, output, scores, usage }, index): (CallDraft & { id: string })[] => {
    const trial = `${id}-${index}`
    const example = ref(`object/questions:d1/attr/rows/id/${row}`)
    return [
      {
        ...base,
        id: trial,
        parent_id: id,
        op_name: ref(`op/${op}:p1`),
        started_at: second(index),
        inputs: { self: ref('object/quiz:q1'), model, example },
        output: { output: output ?? null, scores, model_latency: { mean: 0.25 } },
      },
      {
        ...base,
        id: `${trial}-predict`,
        parent_id: trial,
        op_name: ref('op/Guesser.predict:g1'),
        started_at: second(index),
        ended_at: second(index + 2),
        inputs: { self: model, question: example },
        output: output ?? null,
        summary: usage === undefined ? {} : { usage },
      },
      ...Object.entries(scores).map(([name, value]) => ({
        ...base,
        id: `${trial}-${name}`,
        parent_id: trial,
        op_name: ref(`op/${name}:s1`),
        started_at: second(index + 3),
        inputs: { output },
        output: value,
      })),
    ]
  })
  await project.complete(root as CallDraft & { id: string }, ...below)
}
