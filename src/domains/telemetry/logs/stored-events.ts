import type { Store } from '../../../engine/store.ts'
import { clientColumns } from '../../../engine/tables/define-table.ts'
import { logsTable } from '../../../engine/tables/logs-table.ts'
import type { LogEvent } from '../../../formats/mapping/logs/log-event.ts'
import { parseExactly, parseObject } from '../../../formats/wire/exact-json.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { columnField } from '../../../query/catalog.ts'
import { all, type Expression, fieldOneOf, fieldValue } from '../../../query/expression.ts'
import type { SortRules } from '../../../query/sort.ts'
import { ascendingBy } from '../../../query/sort.ts'
import { tableCatalog } from '../../../query/table-catalog.ts'
import type { ProjectReader } from '../../access/index.ts'
import { TableRows } from '../../records/index.ts'

/** Which events are wanted: those with all the values that are given. */
export interface WantedEvents {
  readonly threadId?: string
  /** null: events that belong to no turn. */
  readonly turnId?: string | null
  readonly spanIds?: readonly string[]
  readonly names: readonly string[]
}

/** An event with the id of its row. */
export interface StoredEvent {
  readonly id: string
  readonly event: LogEvent
}

const newestFirst: SortRules = {
  catalog: tableCatalog({ columns: clientColumns(logsTable) }),
  otherwise: [{ field: 'time', direction: 'desc' }],
  tieBreaker: ascendingBy('id'),
}

const cells = logsTable.select(
  'id',
  'time',
  'observed_at',
  'trace_id',
  'span_id',
  'thread_id',
  'event_name',
  'severity_number',
  'severity_text',
  'service_name',
  'body',
  'attributes',
  'resource',
  'scope',
)

/** Reads stored records back as events. */
export class StoredEvents {
  private readonly rows: TableRows

  constructor(store: Store) {
    this.rows = new TableRows({ store, table: logsTable, rules: newestFirst })
  }

  /** The newest events, at most `eventsReadMax`. */
  async find(reader: ProjectReader, wanted: WantedEvents): Promise<StoredEvent[]> {
    const selection = { ...conditionOf(wanted), limit: telemetryLimits.eventsReadMax }
    const rows = await this.rows.select(reader, cells, selection)
    return rows.map((row) => {
      const { name: scopeName } = parseObject(row.scope)
      const group = {
        resource: parseObject(row.resource),
        scopeName: typeof scopeName === 'string' ? scopeName : '',
        serviceName: row.service_name,
        resourceText: row.resource,
        scopeText: row.scope,
      }
      const event = {
        time: row.time,
        observedAt: row.observed_at,
        traceId: row.trace_id,
        spanId: row.span_id,
        name: row.event_name,
        threadId: row.thread_id,
        severityNumber: row.severity_number,
        severityText: row.severity_text,
        body: row.body === null ? null : parseExactly(row.body),
        attributes: parseObject(row.attributes),
        group,
      }
      return { id: row.id, event }
    })
  }

  /** Whether there is any such event. */
  async exist(reader: ProjectReader, wanted: WantedEvents): Promise<boolean> {
    const id = logsTable.select('id')
    return (await this.rows.select(reader, id, { ...conditionOf(wanted), limit: 1 })).length > 0
  }
}

function conditionOf({ threadId, turnId, spanIds, names }: WantedEvents) {
  const anyOf: Record<string, readonly string[]> = {}
  const where: Expression[] = [fieldOneOf(columnField('event_name'), names)]
  const equal = (column: 'thread_id' | 'turn_id' | 'span_id', values: readonly string[]) => {
    where.push(fieldOneOf(columnField(column), values))
    anyOf[column] = values
  }
  if (threadId !== undefined) equal('thread_id', [threadId])
  if (turnId !== undefined && turnId !== null) equal('turn_id', [turnId])
  if (turnId === null) where.push({ kind: 'isNull', value: fieldValue(columnField('turn_id')) })
  if (spanIds !== undefined) equal('span_id', spanIds)
  return { where: all(where), anyOf }
}
