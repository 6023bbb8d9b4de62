import { opShortName } from '../../formats/dialect/ref.ts'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import { isTrialOp } from '../../lib/evaluation-ops.ts'
import { checkId, checkThreadName } from '../../lib/ids.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { keysOf } from '../../lib/present.ts'
import { isStoredLean, spanText, wholeSpan } from '../../lib/stored-span.ts'
import { type Cell, type CellReader, cellReader, type Row } from '../../lib/table.ts'
import { cellAt, partAt } from '../../lib/typed-rows.ts'
import { spanPlace } from '../../query/path-of-row.ts'
import { digestOfBytes, digestOfJson } from '../../runtime/digest.ts'
import { callLineage, isErrorInside } from './call-lineage.ts'
import { checkDisplayName, checkException, checkName, checkOpName, checkStep, checkTime } from './call-members.ts'
import { callsRollup } from './calls-rollup.ts'
import { integer, json, text, texts, time } from './columns.ts'
import { defineTable, type RowOf } from './define-table.ts'
import { filesTable } from './files-table.ts'
import { labelsTable, objectsTable } from './objects-table.ts'
import { tableLists } from './stored-tables.ts'
import { usageCells, usageColumns } from './usage-cells.ts'

/** The span is shown below this member. What users sent there themselves is looked up after it. */
const isNotSpan = ([member]: readonly string[]): boolean => member !== 'otel_span'

/** Whether a path in the stored span is an attribute that no other column may hold instead. */
const isOwnAttribute = (path: readonly string[]): boolean => path[0] === 'attributes' && spanPlace({ path }) === 'dump'

const derived = { derived: true, nullable: true } as const

/** The inputs of a call that has none. */
const noInputs = '{}'

/** One row a call, however many parts it arrived in. */
export const callsTable = defineTable({
  name: 'calls',
  description: 'Calls: one row each, no matter how many parts it arrived in.',
  columns: {
    id: text('id of the call, unique within its project', { bounds: true, bloom: true, located: true }),
    trace_id: text('id of the trace: the tree of calls that the call belongs to', {
      bounds: true,
      bloom: true,
      located: true,
    }),
    parent_id: text('id of the parent call; null for the root of a trace', {
      nullable: true,
      bloom: true,
      located: true,
      start: checkId,
    }),
    thread_id: text('conversation of the call, if any', {
      nullable: true,
      emptyIfMissing: true,
      located: true,
      start: checkThreadName,
    }),
    turn_id: text('turn of the conversation, if any; empty for a call that is no turn any more', {
      nullable: true,
      emptyIfMissing: true,
      nullIfEmpty: true,
      start: checkThreadName,
    }),
    op_name: text(
      'name of the traced function, or a ref to it; null in the end of a call whose start has not arrived',
      {
        bounds: true,
        searched: true,
        counted: true,
        start: checkOpName,
      },
    ),
    display_name: text('name set by a user; an empty text clears it', {
      nullable: true,
      searched: true,
      emptyIfMissing: true,
      nullIfEmpty: true,
      start: checkDisplayName,
    }),
    started_at: time('start of the call', { bounds: true, start: checkTime }),
    ended_at: time('end of the call; null while it runs', { nullable: true, bounds: true, end: checkTime }),
    exception: text('error, if the call failed', {
      nullable: true,
      searched: true,
      emptyIfMissing: true,
      end: checkException,
    }),
    attributes: json('JSON object: metadata', { pathed: { fits: isNotSpan }, searched: true }),
    // The payload of a span may arrive apart from it, or never.
    inputs: json('JSON object: arguments', { pathed: true, searched: true, ifMissing: noInputs }),
    output: json('JSON value: result', { nullable: true, pathed: true, searched: true }),
    summary: json(
      'JSON object: usage and counts as the client sent them; views that it set come first, as `ext.views`',
      {
        nullable: true,
        pathed: true,
      },
    ),
    otel_dump: json(
      'JSON object: the OpenTelemetry span that the call was created from; beside an object in `otel_group`, strings ' +
        'that begin with U+0001 mark what other columns hold',
      {
        nullable: true,
        exposed: 'query',
        pathed: {
          fits: isOwnAttribute,
          repeatsOthers: true,
          shownAs: { column: 'attributes', member: 'otel_span' },
          sharedIn: { column: 'otel_group', unless: wholeSpan },
        },
      },
    ),
    otel_group: json(
      'JSON object: members of the span that it shares with others, `resource` and `scope`; JSON `null` if ' +
        '`otel_dump` holds the whole span',
      { nullable: true, exposed: 'server' },
    ),
    input_refs: texts('refs found in the inputs', { nullable: true, exposed: 'query' }),
    output_refs: texts('refs found in the output', { nullable: true, exposed: 'query' }),
    ext_user_id: text('id of the API key that sent the start'),
    ext_run_id: text('run that the call belongs to', { nullable: true, start: checkName }),
    ext_run_step: integer('step of the run at the start', { nullable: true, start: checkStep }),
    ext_run_step_end: integer('step of the run at the end', { nullable: true, end: checkStep }),
    written_at: time('when the server last accepted a write for the call', { exposed: 'server' }),
    status: text('error, running, descendant_error or success', {
      derived: true,
      bounds: true,
      counted: true,
      exposed: 'summary',
    }),
    latency_ms: integer('whole milliseconds from start to end; null while the call runs', {
      ...derived,
      bounds: true,
      exposed: 'summary',
    }),
    trace_name: text('display name, else the name inside the op ref, else `op_name`', {
      ...derived,
      counted: true,
      exposed: 'summary',
    }),
    error_inside: json(
      'JSON object: the error of a descendant; the deepest one, and of several as deep the one with the least id: ' +
        '`call_id`, `error` (one line of it) and `depth` (levels below this call); null if no descendant failed, ' +
        'JSON `null` if none does any more',
      { nullable: true, exposed: 'summary' },
    ),
    usage_below: integer('1 if a descendant states usage; null or 0 otherwise', { nullable: true, exposed: 'server' }),
    usage_elsewhere: integer(
      '1 if another call of the trace, not below this one, states the usage of the same response; null otherwise',
      { nullable: true, exposed: 'server' },
    ),
    row_digest: text('dataset row of an evaluation trial; null for all other calls', { ...derived, exposed: 'server' }),
    payload_bytes: integer('size of attributes, inputs, output and summary as JSON', {
      derived: true,
      exposed: 'server',
    }),
    ...usageColumns,
  },
  id: 'id',
  order: ['started_at', 'id'],
  presence: 'op_name',
  updatedAt: 'written_at',
  refersTo: [labelsTable, objectsTable, tableLists, filesTable],
  parts: {
    completion: 'ended_at',
    derive: deriveCall,
    derivedOf,
    detach: { column: 'otel_group', run: detachSpan },
    lineage: (cells) => callLineage({ ...cells, deriveKnown: deriveStatus }),
  },
  rollup: callsRollup,
})

/** A stored call. */
export type CallRow = RowOf<typeof callsTable>

/**
 * Columns of which a whole call is made; the others are derived from them or not part of an answer.
 */
export const storedColumns: readonly string[] = callsTable.columns
  .filter(
    ({ storedIn, name }) =>
      storedIn === 'everywhere' && name !== 'input_refs' && name !== 'output_refs' && name !== 'written_at',
  )
  .map(({ name }) => name)

/** A call with its derived cells, which cost less to compute than to read. */
export function withDerived(cells: Readonly<Record<string, Cell>>): CallRow {
  const row = callsTable.columns.map(({ name }) => cells[name] ?? null)
  deriveCall(row)
  return wholeRow.read(row)
}

const wholeRow = callsTable.select(...keysOf(callsTable.specs))

const { at } = callsTable
const payloadCells = [at.attributes, at.inputs, at.output, at.summary]
const cellsOfUsage = keysOf(usageColumns).map((name) => [at[name], name] as const)

function deriveCall(row: Row): void {
  if (row[at.op_name] !== null) row[at.inputs] ??= noInputs
  fillDerived(row, cellReader(row))
}

const noCells: readonly Cell[] = new Array<Cell>(callsTable.columns.length).fill(null)

function derivedOf(call: CellReader): Row {
  const row = noCells.slice()
  fillDerived(row, call)
  return row
}

function fillDerived(row: Row, call: CellReader): void {
  const endedAt = call.number(at.ended_at)
  const startedAt = call.number(at.started_at)
  const displayName = call.text(at.display_name)
  const opName = call.text(at.op_name)
  const summary = call.text(at.summary)
  row[at.status] = statusOf(call.text(at.exception), endedAt, summary, call.text(at.error_inside))
  row[at.latency_ms] = endedAt === null || startedAt === null ? null : Math.floor((endedAt - startedAt) / 1000)
  const shortName = opName === null ? null : opShortName(opName)
  row[at.trace_name] = displayName || shortName
  row[at.row_digest] = isTrialOp(shortName) ? rowDigestOf(parseExactly(call.text(at.inputs) ?? noInputs)) : null
  const missingBytes = call.isNull(at.inputs) ? noInputs.length : 0
  row[at.payload_bytes] = payloadCells.reduce((sum, cell) => sum + call.textBytes(cell), missingBytes)
  const usage = usageCells(summary)
  for (const [cell, name] of cellsOfUsage) row[cell] = usage[name] ?? null
}

function deriveStatus(row: Row): void {
  const call = cellReader(row)
  const { exception, ended_at, summary, error_inside } = at
  row[at.status] = statusOf(call.text(exception), call.number(ended_at), call.text(summary), call.text(error_inside))
}

/** Cells that a span may be stored without. */
const heldCells = [at.trace_id, at.parent_id, at.started_at, at.ended_at, at.inputs, at.output]

/** Makes the span of `row` whole if `part` replaces a cell that the span is put together of. */
function detachSpan(row: Row, part: Row): void {
  if (!isStoredLean(partAt(row, at.otel_group)) || part[at.otel_dump] != null) return
  const isHeldElsewhere = heldCells.some((cell) => part[cell] != null && part[cell] !== row[cell])
  if (!isHeldElsewhere) return
  row[at.otel_dump] = spanTextOf(row)
  row[at.otel_group] = wholeSpan
}

/** The span that a row was made from, as JSON text; null if there is none. */
const spanTextOf = (row: Row): string | null =>
  spanText({
    otel_dump: partAt(row, at.otel_dump),
    otel_group: partAt(row, at.otel_group),
    id: cellAt(row, at.id),
    trace_id: partAt(row, at.trace_id),
    parent_id: partAt(row, at.parent_id),
    started_at: partAt(row, at.started_at),
    ended_at: partAt(row, at.ended_at),
    inputs: partAt(row, at.inputs),
    output: partAt(row, at.output),
  })

/**
 * Counts that a client states for descendants take precedence over the server's knowledge of them.
 */
function statusOf(
  exception: string | null,
  endedAt: number | null,
  summary: string | null,
  errorInside: string | null,
): string {
  if (exception) return 'error'
  if (endedAt === null) return 'running'
  const counted = summary?.includes('"status_counts"') ? countedErrors(summary) : undefined
  const isInside = counted === undefined ? isErrorInside(errorInside) : counted > 0
  return isInside ? 'descendant_error' : 'success'
}

/** Undefined if the client counted nothing. */
function countedErrors(summary: string): number | undefined {
  const { status_counts: counts }: { status_counts?: unknown } = JSON.parse(summary)
  return isJsonObject(counts) ? Number(counts['error'] ?? 0) : undefined
}

/**
 * The dataset row of a trial, identified by the trial's inputs: the digest at the end of the row's
 * ref, or else a digest of the row itself, which does not depend on the order of its members.
 */
function rowDigestOf(inputs: unknown): string {
  const example = isJsonObject(inputs) ? inputs['example'] : undefined
  if (typeof example !== 'string') return digestOfJson(example ?? null)
  return /\/attr\/rows\/id\/([^/]+)/.exec(example)?.[1] ?? digestOfBytes(example)
}
