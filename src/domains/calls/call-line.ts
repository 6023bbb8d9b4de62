import { isErrorInside } from '../../engine/tables/call-lineage.ts'
import type { CallRow } from '../../engine/tables/calls-table.ts'
import { ownMembersStart } from '../../formats/dialect/spellings.ts'
import { spanText } from '../../lib/stored-span.ts'
import type { Cell } from '../../lib/table.ts'
import { formatTime } from '../../lib/time.ts'
import type { OutputMember, OutputOptions } from '../../query/call-output.ts'
import type { CallMember } from '../../query/columns.ts'

/**
 * A whole call as JSON text: the text that DuckDB builds by `query/sql/call-columns.ts` for many
 * rows. For a single row, setting up those expressions costs more than reading it.
 */
export function callLine(row: CallRow, options: OutputOptions): string {
  const plain = options.members
    .filter(({ name, type }) => type !== 'json' && name !== 'ext_username')
    .map((member) => [options.nameOf(member.name), plainValue(row, member, options)])
  const name = options.usernames?.get(row.ext_user_id)
  const username = name === undefined ? '' : `,"${options.nameOf('ext_username')}":${JSON.stringify(name)}`
  const [attributes, inputs, output] = [attributesText(row), row.inputs ?? '{}', row.output ?? 'null']
  return (
    JSON.stringify(Object.fromEntries(plain)).slice(0, -1) +
    `${username},"attributes":${attributes},"inputs":${inputs},"output":${output},` +
    `"summary":${answeredSummary(row, options.namespace)}}`
  )
}

function plainValue(row: CallRow, { name, type }: OutputMember, { storageSize, retentionDays }: OutputOptions): Cell {
  if (name === 'storage_size_bytes') return storageSize ? row.payload_bytes : null
  if (name === 'expire_at') {
    const isKept = retentionDays === undefined || row.started_at === null
    return isKept ? null : formatTime(row.started_at + retentionDays * dayMicros)
  }
  // An empty text means that the name was cleared.
  if (name === 'display_name') return row[name] || null
  const cell = (row as Partial<Record<CallMember, Cell>>)[name] ?? null
  return type === 'time' && cell !== null ? formatTime(cell as number) : cell
}

const dayMicros = 86_400_000_000

/** Attributes, including the OpenTelemetry span that the call was made from, if any. */
function attributesText(row: CallRow): string {
  const text = row.attributes ?? '{}'
  const span = spanText(row)
  if (span === null) return text
  return text === '{}' ? `{"otel_span":${span}}` : `{"otel_span":${span},${text.slice(1)}`
}

/** The stored members from which the summary of a call is computed. */
export type SummarySource = Pick<
  CallRow,
  'status' | 'latency_ms' | 'display_name' | 'trace_name' | 'error_inside' | 'summary'
>

/**
 * The client's summary as JSON text, preceded by the server's own members.
 *
 * @param namespace the member with these, as the dialect spells it
 */
export function answeredSummary(row: SummarySource, namespace: string): string {
  const { status, latency_ms, display_name, trace_name } = row
  const latency = latency_ms === null ? '' : `,"latency_ms":${latency_ms}`
  const name = `,"${display_name ? 'display_name' : 'trace_name'}":${JSON.stringify(trace_name)}`
  const inside = isErrorInside(row.error_inside) ? `,"error_inside":${row.error_inside}` : ''
  const summary = row.summary ?? '{}'
  const computed = `{"${namespace}":{"status":"${status}"${latency}${name}${inside}`
  if (summary.startsWith(ownMembersStart)) return `${computed},${summary.slice(ownMembersStart.length)}`
  return `${computed}}${summary === '{}' ? '}' : `,${summary.slice(1)}`}`
}
