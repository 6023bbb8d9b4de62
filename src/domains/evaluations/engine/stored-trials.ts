import { predictAndScore } from '../../../lib/evaluation-ops.ts'
import { derivedId } from '../../../lib/ids.ts'
import { isJsonObject, plainNumbers } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Calls } from '../../calls/index.ts'
import { type CallMembers, callMembers } from '../evaluation-calls.ts'

/** One dataset row on its way through model and scorers. */
export interface Trial {
  /** Position of the row, and which of its repetitions this is. */
  readonly row: number
  readonly repetition: number
  /** Ref of the row in its dataset, or the row itself. */
  readonly example: unknown
}

/** Ids of the calls of a trial: the same each time the job runs. */
export const trialId = (runId: string, { row, repetition }: Trial): string => derivedId(runId, 'trial', row, repetition)
export const predictId = (runId: string, trial: Trial): string =>
  derivedId(runId, 'predict', trial.row, trial.repetition)

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
