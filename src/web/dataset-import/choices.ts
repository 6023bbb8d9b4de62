import type { ColumnType } from '../../domains/datasets/index.ts'

/** What is chosen for a column. */
export interface Choice {
  readonly type: ColumnType
  readonly isSkipped: boolean
}

/** What a cell without a value becomes. */
export type EmptyCell = 'null' | 'absent' | 'text'
