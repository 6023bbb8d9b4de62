import { predictAndScore } from '../../../lib/evaluation-ops.ts'
import { derivedId } from '../../../lib/ids.ts'
import { isJsonObject, plainNumbers } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { ProjectReader, ProjectWriter } from '../../access/index.ts'
import type { Calls } from '../../calls/index.ts'
import { type CallMembers, callMembers } from '../evaluation-calls.ts'

/** One dataset row on its way through model and scorers. */
export interface Trial {
  /** Position of the row, and which of its repetitions this is. */
  readonly row: number
  readonly repetition: number
  /** Ref of the row in its dataset, or the row itself. */
  readonly example: unknown
  /** How often the run was continued before, 0 if never: later trials have ids of their own. */
  readonly attempt?: number
}

/** Ids of the calls of a trial: the same each time the job runs. */
export const trialId = (runId: string, { row, repetition, attempt = 0 }: Trial): string =>
  attempt === 0 ? derivedId(runId, 'trial', row, repetition) : derivedId(runId, 'trial', row, repetition, attempt)
export const predictId = (runId: string, { row, repetition, attempt = 0 }: Trial): string =>
  attempt === 0 ? derivedId(runId, 'predict', row, repetition) : derivedId(runId, 'predict', row, repetition, attempt)

/** Calls left behind by an interrupted attempt of a run. */
export interface EarlierAttempt {
  /** Ids of finished trials. */
  readonly finished: ReadonlySet<string>
  /**
   * Errors of predictions and scores in the other trials, by id. A later end of a call does not
   * clear an exception.
   */
  readonly failures: ReadonlyMap<string, string>
}

export async function earlierAttempt(
  calls: Calls,
  reader: ProjectReader,
  runId: string,
  signal: AbortSignal,
): Promise<EarlierAttempt> {
  const finished = new Set<string>()
  const open: string[] = []
  for await (const { id, ended_at } of storedTrials(calls, reader, runId, ['id', 'ended_at'], signal)) {
    if (ended_at == null) open.push(id)
    else finished.add(id)
  }
  const failures = new Map<string, string>()
  for (let from = 0; from < open.length; from += operationLimits.filterValuesMax) {
    const filter = { parent_ids: open.slice(from, from + operationLimits.filterValuesMax) }
    const request = { filter, columns: ['id', 'exception'], sort_by: [] }
    for await (const { id, exception } of callMembers(calls, reader, request, signal)) {
      if (typeof exception === 'string') failures.set(id, exception)
    }
  }
  return { finished, failures }
}

/** Outputs of finished trials with plain numbers, unordered. */
export async function* trialOutputs(
  calls: Calls,
  reader: ProjectReader,
  runId: string,
  signal: AbortSignal,
): AsyncGenerator<Record<string, unknown>> {
  for await (const { output } of storedTrials(calls, reader, runId, ['id', 'output'], signal)) {
    const plain = plainNumbers(output)
    if (isJsonObject(plain)) yield plain
  }
}

function storedTrials(
  calls: Calls,
  reader: ProjectReader,
  runId: string,
  columns: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<CallMembers> {
  // Only runs of this engine are read here, and those never have the TypeScript spelling.
  const filter = { parent_ids: [runId], op_names: [predictAndScore] }
  return callMembers(calls, reader, { filter, columns, sort_by: [] }, signal)
}

/** What a run that is continued does with what it did before. */
export interface Continuation {
  /** How often it was continued, this time included. */
  readonly attempt: number
  readonly retriesFailed: boolean
}

/**
 * Deletes what a run that is continued does again: trials of earlier attempts that have not ended
 * and, if it retries them, those that failed. May be called again.
 *
 * @returns how many trials of each row remain, by the ref of the row
 */
export async function clearEarlier(
  calls: Calls,
  writer: ProjectWriter,
  { runId, namespace, attempt, retriesFailed }: Continuation & { readonly runId: string; readonly namespace: string },
  signal: AbortSignal,
): Promise<ReadonlyMap<unknown, number>> {
  const again: string[] = []
  const kept = new Map<unknown, number>()
  const columns = ['id', 'ended_at', 'exception', 'output', 'inputs', 'attributes']
  for await (const trial of storedTrials(calls, writer, runId, columns, signal)) {
    const own = membersIn(membersIn(trial['attributes'])[namespace])
    if (plainNumbers(own['attempt'] ?? 0) === attempt) continue
    const { output } = membersIn(trial['output'])
    const isFailed = typeof trial['exception'] === 'string' || output == null
    if (trial['ended_at'] == null || (retriesFailed && isFailed)) again.push(trial.id)
    else {
      const { example } = membersIn(trial['inputs'])
      kept.set(example, (kept.get(example) ?? 0) + 1)
    }
  }
  for (let from = 0; from < again.length; from += operationLimits.deleteIdsMax)
    await calls.writer.delete(writer, again.slice(from, from + operationLimits.deleteIdsMax))
  return kept
}

const membersIn = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {})
