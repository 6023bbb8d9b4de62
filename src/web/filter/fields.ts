import { failedStatus } from '../../lib/failed-calls.ts'

/** How the values of a field are written and compared. */
export type FieldKind = 'text' | 'op' | 'status' | 'duration' | 'time' | 'amount' | 'model' | 'any'

/** A field that has a short name in filters. */
export interface NamedField {
  readonly name: string
  readonly path: string
  readonly kind: FieldKind
}

/** Fields with short names, in the order in which completion offers them. */
export const namedFields: readonly NamedField[] = [
  { name: 'op', path: 'op_name', kind: 'op' },
  { name: 'status', path: 'summary.ext.status', kind: 'status' },
  { name: 'latency', path: 'summary.ext.latency_ms', kind: 'duration' },
  { name: 'tokens', path: 'usage.total_tokens', kind: 'amount' },
  { name: 'cost', path: 'usage.total_cost', kind: 'amount' },
  { name: 'model', path: 'usage.models', kind: 'model' },
  { name: 'error', path: 'exception', kind: 'text' },
  { name: 'name', path: 'summary.ext.trace_name', kind: 'text' },
  { name: 'thread', path: 'thread_id', kind: 'text' },
  { name: 'turn', path: 'turn_id', kind: 'text' },
  { name: 'user', path: 'ext_user_id', kind: 'text' },
  { name: 'run', path: 'ext_run_id', kind: 'text' },
  { name: 'started', path: 'started_at', kind: 'time' },
  { name: 'ended', path: 'ended_at', kind: 'time' },
  { name: 'trace', path: 'trace_id', kind: 'text' },
  { name: 'parent', path: 'parent_id', kind: 'text' },
  { name: 'id', path: 'id', kind: 'text' },
  { name: 'queue', path: 'annotation_queue_items.queue_id', kind: 'text' },
  { name: 'display_name', path: 'display_name', kind: 'text' },
]

/** Members of calls that hold values of any shape; paths go on behind them. */
export const openFields = ['inputs', 'output', 'attributes', 'summary', 'feedback', 'otel_dump'] as const

/** Members searched by text without a field. */
export const searchedPaths = ['inputs', 'output', 'exception', 'summary.ext.trace_name'] as const

/**
 * Statuses by their word in filters. `failed` is not a status of a call: it matches an error of the
 * call itself or inside it.
 */
export const statusWords = {
  ok: 'success',
  failed: failedStatus,
  error: 'error',
  'error inside': 'descendant_error',
  running: 'running',
} as const

const byName = new Map(namedFields.map((field) => [field.name, field]))
const byPath = new Map(namedFields.map((field) => [field.path, field]))

/** Path of a field as the API spells it; undefined for an unknown name. */
export function pathOfName(name: string): string | undefined {
  const known = byName.get(name) ?? byPath.get(name)
  if (known) return known.path
  const [root] = name.split('.', 1)
  return openFields.some((open) => open === root) && !name.endsWith('.') && !name.includes('..') ? name : undefined
}

/** Shortest name of a path. */
export const nameOfPath = (path: string): string => byPath.get(path)?.name ?? path

/** How values of a path are written. */
export const kindOfPath = (path: string): FieldKind => byPath.get(path)?.kind ?? 'any'

/** Whether a path is of the usage of calls, which the server adds up for the answer. */
export const isUsagePath = (path: string): boolean => path.startsWith('usage.')

/** The path that a request names: a table of traces shows what all calls of a trace have used. */
export const requestPath = (path: string, rootsOnly: boolean): string =>
  rootsOnly && isUsagePath(path) ? `trace_${path}` : path

/** The path in filters for one that a request names. */
export const pathOfRequest = (path: string): string => path.replace(/^trace_usage\./, 'usage.')
