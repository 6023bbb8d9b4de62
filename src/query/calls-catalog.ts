import { toVendorName, toVendorPath } from '../dialect/names.ts'
import { ownNamespaces } from '../dialect/spellings.ts'
import {
  type Catalog,
  type CatalogEntry,
  type ColumnField,
  type Field,
  type JsonField,
  resolveField,
} from './catalog.ts'

const column = (name: string, type: ColumnField['type'], options: Partial<ColumnField> = {}): [string, Field] => [
  name,
  { kind: 'column', column: name, type, ...options },
]
const json = (name: string): JsonField => ({ kind: 'json', column: name, path: [] })

const columns: readonly [string, Field][] = [
  column('id', 'text'),
  column('project_id', 'text'),
  column('trace_id', 'text'),
  column('parent_id', 'text'),
  column('thread_id', 'text', { emptyIfMissing: true }),
  column('turn_id', 'text', { emptyIfMissing: true }),
  column('op_name', 'text'),
  column('display_name', 'text', { emptyIfMissing: true, nullIfEmpty: true }),
  column('exception', 'text', { emptyIfMissing: true }),
  column('ext_user_id', 'text'),
  column('ext_run_id', 'text'),
  column('started_at', 'time'),
  column('ended_at', 'time'),
  column('ext_run_step', 'integer'),
  column('ext_run_step_end', 'integer'),
  column('input_refs', 'texts'),
  column('output_refs', 'texts'),
  ['deleted_at', { kind: 'absent', type: 'time' }],
  ['expire_at', { kind: 'absent', type: 'time' }],
]

const jsonColumns: readonly string[] = ['inputs', 'output', 'attributes', 'summary', 'otel_dump']

/** Members of `summary.ext` that the server computes and keeps in columns. */
const computed = new Map<string, Field>([
  column('status', 'text'),
  column('latency_ms', 'integer'),
  column('trace_name', 'text'),
])

const summary: CatalogEntry = {
  kind: 'group',
  members: new Map(ownNamespaces.map((namespace) => [namespace, { kind: 'group', members: computed }])),
  otherwise: json('summary'),
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

const entries: readonly [string, CatalogEntry][] = [
  ...columns,
  ...jsonColumns.map((name): [string, CatalogEntry] => [name, name === 'summary' ? summary : json(name)]),
]

/** Every spelling of a name: neutral, the vendor's, and the vendor's older one of a JSON column (`inputs_dump`). */
const spellingsOf = (name: string): string[] => [
  ...new Set([name, toVendorName(name), ...(jsonColumns.includes(name) ? [`${name}_dump`] : [])]),
]

const sizes = ['storage_size_bytes', 'total_storage_size_bytes']

/** The fields of calls. Both dialects' spellings are accepted. */
export const callsCatalog: Catalog = {
  fields: new Map<string, CatalogEntry>([
    ...entries.flatMap(([name, entry]) =>
      spellingsOf(name).map((spelling): [string, CatalogEntry] => [spelling, entry]),
    ),
    ['annotation_queue_items', queueItems],
  ]),
  feedback,
  suggestions: [
    ...entries.flatMap(([name]) => [...new Set([name, toVendorName(name)])]),
    ...[...computed.keys()].flatMap((name) => [`summary.ext.${name}`, toVendorPath(`summary.ext.${name}`)]),
    ...['payload.value', 'runnable_ref', 'trigger_ref'].map((tail) => `feedback.[*].${tail}`),
    'annotation_queue_items.queue_id',
  ],
  unsortable: new Map(sizes.map((name) => [name, 'sizes are computed for the answer'])),
}

/** The field of a call that `path` names. @throws DomainError InvalidField */
export const callField = (path: string): Field => resolveField(callsCatalog, path)
