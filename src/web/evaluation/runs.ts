import type { ListedRun, ListedScore, RunList, RunState } from '../../domains/evaluations/index.ts'
import { post } from '../api/client.ts'
import { formatNumber, formatShare } from '../format/number.ts'
import { showError, showToast } from '../state/toasts.ts'
import { evaluationText } from '../text/evaluation/evaluation.ts'

export type { ListedRun, ListedScore, RunState }

const liveMs = 2_000
const pageMax = 1_000
const pagesMax = 2

const isLive = (list: RunList | undefined): boolean => list?.runs.some(({ state }) => state === 'running') ?? false

/**
 * Reads the newest runs of a project with their results; again while one runs. `next` says that
 * there are older ones.
 */
export const runsQuery = (projectId: string) => ({
  queryKey: ['evaluation runs', projectId],
  refetchInterval: ({ state }: { state: { data?: RunList | undefined } }) => (isLive(state.data) ? liveMs : false),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<RunList> => {
    const read = (after: string | null) =>
      post<RunList>('/evaluations/runs/query', { project_id: projectId, limit: pageMax, after }, { signal })
    const first = await read(null)
    const runs = [...first.runs]
    let { next } = first
    for (let page = 1; page < pagesMax && next !== null; page++) {
      const more = await read(next)
      runs.push(...more.runs)
      next = more.next
    }
    return { ...first, runs, next }
  },
})

/** Reads one run; undefined data for one that does not exist. */
export const runQuery = (projectId: string, id: string) => ({
  queryKey: ['evaluation runs', projectId, id],
  refetchInterval: ({ state }: { state: { data?: RunList | undefined } }) => (isLive(state.data) ? liveMs : false),
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<RunList> =>
    post('/evaluations/runs/query', { project_id: projectId, evaluation_call_ids: [id] }, { signal }),
})

/** What a run was made with. */
type Made = Pick<ListedRun, 'llm' | 'model' | 'prompt'>

/** Name of the model of a run, as people say it. */
export const modelOf = ({ llm, model }: Made): string => llm ?? model.name

/** Version of the prompt of a run, or of its model. */
export function promptOf({ prompt, model, llm }: Made): string {
  const { name, version } = prompt ?? model
  const number = version === null ? '' : `:v${version}`
  return prompt === null && llm === null ? (version === null ? '' : `v${version}`) : `${name}${number}`
}

/** Rows that a run has yet to do; null if their number is unknown. */
export const rowsLeft = ({ rows_total, rows_ended }: ListedRun): number | null =>
  rows_total === null ? null : Math.max(0, rows_total - rows_ended)

/** Whether the figures of a run are those of all of its rows. */
export const isWhole = ({ state }: ListedRun): boolean => state === 'done'

/** A value of a score as text: a share for rates. */
export const valueText = (kind: ListedScore['kind'], value: number): string =>
  kind === 'rate' ? formatShare(value) : formatNumber(Math.round(value * 100) / 100)

/** Name of a score without the member that most scorers have alone. */
export const scoreName = (score: string): string => score.replace(/\.(match|grade|score)$/, '')

/** Common range of a score over runs, a little wider than its intervals. */
export function rangeOf(runs: readonly ListedRun[], name: string): readonly [low: number, high: number] {
  const found = runs.flatMap(({ scores }) => scores.filter(({ score }) => score === name))
  const low = Math.min(...found.map((each) => each.low ?? each.value))
  const high = Math.max(...found.map((each) => each.high ?? each.value))
  const step = found[0]?.kind === 'rate' ? 0.1 : (high - low) / 4 || 1
  return [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step]
}

/** Continues a run, or runs its failed rows again, and says so. */
export async function goOn(
  projectId: string,
  { evaluation_call_id }: ListedRun,
  retriesFailed: boolean,
  onChanged: () => void,
): Promise<void> {
  const body = { project_id: projectId, call_id: evaluation_call_id, retry_failed: retriesFailed }
  try {
    await post('/evaluations/resume', body)
    showToast({ kind: 'done', text: evaluationText.resumed })
    onChanged()
  } catch (error) {
    showError(error)
  }
}

/** Lets a run end its rows in progress and begin no other, and says so. */
export async function pauseRun(
  projectId: string,
  { evaluation_call_id }: ListedRun,
  onChanged: () => void,
): Promise<void> {
  try {
    await post('/evaluations/pause', { project_id: projectId, call_id: evaluation_call_id })
    showToast({ kind: 'done', text: evaluationText.pauseDone })
  } catch (error) {
    showError(error)
  }
  onChanged()
}

/** Ends a run before all of its rows are done. @throws {Problem} */
export const cancelRun = (projectId: string, id: string): Promise<unknown> =>
  post('/evaluations/cancel', { project_id: projectId, call_id: id })

/** A row of a run: one trial. */
export interface RunRow {
  readonly digest: string
  readonly input: unknown
  readonly trialId: string
  readonly predictId: string | null
  readonly output: unknown
  readonly scores: Readonly<Record<string, unknown>>
  readonly scorerCalls: Readonly<Record<string, string>>
  readonly seconds: number | null
  readonly cost: number | null
  readonly hasEnded: boolean
  readonly error: string | null
}

/** Trials whose calls a page reads. */
const trialsMax = 1_000

interface Answer {
  readonly rows: readonly {
    readonly row_digest: string
    readonly raw_data_row: unknown
    readonly evaluations: readonly {
      readonly trials: readonly {
        readonly predict_and_score_call_id: string
        readonly predict_call_id: string | null
        readonly model_output: unknown
        readonly scores: Readonly<Record<string, unknown>>
        readonly model_latency_seconds: number | null
        readonly total_cost: number | null
        readonly scorer_call_ids: Readonly<Record<string, string>>
      }[]
    }[]
  }[]
  readonly total_rows: number
}

/** Reads the rows of a run with outputs and scores. @param stamp changes when the run does */
export const rowsQuery = (projectId: string, id: string, stamp: string) => ({
  queryKey: ['evaluation rows', projectId, id, stamp],
  placeholderData: (before: { rows: readonly RunRow[]; total: number } | undefined) => before,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<{ rows: readonly RunRow[]; total: number }> => {
    const path = `/v2/${projectId.split('/').map(encodeURIComponent).join('/')}/eval_results/query`
    const options = { include_raw_data_rows: true, resolve_row_refs: true, include_costs: true, limit: trialsMax }
    const [answer, { calls }] = await Promise.all([
      post<Answer>(path, { evaluation_call_ids: [id], ...options }, { signal }),
      endsOf(projectId, id, signal),
    ])
    const rows = answer.rows.flatMap(({ row_digest, raw_data_row, evaluations }) =>
      evaluations.flatMap(({ trials }) =>
        trials.map((trial): RunRow => {
          const end = calls.get(trial.predict_and_score_call_id)
          const error = calls.get(trial.predict_call_id ?? '')?.exception ?? end?.exception ?? null
          return {
            digest: row_digest,
            input: raw_data_row,
            trialId: trial.predict_and_score_call_id,
            predictId: trial.predict_call_id,
            output: trial.model_output,
            scores: trial.scores,
            scorerCalls: trial.scorer_call_ids,
            seconds: trial.model_latency_seconds,
            cost: trial.total_cost,
            hasEnded: end?.ended_at != null,
            error,
          }
        }),
      ),
    )
    return { rows, total: answer.total_rows }
  },
})

interface CallEnd {
  readonly id: string
  readonly ended_at: string | null
  readonly exception: string | null
}

async function endsOf(projectId: string, runId: string, signal: AbortSignal) {
  const { calls } = await post<{ calls: CallEnd[] }>(
    '/calls/query',
    { project_id: projectId, filter: { trace_ids: [runId] }, columns: ['id', 'ended_at', 'exception'], limit: 10_000 },
    { signal },
  )
  return { calls: new Map(calls.map((call) => [call.id, call])) }
}
