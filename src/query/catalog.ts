import { DomainError } from '../errors.ts'
import { neutralFeedbackType } from '../model/feedback-type.ts'
import { parseFieldPath } from './field-path.ts'
import { nearest } from './nearest.ts'

/** What a field of a call is made of. */
export type Field =
  | { readonly kind: 'column'; readonly column: string; readonly type: 'text' | 'time' | 'integer' | 'texts' }
  /** A value inside a JSON column; an empty path is the whole column. `of` says whose column: the call's, or its feedback's. */
  | {
      readonly kind: 'json'
      readonly column: string
      readonly path: readonly string[]
      readonly of?: FeedbackType
      /** Shorter paths at which refs may stand that are looked through, from the shallow to the deep. */
      readonly expanded?: readonly ExpandedPath[]
    }
  /** A text of the call's feedback. */
  | { readonly kind: 'feedback'; readonly column: string; readonly type: 'text'; readonly of: FeedbackType }
  /** Of the items of annotation queues that hold the call. */
  | { readonly kind: 'queueItem'; readonly column: 'queue_id'; readonly type: 'text' }
  /** A value inside a JSON column that this branch also keeps as a column of its own. Made by `lower`. */
  | { readonly kind: 'typedPath'; readonly column: string; readonly type: 'text' | 'integer' | 'double' | 'boolean' }
  /** A field that exists in the API and is always null here. */
  | { readonly kind: 'absent'; readonly type: 'time' }

/** What the refs at a path stand for: `values` are JSON texts, in the order of `refs`. */
export interface ExpandedPath {
  readonly path: readonly string[]
  readonly refs: { readonly texts: readonly string[] }
  readonly values: { readonly texts: readonly string[] }
}

/**
 * Where the span lies that calls made of spans show under `attributes.otel_span`; undefined for all other paths. Calls that were sent
 * with a member of that name have it in their attributes.
 */
export function ofSpan(field: Extract<Field, { kind: 'json' }>): Extract<Field, { kind: 'json' }> | undefined {
  const { column, path, of } = field
  const isShown = of === undefined && column === 'attributes' && path[0] === 'otel_span'
  return isShown ? { kind: 'json', column: 'otel_dump', path: path.slice(1) } : undefined
}

/** Feedback of one type, or of any. */
interface FeedbackType {
  readonly feedbackType: string | undefined
}

/** Whether a field belongs to the feedback of a call, not to the call itself. */
export const isOfFeedback = (field: Field): boolean => 'of' in field && field.of !== undefined

/** Whether a field says which annotation queues a call is in. */
export const isOfQueue = (field: Field): boolean => field.kind === 'queueItem'

const texts = [
  'id',
  'project_id',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'op_name',
  'display_name',
  'exception',
]
const columns: ReadonlyMap<string, Field> = new Map<string, Field>([
  ...[...texts, 'ext_user_id', 'ext_run_id'].map((name): [string, Field] => [
    name,
    { kind: 'column', column: name, type: 'text' },
  ]),
  ...['started_at', 'ended_at'].map((name): [string, Field] => [name, { kind: 'column', column: name, type: 'time' }]),
  ...['ext_run_step', 'ext_run_step_end'].map((name): [string, Field] => [
    name,
    { kind: 'column', column: name, type: 'integer' },
  ]),
  ...['input_refs', 'output_refs'].map((name): [string, Field] => [
    name,
    { kind: 'column', column: name, type: 'texts' },
  ]),
  ['deleted_at', { kind: 'absent', type: 'time' }],
  ['expire_at', { kind: 'absent', type: 'time' }],
])

/** Computed members of `summary.ext`, kept as columns. */
const computed: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['status', { kind: 'column', column: 'status', type: 'text' }],
  ['latency_ms', { kind: 'column', column: 'latency_ms', type: 'integer' }],
  ['trace_name', { kind: 'column', column: 'trace_name', type: 'text' }],
])

const jsonColumns: ReadonlySet<string> = new Set(['inputs', 'output', 'attributes', 'summary', 'otel_dump'])
const ownNamespaces: ReadonlySet<string> = new Set(['ext', 'weave'])

/** Names that can be asked for at the top level; vendor spellings are understood in both dialects. */
const knownFields: readonly string[] = [
  ...columns.keys(),
  ...jsonColumns,
  ...[...computed.keys()].map((name) => `summary.ext.${name}`),
  ...['payload.value', 'runnable_ref', 'trigger_ref'].map((tail) => `feedback.[*].${tail}`),
  'annotation_queue_items.queue_id',
]

/**
 * The field that `path` names in a filter or a sort.
 *
 * @throws DomainError InvalidField naming the field and the nearest known one
 */
export function resolveField(path: string): Field {
  if (path.startsWith('feedback.')) return feedbackField(path)
  const [first, ...rest] = parseFieldPath(path) as [string, ...string[]]
  const name = neutralName(first)
  const column = columns.get(name)
  if (column !== undefined) {
    if (rest.length === 0) return column
    throw unknownField(path)
  }
  if (name === 'annotation_queue_items' && rest.length === 1 && rest[0] === 'queue_id') {
    return { kind: 'queueItem', column: 'queue_id', type: 'text' }
  }
  if (!jsonColumns.has(name)) throw unknownField(path)
  if (name === 'summary' && rest.length > 0 && ownNamespaces.has(rest[0]!)) {
    const field = rest.length === 2 ? computed.get(rest[1]!) : undefined
    if (field === undefined) throw unknownField(path)
    return field
  }
  return { kind: 'json', column: name, path: rest }
}

/** `feedback.[TYPE].payload.path`, `feedback.[TYPE].runnable_ref`, `feedback.[TYPE].trigger_ref`; TYPE `*` is any. */
function feedbackField(path: string): Field {
  const match = /^feedback\.\[([^\]]+)\]\.(.+)$/s.exec(path)
  if (match === null) throw unknownField(path)
  const of = { feedbackType: match[1] === '*' ? undefined : neutralFeedbackType(match[1]!) }
  const [tail, ...rest] = parseFieldPath(match[2]!) as [string, ...string[]]
  if (tail === 'payload' && rest.length > 0) return { kind: 'json', column: 'payload', path: rest, of }
  if ((tail === 'runnable_ref' || tail === 'trigger_ref') && rest.length === 0) {
    return { kind: 'feedback', column: tail, type: 'text', of }
  }
  throw unknownField(path)
}

/** A top-level name in neutral spelling: `wb_user_id` → `ext_user_id`, `inputs_dump` → `inputs`. */
export function neutralName(name: string): string {
  const withoutDump = name.endsWith('_dump') && jsonColumns.has(name.slice(0, -5)) ? name.slice(0, -5) : name
  return withoutDump.startsWith('wb_') ? `ext_${withoutDump.slice(3)}` : withoutDump
}

/** Both spellings of every known field, so that a suggestion comes in the spelling that was used. */
const spellings: readonly string[] = knownFields.flatMap((name) => [
  name,
  ...(name.startsWith('ext_') ? [`wb_${name.slice(4)}`] : []),
  ...(name.startsWith('summary.ext.') ? [`summary.weave.${name.slice(12)}`] : []),
])

function unknownField(path: string): DomainError {
  return new DomainError(
    'InvalidField',
    `Read the field "${path}": there is none; did you mean "${nearest(path, spellings)}"?`,
    {
      extras: { field: path },
    },
  )
}
