import { expect } from 'bun:test'
import type { Project } from './project.ts'

/** What an evaluation that the server runs is made of; refs all. */
export interface EvaluationParts {
  readonly evaluation: string
  readonly model: string
  readonly scorers: readonly string[]
}

/** Stores an object of a builtin class; returns its ref. */
export async function createObject(project: Project, name: string, builtinClass: string, val: object): Promise<string> {
  const obj = { project_id: project.id, object_id: name, val, builtin_object_class: builtinClass }
  const { status, text, json } = await project.client.post<{ digest: string }>('/obj/create', { obj })
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ')
  return `ext:///${project.id}/object/${name}:${json.digest}`
}

/**
 * Stores rows as a dataset, and an evaluation of them by scorers; returns the ref of the
 * evaluation.
 */
export async function createEvaluation(
  project: Project,
  rows: readonly object[],
  scorers: readonly string[],
  more: object = {},
): Promise<string> {
  const table = { project_id: project.id, rows }
  const { json } = await project.client.post<{ digest: string }>('/table/create', { table })
  const dataset = await createPlain(project, 'rows', {
    _type: 'Dataset',
    name: 'rows',
    rows: `ext:///${project.id}/table/${json.digest}`,
    _class_name: 'Dataset',
    _bases: ['Object', 'BaseModel'],
  })
  return await createPlain(project, 'eval', {
    _type: 'Evaluation',
    name: 'eval',
    dataset,
    scorers,
    trials: 1,
    ...more,
    _class_name: 'Evaluation',
    _bases: ['Object', 'BaseModel'],
  })
}

async function createPlain(project: Project, name: string, val: object): Promise<string> {
  const obj = { project_id: project.id, object_id: name, val }
  const { json } = await project.client.post<{ digest: string }>('/obj/create', { obj })
  return `ext:///${project.id}/object/${name}:${json.digest}`
}

export interface EvaluationStatus {
  readonly code: 'not_found' | 'running' | 'paused' | 'failed' | 'complete'
  readonly output?: Record<string, unknown>
  readonly error?: string | null
  readonly completed_rows?: number
  readonly total_rows?: number
}

export async function statusOf(project: Project, callId: string): Promise<EvaluationStatus> {
  const body = { project_id: project.id, call_id: callId }
  return (await project.client.post<{ status: EvaluationStatus }>('/evaluations/status', body)).json.status
}

/** Waits until the run has ended. */
export async function endOf(project: Project, callId: string): Promise<EvaluationStatus> {
  for (;;) {
    const status = await statusOf(project, callId)
    if (status.code === 'complete' || status.code === 'failed') return status
    await Bun.sleep(5)
  }
}

export async function evaluate(
  project: Project,
  { evaluation, model }: Omit<EvaluationParts, 'scorers'>,
): Promise<string> {
  const body = { project_id: project.id, evaluation_ref: evaluation, model_ref: model }
  const { status, text, json } = await project.client.post<{ call_id: string }>('/evaluations/evaluate_model', body)
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ')
  return json.call_id
}
