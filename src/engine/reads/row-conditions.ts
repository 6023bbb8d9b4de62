import type { TextCondition } from '../../lib/text-condition.ts'
import type { WantedValues } from '../value-index/value-indexes.ts'

/** Conditions that all wanted rows meet, for the indexes of large files. */
export interface RowConditions {
  /** Values, one of which each row has. */
  readonly values?: WantedValues | undefined
  /** A condition on the texts of the table's searched columns. */
  readonly text?: TextCondition | undefined
}
