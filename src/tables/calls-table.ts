import { isTrialOp, opShortName } from '../kernel/op-name.ts'
import { type Cell, type Column, column, columnIndex, type Row, type Table } from '../kernel/table.ts'
import { parseExactly } from '../wire/exact-json.ts'
import { rowDigestOf } from './row-digest.ts'
import { type UsageCells, usageCells, usageColumns } from './usage-cells.ts'

const columns: readonly Column[] = [
  column('project_id', 'text', 'entity/project'),
  column('id', 'text', 'id of the call, unique in its project'),
  column('trace_id', 'text', 'id of the tree of calls that the call belongs to'),
  column('parent_id', 'text', 'id of the call that made this one; null for the root of a trace'),
  column('thread_id', 'text', 'conversation that the call belongs to'),
  column('turn_id', 'text', 'turn of the conversation that the call belongs to'),
  column('op_name', 'text', 'name of the traced function, or a ref to it'),
  column('display_name', 'text', 'name given by a person; an empty text clears it'),
  column('started_at', 'time', 'start of the call, UTC'),
  column('ended_at', 'time', 'end of the call, UTC; null while it runs'),
  column('exception', 'text', 'what went wrong, if anything'),
  column('attributes', 'json', 'JSON object: metadata'),
  column('inputs', 'json', 'JSON object: arguments'),
  column('output', 'json', 'JSON value: result'),
  column('summary', 'json', 'JSON object: usage and counts as the client sent them'),
  column('otel_dump', 'json', 'JSON object: the OpenTelemetry span that the call was made from'),
  column('input_refs', 'texts', 'refs that stand in the inputs'),
  column('output_refs', 'texts', 'refs that stand in the output'),
  column('ext_user_id', 'text', 'id of the API key that sent the start'),
  column('ext_run_id', 'text', 'run that the call belongs to'),
  column('ext_run_step', 'integer', 'step of the run at the start'),
  column('ext_run_step_end', 'integer', 'step of the run at the end'),
  column('written_at', 'time', 'when the server last accepted something for the call, UTC'),
  column('deleted_at', 'time', 'marks a deletion', 'wal'),
  column('status', 'text', 'error, running, descendant_error or success', 'files'),
  column('latency_ms', 'integer', 'whole milliseconds from start to end; null while the call runs', 'files'),
  column('trace_name', 'text', 'display name, else the name inside the op ref, else op_name', 'files'),
  column('row_digest', 'text', 'for a trial of an evaluation: which row of the dataset it is about', 'files'),
  column('payload_bytes', 'integer', 'bytes of attributes, inputs, output and summary as JSON', 'files'),
  ...usageColumns,
]

/** Positions of the cells of a call. */
export const at = Object.fromEntries(columns.map(({ name }, index) => [name, index])) as Readonly<
  Record<string, number>
>

/** Calls: one row a call, however many parts it arrived in. */
export const callsTable: Table = {
  name: 'calls',
  columns,
  key: ['project_id', 'id'],
  merge: 'cells',
  order: ['project_id', 'started_at', 'id'],
  bounded: ['project_id', 'id', 'trace_id', 'started_at', 'ended_at', 'op_name', 'status', 'latency_ms'],
  filtered: ['id', 'trace_id', 'parent_id'],
  updatedAtColumn: 'written_at',
  tombstoneColumn: 'deleted_at',
  presenceColumn: 'op_name',
  completionColumn: 'ended_at',
  derive: deriveCall,
}

/** Columns of which a whole call is made; the others are derived from them. */
export const storedColumns: readonly string[] = columns
  .filter(
    ({ storedIn, name }) =>
      storedIn === 'everywhere' && name !== 'input_refs' && name !== 'output_refs' && name !== 'written_at',
  )
  .map(({ name }) => name)

/** A call with its derived cells, which cost less to make than to read. */
export function withDerived(row: Readonly<Record<string, Cell>>): Record<string, Cell> {
  const cells = columns.map(({ name }) => row[name] ?? null)
  deriveCall(cells)
  return Object.fromEntries(columns.map(({ name }, index) => [name, cells[index]!]))
}

const cells = {
  opName: index('op_name'),
  displayName: index('display_name'),
  startedAt: index('started_at'),
  endedAt: index('ended_at'),
  exception: index('exception'),
  summary: index('summary'),
  status: index('status'),
  latencyMs: index('latency_ms'),
  traceName: index('trace_name'),
  inputs: index('inputs'),
  rowDigest: index('row_digest'),
  payloadBytes: index('payload_bytes'),
  payload: ['attributes', 'inputs', 'output', 'summary'].map(index),
  usage: usageColumns.map(({ name }) => [index(name), name as keyof UsageCells] as const),
}

function index(name: string): number {
  return columnIndex({ columns } as Table, name)
}

function deriveCall(row: Row): void {
  const endedAt = row[cells.endedAt] as number | null
  const startedAt = row[cells.startedAt] as number | null
  const displayName = row[cells.displayName] as string | null
  const opName = row[cells.opName] as string | null
  row[cells.status] = statusOf(row[cells.exception] as string | null, endedAt, row[cells.summary] as string | null)
  row[cells.latencyMs] = endedAt === null || startedAt === null ? null : Math.floor((endedAt - startedAt) / 1000)
  const shortName = opName === null ? null : opShortName(opName)
  row[cells.traceName] = displayName || shortName
  row[cells.rowDigest] = isTrialOp(shortName)
    ? rowDigestOf(parseExactly((row[cells.inputs] as string | null) ?? '{}'))
    : null
  row[cells.payloadBytes] = cells.payload.reduce((sum, cell) => sum + utf8Bytes(row[cell] ?? null), 0)
  const usage = usageCells(row[cells.summary] as string | null)
  for (const [cell, name] of cells.usage) row[cell] = usage[name] ?? null
}

function statusOf(exception: string | null, endedAt: number | null, summary: string | null): string {
  if (exception) return 'error'
  if (endedAt === null) return 'running'
  return summary?.includes('"status_counts"') && errorsBelow(summary) > 0 ? 'descendant_error' : 'success'
}

function errorsBelow(summary: string): number {
  const counts = (JSON.parse(summary) as { status_counts?: { error?: unknown } | null }).status_counts
  return Number(counts?.error ?? 0)
}

function utf8Bytes(cell: Cell): number {
  return typeof cell === 'string' ? Buffer.byteLength(cell) : 0
}
