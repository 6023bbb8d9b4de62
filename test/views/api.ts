import type { Client } from '../conformance/support/client.ts'

export type Members = Record<string, unknown>

/** A call, as it is answered with costs. */
export interface Call extends Members {
  readonly id: string
  readonly trace_id: string
  readonly parent_id: string | null
  readonly thread_id: string | null
  readonly display_name: string | null
  readonly started_at: string
  readonly ended_at: string | null
  readonly exception: string | null
  readonly attributes: Members
  readonly summary: { usage?: Record<string, Members>; ext: Members }
}

/** The part of an answer of `/trace/read` about one call. */
export interface Place {
  readonly kind: string
  readonly op: string
  readonly isRepeated: boolean
  readonly tokens: number
  readonly cost: number | null
}

/** Asks for the rows of one project. */
export class Api {
  private readonly client: Client
  private readonly projectId: string

  constructor(client: Client, projectId: string) {
    this.client = client
    this.projectId = projectId
  }

  async ask<T>(path: string, body: Members): Promise<T> {
    const answer = await this.client.post<T>(path, { project_id: this.projectId, ...body })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status}: ${answer.text}`)
    return answer.json
  }

  async lines<T>(path: string, body: Members): Promise<T[]> {
    const answer = await this.client.post(path, { project_id: this.projectId, ...body })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status}: ${answer.text}`)
    return answer.text
      .split('\n')
      .filter(Boolean)
      .map((line): T => JSON.parse(line))
  }

  async feedback(): Promise<Members[]> {
    const { result } = await this.ask<{ result: Members[] }>('/feedback/query', {})
    return result.map(({ id, ext_ref, feedback_type, payload, creator, runnable_ref, created_at }) => {
      const { value, output, emoji, note, reason } = payload as Members
      const judged = value ?? output ?? emoji ?? note ?? payload
      return {
        source: 'feedback',
        score_id: id,
        feedback_type,
        call_id: String(ext_ref).split('/').at(-1),
        name: String(feedback_type)
          .replace(/^ext\.(annotation\.|runnable\.)?/, '')
          .replace(/\.1$/, ''),
        ...typed(judged),
        comment: reason ?? null,
        creator,
        scorer_ref: runnable_ref,
        subject_ref: ext_ref,
        scored_at: created_at,
      }
    })
  }

  async evaluations(
    calls: readonly Call[],
    places: ReadonlyMap<string, Place>,
  ): Promise<Record<'runs' | 'trials' | 'scores', Members[]>> {
    const roots = calls.filter(({ op_name }) => String(op_name).includes('/op/Evaluation.evaluate:'))
    if (roots.length === 0) return { runs: [], trials: [], scores: [] }
    const path = `/v2/${this.projectId}/eval_results/query`
    const { rows, summary } = await this.ask<Results>(path, {
      evaluation_call_ids: roots.map(({ id }) => id),
      include_summary: true,
      include_raw_data_rows: true,
    })
    const byId = new Map<unknown, Call>(calls.map((call) => [call.id, call]))
    const trials = rows.flatMap(({ row_digest, raw_data_row, evaluations }) =>
      evaluations.flatMap(({ evaluation_call_id, trials: some }) =>
        some.map((trial) => {
          const call = byId.get(trial.predict_and_score_call_id)
          return {
            evaluation_call_id,
            trial_call_id: trial.predict_and_score_call_id,
            row_digest,
            example: raw_data_row,
            output: trial.model_output,
            status: call?.summary.ext['status'],
            started_at: call?.started_at,
          }
        }),
      ),
    )
    const scores = rows.flatMap(({ evaluations }) =>
      evaluations.flatMap(({ evaluation_call_id, trials: some }) =>
        some.flatMap(({ predict_and_score_call_id: call_id, scores: own }) =>
          Object.entries(own).map(([name, value]) => ({
            source: 'evaluation',
            score_id: null,
            evaluation_call_id,
            call_id,
            name,
            ...typed(value),
          })),
        ),
      ),
    )
    const runs = (summary?.evaluations ?? []).map((run) => ({
      evaluation_call_id: run['evaluation_call_id'],
      trace_id: run['trace_id'],
      name: run['display_name'],
      evaluation_ref: run['evaluation_ref'],
      model_ref: run['model_ref'],
      started_at: run['started_at'],
      trials: run['trial_count'],
      total_tokens: places.get(String(run['evaluation_call_id']))?.tokens,
      cost: places.get(String(run['evaluation_call_id']))?.cost,
    }))
    return { runs, trials, scores }
  }
}

interface Results {
  rows: {
    row_digest: string
    raw_data_row: unknown
    evaluations: { evaluation_call_id: string; trials: (Members & { scores: Members })[] }[]
  }[]
  summary: { evaluations: Members[] } | null
}

const typed = (value: unknown) => ({
  value,
  number: typeof value === 'number' ? value : null,
  passed: typeof value === 'boolean' ? value : null,
  label: typeof value === 'string' ? value : null,
})
