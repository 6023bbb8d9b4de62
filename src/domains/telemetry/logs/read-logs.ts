import type { AnyOf } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { logsTable } from '../../../engine/tables/logs-table.ts'
import { DomainError } from '../../../lib/errors.ts'
import { parseTime } from '../../../lib/time.ts'
import type { OutputNames } from '../../../query/call-output.ts'
import { columnField, didYouMean } from '../../../query/catalog.ts'
import { all, type Expression, fieldOneOf, fieldValue } from '../../../query/expression.ts'
import type { ProjectReader } from '../../access/index.ts'
import { type LogsFilter, LogsFilter as LogsFilterSchema, type LogsQuery } from '../model/logs.ts'
import { TimedRows } from '../timed-rows.ts'

const equalities = [
  ['trace_ids', 'trace_id'],
  ['span_ids', 'span_id'],
  ['thread_ids', 'thread_id'],
  ['turn_ids', 'turn_id'],
  ['call_ids', 'call_id'],
  ['event_names', 'event_name'],
  ['service_names', 'service_name'],
] as const

/** Implements `logs/query`. */
export class LogReader {
  private readonly rows: TimedRows

  constructor(options: { readonly store: Store; readonly dialect: OutputNames }) {
    this.rows = new TimedRows(options, logsTable)
  }

  /** @throws like `TimedRows.query` */
  query(
    reader: ProjectReader,
    { filter, ...request }: Omit<LogsQuery, 'project_id'>,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    return this.rows.query(reader, { ...request, ...conditionOf(filter ?? {}) }, signal)
  }
}

/** @throws DomainError InvalidField for an unknown member, InvalidRequest for an invalid time */
function conditionOf(filter: LogsFilter): { where: Expression; anyOf: AnyOf } {
  checkMembers(filter)
  const items: Expression[] = []
  const anyOf: Record<string, readonly string[]> = {}
  for (const [member, column] of equalities) {
    const values = filter[member] ?? []
    if (values.length === 0) continue
    items.push(fieldOneOf(columnField(column), values))
    if (logsTable.filtered.includes(column)) anyOf[column] = values
  }
  if (filter.severity_min != null) items.push(atLeast('severity_number', filter.severity_min))
  const after = timeOf('after', filter.after)
  const before = timeOf('before', filter.before)
  if (after !== undefined || before !== undefined) {
    const through = before === undefined ? undefined : before - 1
    items.push({ kind: 'within', field: columnField('time', 'time'), after, through })
  }
  return { where: all(items), anyOf }
}

/** A misspelled member must not return every record. */
function checkMembers(filter: LogsFilter): void {
  const known = Object.keys(LogsFilterSchema.properties)
  for (const member of Object.keys(filter)) {
    if (known.includes(member)) continue
    const message = `Invalid filter.${member}: unknown member${didYouMean(member, known)}`
    throw new DomainError('InvalidField', message, { extras: { field: member } })
  }
}

const atLeast = (column: string, value: number): Expression => ({
  kind: 'compare',
  comparison: '>=',
  as: 'integer',
  left: fieldValue(columnField(column, 'integer')),
  right: { kind: 'constant', constant: { type: 'integer', value: BigInt(value) } },
})

function timeOf(member: string, text: string | null | undefined): number | undefined {
  if (text == null) return undefined
  const micros = parseTime(text)
  if (micros === undefined) throw new DomainError('InvalidRequest', `Invalid filter.${member}: not a time`)
  return micros
}
