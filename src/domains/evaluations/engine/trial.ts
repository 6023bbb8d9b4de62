import { derivedId } from '../../../lib/derived-id.ts'

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
