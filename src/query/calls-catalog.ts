import { spellingsOf, toVendorPath } from '../formats/dialect/names.ts'
import { ownNamespaces } from '../formats/dialect/spellings.ts'
import type { Column } from '../lib/table.ts'
import type { Catalog, CatalogEntry, ColumnField, Field, JsonField, UsageField } from './catalog.ts'
import { columnTypes } from './table-catalog.ts'

/** A column of calls that queries may name. */
export interface CallsColumn
  extends Pick<Column, 'name' | 'type'>,
    Pick<ColumnField, 'emptyIfMissing' | 'nullIfEmpty'> {
  /** The server computes it, as a member of `summary.ext`. */
  readonly isSummary: boolean
}

const queueItems: CatalogEntry = {
  kind: 'group',
  members: new Map([['queue_id', { kind: 'queueItem', column: 'queue_id', type: 'text' }]]),
}

const feedback = new Map([
  ['payload', 'json'],
  ['runnable_ref', 'text'],
  ['trigger_ref', 'text'],
] as const)

/** Members that are always null. */
const absent: readonly [string, Field][] = ['deleted_at', 'expire_at'].map((name) => [
  name,
  { kind: 'absent', type: 'time' },
])

/** The kind that a client states. */
const callKind: JsonField = { kind: 'json', column: 'attributes', path: ['kind'], inSeveralCases: true }

const sizes = ['storage_size_bytes', 'total_storage_size_bytes']

/**
 * Statistics of the usage of a call (`usage.total_tokens`) and of its trace (`trace_usage.models`).
 */
const usageFigures = [
  ['total_tokens', { figure: 'tokens', type: 'integer' }],
  ['total_cost', { figure: 'cost', type: 'double' }],
  ['models', { figure: 'models', type: 'texts' }],
] as const

const usageOf = (over: UsageField['over']): CatalogEntry => ({
  kind: 'group',
  members: new Map(usageFigures.map(([name, figure]) => [name, { kind: 'usage', over, ...figure }])),
})

const usageGroups = [
  ['usage', usageOf('call')],
  ['trace_usage', usageOf('trace')],
] as const

/** The fields of calls where their usage and its prices can be read. */
export const withUsage = (catalog: Catalog): Catalog => ({
  ...catalog,
  fields: new Map([...catalog.fields, ...usageGroups]),
  suggestions: [
    ...catalog.suggestions,
    ...usageGroups.flatMap(([group]) => usageFigures.map(([name]) => `${group}.${name}`)),
  ],
})

/** The fields of calls, given the columns of their table. Both dialects' spellings are accepted. */
export function catalogOfCalls(columns: readonly CallsColumn[]): Catalog {
  const computed = new Map(columns.filter(({ isSummary }) => isSummary).map((column) => [column.name, fieldOf(column)]))
  const entries: readonly [string, CatalogEntry][] = [
    ...columns
      .filter(({ isSummary }) => !isSummary)
      .map((column): [string, CatalogEntry] => [column.name, entryOf(column, computed)]),
    ...absent,
  ]
  return {
    fields: new Map<string, CatalogEntry>([
      ...entries.flatMap(([name, entry]) =>
        acceptedNames(name, entry).map((spelling): [string, CatalogEntry] => [spelling, entry]),
      ),
      ['annotation_queue_items', queueItems],
    ]),
    feedback,
    suggestions: [
      ...entries.flatMap(([name]) => spellingsOf(name)),
      ...[...computed.keys()].flatMap((name) => [`summary.ext.${name}`, toVendorPath(`summary.ext.${name}`)]),
      ...['payload.value', 'runnable_ref', 'trigger_ref'].map((tail) => `feedback.[*].${tail}`),
      'annotation_queue_items.queue_id',
    ],
    unsortable: new Map(sizes.map((name) => [name, 'sizes are computed for the answer'])),
  }
}

function fieldOf({ name, type, emptyIfMissing, nullIfEmpty }: CallsColumn): ColumnField | JsonField {
  if (type === 'json') return { kind: 'json', column: name, path: [] }
  const options = { ...(emptyIfMissing && { emptyIfMissing }), ...(nullIfEmpty && { nullIfEmpty }) }
  return { kind: 'column', column: name, type: columnTypes[type], ...options }
}

/** The summary holds computed members beside those that the client sent. */
function entryOf(column: CallsColumn, computed: ReadonlyMap<string, Field>): CatalogEntry {
  const field = fieldOf(column)
  if (column.name === 'attributes' && field.kind === 'json') {
    return { kind: 'group', members: new Map([['kind', callKind]]), otherwise: field }
  }
  if (column.name !== 'summary' || field.kind !== 'json') return field
  const namespaces = ownNamespaces.map((namespace): [string, CatalogEntry] => [
    namespace,
    { kind: 'group', members: computed },
  ])
  return { kind: 'group', members: new Map(namespaces), otherwise: field }
}

/**
 * Every spelling of a name: neutral, the vendor's, and the vendor's older one of a JSON column
 * (`inputs_dump`).
 */
const acceptedNames = (name: string, { kind }: CatalogEntry): string[] => [
  ...spellingsOf(name),
  ...(kind === 'json' || kind === 'group' ? [`${name}_dump`] : []),
]
