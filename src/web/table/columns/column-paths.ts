import { isKeyOf } from '../../../lib/present.ts'

/** Fields that the columns of a table sort and filter by. */
const paths = {
  status: 'summary.ext.status',
  op: 'op_name',
  input: 'inputs',
  output: 'output',
  latency: 'summary.ext.latency_ms',
  tokens: 'usage.total_tokens',
  cost: 'usage.total_cost',
  model: 'usage.models',
  feedback: 'feedback',
  thread: 'thread_id',
  user: 'ext_user_id',
  name: 'summary.ext.trace_name',
  started: 'started_at',
} as const satisfies Readonly<Record<string, string>>

/** Name of a column of the table. */
export type ColumnName = keyof typeof paths

/** Field of a column by its id, which is a name or a path in calls. */
export const pathOfColumn = (id: string): string => (isKeyOf(paths, id) ? paths[id] : id)

/** Columns of the table by their ids that are paths in calls. */
export const isPathColumn = (id: string): boolean => !isKeyOf(paths, id)
