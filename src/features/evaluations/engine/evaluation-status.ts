import { opShortName } from '../../../dialect/ref.ts'
import { DomainError, quoted } from '../../../errors.ts'
import type { ProjectReader } from '../../../foundation/access/caller.ts'
import { evaluate } from '../../../kernel/evaluation-ops.ts'
import { isJsonObject } from '../../../kernel/json-value.ts'
import type { EvaluationStatus } from '../../../model/evaluation-status.ts'
import { parseExactly } from '../../../wire/exact-json.ts'
import type { EngineDeps } from './engine-deps.ts'
import { loadEvaluation } from './load-evaluation.ts'

/**
 * Status of an evaluation, whether run by this server or a client.
 *
 * @throws DomainError InvalidRequest if the call is not an evaluation run
 */
export async function evaluationStatus(
  deps: EngineDeps,
  reader: ProjectReader,
  callId: string,
): Promise<EvaluationStatus> {
  const text = await deps.calls.reader.read(reader, callId, {})
  if (text === null) return { code: 'not_found' }
  const { op_name, exception, ended_at, output, inputs } = parseExactly(text) as Record<string, unknown>
  if (!opShortName(op_name as string).includes(evaluate)) {
    throw new DomainError('InvalidRequest', `The call ${quoted(callId)} is not an evaluation run`)
  }
  if (exception !== null) return { code: 'failed', error: exception as string }
  if (ended_at !== null) return { code: 'complete', output: isJsonObject(output) ? output : {} }
  const completed = await completedRows(deps, reader, callId)
  const total = await totalRows(deps, reader, isJsonObject(inputs) ? (inputs['self'] ?? inputs['this']) : undefined)
  return { code: 'running', completed_rows: completed, total_rows: Math.max(completed, total) }
}

async function completedRows({ calls }: EngineDeps, reader: ProjectReader, runId: string): Promise<number> {
  const query = { $expr: { $not: [{ $eq: [{ $getField: 'summary.ext.status' }, { $literal: 'running' }] }] } }
  return (await calls.reader.stats(reader, { filter: { parent_ids: [runId] }, query })).count
}

/** Number of rows in the dataset of the evaluation; 0 if unknown. */
async function totalRows({ objects, datasets }: EngineDeps, reader: ProjectReader, ref: unknown): Promise<number> {
  if (typeof ref !== 'string') return 0
  try {
    const { datasetRef, trials } = await loadEvaluation(objects, reader, ref)
    return (await datasets.count(reader, datasetRef)) * trials
  } catch (cause) {
    // Runs of clients may refer to an evaluation that was never stored, or not in this form;
    // progress is known anyway.
    if (cause instanceof DomainError) return 0
    throw cause
  }
}
