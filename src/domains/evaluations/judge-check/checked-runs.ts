import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { Compared } from '../results/trials.ts'

/** What a check reads from, at one time. */
export interface CheckedRuns {
  readonly snapshot: Snapshot
  readonly compared: Compared
  /** Name of the table of trials. */
  readonly table: string
}
