import type { Answer } from './client.ts'
import type { Project } from './project.ts'

export interface RunRecord {
  evaluation_run_id: string
  evaluation: string
  model: string
  status: string
  started_at: string | null
  finished_at: string | null
  summary: Record<string, unknown> | null
  source_evaluation_run_id: string | null
}

export interface PredictionRecord {
  prediction_id: string
  model: string
  inputs: Record<string, unknown>
  output: unknown
  evaluation_run_id: string | null
  ext_user_id: string | null
}

export interface ScoreRecord {
  score_id: string
  scorer: string
  value: unknown
  evaluation_run_id: string | null
  ext_user_id: string | null
}

/** Ref of an object of the project, which need not exist. */
export const objectRef = (project: Project, name: string, scheme = 'ext') =>
  `${scheme}:///${project.id}/object/${name}:v1`

/**
 * Runs, predictions and scores of one project; each request throws unless the server answers 200.
 */
export class EvaluationClient {
  readonly project: Project
  readonly evaluation: string
  readonly model: string

  constructor(project: Project, scheme = 'ext') {
    this.project = project
    this.evaluation = objectRef(project, 'quiz', scheme)
    this.model = objectRef(project, 'Guesser', scheme)
  }

  async run(members: Record<string, unknown> = {}): Promise<string> {
    const body = { evaluation: this.evaluation, model: this.model, ...members }
    return (await this.post<{ evaluation_run_id: string }>('evaluation_runs', body)).evaluation_run_id
  }

  async predict(members: Record<string, unknown> = {}): Promise<string> {
    const body = { model: this.model, inputs: { question: 'why?' }, output: 'because', ...members }
    return (await this.post<{ prediction_id: string }>('predictions', body)).prediction_id
  }

  async score(predictionId: string, scorer: string, value: unknown, runId?: string): Promise<string> {
    const body = {
      prediction_id: predictionId,
      scorer: scorer.includes(':///') ? scorer : objectRef(this.project, scorer),
      value,
      ...(runId === undefined ? {} : { evaluation_run_id: runId }),
    }
    return (await this.post<{ score_id: string }>('scores', body)).score_id
  }

  /** A prediction of a run with its scores, finished. */
  async trial(
    runId: string,
    row: Record<string, unknown>,
    output: unknown,
    scores: Record<string, unknown>,
  ): Promise<string> {
    const id = await this.predict({ inputs: row, output, evaluation_run_id: runId })
    for (const [scorer, value] of Object.entries(scores)) await this.score(id, scorer, value, runId)
    await this.finish('predictions', id)
    return id
  }

  async finish(family: 'evaluation_runs' | 'predictions', id: string, body: unknown = {}): Promise<void> {
    await this.post(`${family}/${id}/finish`, body)
  }

  async read<T>(family: string, id: string): Promise<T> {
    return succeeded(await this.project.client.get<T>(this.project.v2(`${family}/${id}`)))
  }

  /** Lines of a list. */
  async list<T>(family: string, query = ''): Promise<T[]> {
    const answer = await this.project.client.get(this.project.v2(`${family}${query}`))
    succeeded(answer)
    return answer.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as T)
  }

  async delete(family: string, member: string, ...ids: string[]): Promise<number> {
    const query = ids.map((id) => `${member}=${encodeURIComponent(id)}`).join('&')
    const path = this.project.v2(`${family}?${query}`)
    return succeeded(await this.project.client.delete<{ num_deleted: number }>(path)).num_deleted
  }

  async post<T>(tail: string, body: unknown): Promise<T> {
    return succeeded(await this.project.client.post<T>(this.project.v2(tail), body))
  }
}

function succeeded<T>(answer: Answer<T>): T {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}
