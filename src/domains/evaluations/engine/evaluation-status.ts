import { opShortName } from '../../../formats/dialect/ref.ts'
import { parseObject } from '../../../formats/wire/exact-json.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { evaluate, summarize } from '../../../lib/evaluation-ops.ts'
import { isJsonObject, plainNumbers } from '../../../lib/json-value.ts'
import { allOf, contains, equals, not } from '../../../query/grammar.ts'
import type { ProjectReader } from '../../access/index.ts'
import { markOfCall, textIn } from '../evaluation-calls.ts'
import type { EvaluationStatus } from '../model/evaluation-runs.ts'
import type { EngineDeps } from './engine-deps.ts'
import { chosenRowsIn } from './row-selection.ts'

/**
 * Status of an evaluation, whether run by this server or a client.
 *
 * @param work what the server does with it: it may continue a run that has ended
 * @throws DomainError InvalidRequest if the call is not an evaluation run
 */
export async function evaluationStatus(
  deps: EngineDeps,
  reader: ProjectReader,
  callId: string,
  work: 'running' | 'paused' | undefined,
): Promise<EvaluationStatus> {
  const text = await deps.calls.reader.read(reader, callId, {})
  if (text === null) return { code: 'not_found' }
  const call = parseObject(text)
  const { exception, ended_at, output, inputs } = call
  if (!opShortName(textIn(call, 'op_name') ?? '').includes(evaluate)) {
    throw new DomainError('InvalidRequest', `The call ${quoted(callId)} is not an evaluation run`)
  }
  if (typeof exception === 'string') return { code: 'failed', error: exception }
  if (ended_at !== null && work === undefined) return { code: 'complete', output: isJsonObject(output) ? output : {} }
  const completed = await completedRows(deps, reader, callId)
  const { rowCount } = chosenRowsIn(markOfCall(call))
  const evaluation = isJsonObject(inputs) ? (inputs['self'] ?? inputs['this']) : undefined
  const total = await totalRows(deps, reader, evaluation, rowCount)
  const code = work === 'paused' ? 'paused' : 'running'
  return { code, completed_rows: completed, total_rows: Math.max(completed, total) }
}

/** Finished calls below the run, without the one that sums it up. */
async function completedRows({ calls }: EngineDeps, reader: ProjectReader, runId: string): Promise<number> {
  const isRunning = equals('summary.ext.status', 'running')
  const query = { $expr: allOf(not(isRunning), not(contains('op_name', summarize))) }
  return (await calls.reader.stats(reader, { filter: { parent_ids: [runId] }, query })).count
}

/**
 * Number of rows that a run of the evaluation has: those of its dataset, in all trials; 0 if
 * unknown. Clients run evaluations that the server could not, so nothing else of it is checked.
 *
 * @param evaluation as the run was given it: its ref, or the evaluation itself
 * @param chosen how many rows it was started with, if not all
 */
async function totalRows(
  { objects, datasets }: EngineDeps,
  reader: ProjectReader,
  evaluation: unknown,
  chosen: number | null,
): Promise<number> {
  try {
    const val = typeof evaluation === 'string' ? (await objects.read(reader, evaluation)).val : evaluation
    if (!isJsonObject(val)) return 0
    const { dataset } = val
    const trials = plainNumbers(val['trials'])
    const repetitions = typeof trials === 'number' && trials >= 1 ? Math.trunc(trials) : 1
    return (chosen ?? (await datasets.count(reader, dataset))) * repetitions
  } catch (cause) {
    // Runs of clients may refer to an evaluation that was never stored, or not in this form;
    // progress is known anyway.
    if (cause instanceof DomainError) return 0
    throw cause
  }
}
