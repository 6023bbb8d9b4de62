import { heldAttributes } from '../../lib/held-attributes.ts'
import { jsonPointer } from '../../lib/json-pointer.ts'
import { type SqlField, text } from './as-sql-values.ts'

type Column = readonly [sql: string, type: SqlField['type'], isEmptyIfMissing?: boolean]

/** Columns that have the same values as the fields of filters. */
const columns: Readonly<Record<string, Column>> = {
  'summary.ext.status': ['status', 'text'],
  'summary.ext.latency_ms': ['latency_ms', 'number'],
  'summary.ext.trace_name': ['trace_name', 'text'],
  op_name: ['op_name', 'text'],
  exception: ['exception', 'text', true],
  thread_id: ['thread_id', 'text', true],
  ext_user_id: ['ext_user_id', 'text'],
  ext_run_id: ['ext_run_id', 'text'],
  started_at: ['started_at', 'time'],
  ended_at: ['ended_at', 'time'],
  trace_id: ['trace_id', 'text'],
  parent_id: ['parent_id', 'text'],
  id: ['id', 'text'],
  // A name or a turn that was taken away is stored as an empty text.
  turn_id: ["nullif(turn_id, '')", 'text', true],
  display_name: ["nullif(display_name, '')", 'text', true],
  'usage.total_tokens': ['tokens', 'number'],
  'usage.total_cost': ['cost', 'number'],
  'usage.models': ['models', 'texts'],
}

const inTrace = (alias: string) => `${alias}.project_id = calls.project_id and ${alias}.trace_id = calls.trace_id`
const modelsInTrace = 'list_distinct(flatten(list(own.models) filter (own.models is not null)))'

/** What all calls of a trace used; `usage` has each use once. */
const ofTrace: Readonly<Record<string, Column>> = {
  'usage.total_tokens': [`(select sum(u.total_tokens) from usage u where ${inTrace('u')})`, 'number'],
  'usage.total_cost': [`(select round(sum(u.cost), 12) from usage u where ${inTrace('u')})`, 'number'],
  'usage.models': [`(select ${modelsInTrace} from calls own where ${inTrace('own')})`, 'texts'],
}

/** The field that a path of a filter names; undefined if no SQL reads the same. */
export function sqlField(path: string, rootsOnly: boolean): SqlField | undefined {
  const column = (rootsOnly ? ofTrace[path] : undefined) ?? columns[path]
  if (column) return asField(column)
  if (path === 'annotation_queue_items.queue_id') return queueOfCall
  if (path.startsWith('feedback.')) return feedbackField(path)
  const [root = '', ...rest] = path.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))
  if (rest.includes('')) return undefined
  switch (root) {
    case 'inputs':
    case 'output':
      return inJson([root], rest)
    case 'attributes':
      if (rest[0] === 'otel_span') return spanField(rest)
      return { ...inJson([root], rest), inSeveralCases: rest[0] === 'kind' }
    case 'summary':
      return summaryField(rest)
    default:
      return undefined
  }
}

/** Members that the server computes are columns. */
function summaryField(path: readonly string[]): SqlField | undefined {
  const [namespace, member, ...rest] = path
  if (namespace !== 'ext' && namespace !== 'weave') return inJson(['summary'], path)
  if (member === 'error_inside') return inJson(['error_inside'], rest)
  const column = rest.length === 0 ? columns[`summary.ext.${member}`] : undefined
  return column && asField(column)
}

const asField = ([sql, type, isEmptyIfMissing = false]: Column): SqlField => ({ sql, type, isEmptyIfMissing })

const heldPaths = heldAttributes.map((name) => name.split('.'))

/** A value of the span of a call; undefined where the span repeats what other columns hold. */
function spanField(path: readonly string[]): SqlField | undefined {
  const [member, ...names] = path.slice(1)
  if (member === undefined || ['context', 'parent_id', 'start_time', 'end_time'].includes(member)) return undefined
  const isHeld = heldPaths.some((held) => held.every((name, at) => at >= names.length || names[at] === name))
  if (member === 'attributes' && isHeld) return undefined
  const columns = member === 'resource' || member === 'scope' ? ['otel_group', 'otel_dump'] : ['otel_dump']
  const [span, ofUser] = [inJson(columns, path.slice(1)), inJson(['attributes'], path)]
  return {
    type: 'json',
    sql: `coalesce(${span.sql}, ${ofUser.sql})`,
    json: `coalesce(${span.json}, ${ofUser.json})`,
  }
}

const queueOfCall: SqlField = {
  type: 'text',
  sql: 'q.queue_id',
  within: (condition) => `exists (
    select 1 from annotation_queue_items q join annotation_queues on annotation_queues.id = q.queue_id
    where q.project_id = calls.project_id and q.call_id = calls.id and annotation_queues.deleted_at is null
      and annotation_queues.project_id = q.project_id and ${condition})`,
}

/** `feedback.[TYPE].payload.path` and `feedback.[TYPE].runnable_ref`; `*` is any type. */
function feedbackField(path: string): SqlField | undefined {
  const [, type = '', inside = ''] = /^feedback\.\[([^\]]+)\]\.(.+)$/s.exec(path) ?? []
  const [column = '', ...rest] = inside.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))
  if (type.startsWith('wandb.') || rest.includes('')) return undefined
  const [, scorer, version] = /^(ext\.runnable\..+):([^:/]+)$/.exec(type) ?? []
  const terms = [
    'f.project_id = calls.project_id and f.call_id = calls.id',
    ...(type === '*' ? [] : [`f.feedback_type = ${text(scorer ?? type)}`]),
    ...(version === undefined ? [] : [`ends_with(f.runnable_ref, ${text(`:${version}`)})`]),
  ]
  const within = (condition: string, isPresenceTest: boolean): string => {
    const any = `(select bool_or(${condition}) from feedback f where ${terms.join(' and ')})`
    return isPresenceTest ? `coalesce(${any}, false)` : any
  }
  if (column === 'payload' && rest.length > 0) return { ...inJson(['f.payload'], rest), within }
  const isText = (column === 'runnable_ref' || column === 'trigger_ref') && rest.length === 0
  return isText ? { type: 'text', sql: `f.${column}`, within } : undefined
}

/** A value inside JSON: in the first of the columns that has the path. */
function inJson(columns: readonly string[], path: readonly string[]): SqlField & { readonly json: string } {
  const values = columns.map((column) => jsonAt(column, path))
  const first = (texts: readonly string[]) => (texts.length === 1 ? texts.join('') : `coalesce(${texts.join(', ')})`)
  return {
    type: 'json',
    sql: first(values.map(({ plain }) => plain)),
    json: first(values.map(({ json }) => json)),
  }
}

/** Negative segments count from the end of an array; pointers have none of them. */
function jsonAt(column: string, path: readonly string[]): { readonly plain: string; readonly json: string } {
  const isFromEnd = (segment: string): boolean => /^-[1-9]\d{0,8}$/.test(segment)
  if (path.length > 0 && !path.some(isFromEnd)) {
    const pointer = text(jsonPointer(path))
    return {
      plain: `json_extract_string(${column}, ${pointer})`,
      json: `(json_extract(${column}, ${pointer})::varchar)`,
    }
  }
  let json = `${column}::json`
  let run: string[] = []
  const step = (): void => {
    if (run.length > 0) json = `json_extract(${json}, ${text(jsonPointer(run))})`
    run = []
  }
  for (const segment of path) {
    if (!isFromEnd(segment)) run.push(segment)
    else {
      step()
      json = `coalesce(json_extract(${json}, ${segment}), json_extract(${json}, ${text(`/${segment}`)}))`
    }
  }
  step()
  return { plain: `(${json} ->> '$')`, json: `(${json}::varchar)` }
}
