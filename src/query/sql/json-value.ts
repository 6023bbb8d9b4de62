import { jsonPointer } from '../../lib/json-pointer.ts'
import { type ExpandedPath, type JsonField, ofSpan } from '../catalog.ts'
import { isInSpan, sharedOfSpan, spanPlace, textPathOf } from '../path-of-row.ts'
import type { Parameters } from './parameters.ts'
import type { Scope } from './scope.ts'
import { spanTextSql } from './span-text.ts'

/** The JSON at a path as JSON text (`"a"`, `5.0`, `null`); SQL null if the path is missing. */
export function jsonTextSql(field: JsonField, scope: Scope): string {
  const own = pathColumnSql(field, scope)
  if (own !== undefined) return own
  return `(${jsonSql(field, scope)}::VARCHAR)`
}

/** A string without its quotes, other JSON as printed; null if the path is missing or JSON null. */
export function plainTextSql(field: JsonField, scope: Scope): string {
  const own = pathColumnSql(field, scope)
  if (own !== undefined) return `json_extract_string(${own}, '$')`
  const span = ofSpan(field)
  if (span === undefined) return ownPlainTextSql(field, scope)
  return orOfUser(span, ownPlainTextSql(span, scope), () => ownPlainTextSql(field, scope), scope)
}

/**
 * A value in the span, or in an attribute that a user named like the span, which hardly any call
 * has.
 */
function orOfUser(span: JsonField, sql: string, ofUser: () => string, scope: Scope): string {
  if (isOnlyShared(span, scope)) return sql
  return `coalesce(${sql}, CASE WHEN contains(${scope.alias}."attributes", '"otel_span"') THEN ${ofUser()} END)`
}

/** The column that holds the JSON text at the path, if the rows have one. */
export function pathColumnSql(field: JsonField, { alias, pathColumns }: Scope): string | undefined {
  const path = pathColumns && textPathOf(field)
  const column = path === undefined ? undefined : pathColumns?.get(path)
  return column === undefined ? undefined : `${alias}."${column}"`
}

/** Whether the value is read without the JSON that differs from row to row. */
export const isCheap = (field: JsonField, scope: Scope): boolean =>
  pathColumnSql(field, scope) !== undefined || isOnlyShared(ofSpan(field) ?? field, scope)

/** Whether only the column of what spans share can have the value, also as it is shown. */
const isOnlyShared = (span: JsonField, { pathColumns }: Scope): boolean =>
  isInSpan(span) && spanPlace(span) === 'group' && pathColumns?.has(sharedOfSpan.shown) === true

function ownPlainTextSql(field: JsonField, scope: Scope): string {
  const pieces = piecesOf(field.path)
  const [only] = pieces
  if (!field.expanded && pieces.length === 1 && typeof only === 'string' && only !== '') {
    return firstOf(textsOf(field, scope), (json) => `json_extract_string(${json}, ${scope.parameters.bind(only)})`)
  }
  return `(${ownJsonSql(field, scope)} ->> '$')`
}

function jsonSql(field: JsonField, scope: Scope): string {
  const span = ofSpan(field)
  if (span === undefined) return ownJsonSql(field, scope)
  return orOfUser(span, ownJsonSql(span, scope), () => ownJsonSql(field, scope), scope)
}

function ownJsonSql({ expanded = [], ...field }: JsonField, scope: Scope): string {
  const pieces = piecesOf(field.path)
  const own = firstOf(textsOf(field, scope), (json) => insideSql(json, pieces, scope.parameters))
  if (expanded.length === 0) return own
  // A ref has no members, so at most one of these is not null.
  return `coalesce(${[...expanded.map((at) => behindRefSql(field, at, scope)), own].join(', ')})`
}

/** The value inside what the ref at a shorter path points to; null without a known ref. */
function behindRefSql(field: JsonField, { path, refs, values }: ExpandedPath, scope: Scope): string {
  const ref = plainTextSql({ ...field, path }, scope)
  const known = `SELECT unnest(${scope.parameters.bind(refs)}) AS ref, unnest(${scope.parameters.bind(values)})
    AS content`
  const content = `(SELECT x.content FROM (${known}) x WHERE x.ref = ${ref})`
  return jsonAtSql(content, field.path.slice(path.length), scope.parameters)
}

/**
 * The JSON at a path inside JSON, given as SQL; null if the path is missing. Negative segments
 * count from the end of an array.
 */
export const jsonAtSql = (json: string, path: readonly string[], parameters: Parameters): string =>
  insideSql(json, piecesOf(path), parameters)

function insideSql(json: string, pieces: readonly (string | bigint)[], parameters: Parameters): string {
  return pieces.reduce<string>((json, piece) => {
    if (typeof piece === 'string') {
      return piece === '' ? `${json}::JSON` : `json_extract(${json}, ${parameters.bind(piece)})`
    }
    // An index from the end of an array, or the key of an object.
    const key = parameters.bind(`/${piece}`)
    return `coalesce(json_extract(${json}, ${parameters.bind(piece)}::BIGINT), json_extract(${json}, ${key}))`
  }, json)
}

/** SQL of the JSON texts in which a path is looked up, one after the other. */
function textsOf(field: JsonField, scope: Scope): readonly string[] {
  const alias = field.of === undefined ? scope.alias : scope.feedbackAlias
  if (alias === undefined) throw new Error('A feedback field is used where no feedback is in scope')
  if (!isInSpan(field)) return [`${alias}."${field.column}"`]
  const place = spanPlace(field)
  if (place === 'whole') return [`(${spanTextSql(alias)})`]
  const shared = place === 'group' ? scope.pathColumns?.get(sharedOfSpan.stored) : undefined
  if (shared !== undefined) return [`${alias}."${shared}"`]
  return (place === 'group' ? ['otel_group', 'otel_dump'] : ['otel_dump']).map((column) => `${alias}."${column}"`)
}

const firstOf = (texts: readonly string[], sql: (json: string) => string): string =>
  texts.length === 1 ? texts.map(sql).join() : `coalesce(${texts.map(sql).join(', ')})`

/** JSON pointers, separated by indexes from the end, which pointers cannot express. */
function piecesOf(path: readonly string[]): (string | bigint)[] {
  const pieces: (string | bigint)[] = []
  let run: string[] = []
  for (const segment of path) {
    if (!/^-[1-9]\d{0,8}$/.test(segment)) {
      run.push(segment)
      continue
    }
    if (run.length > 0) pieces.push(jsonPointer(run))
    pieces.push(BigInt(segment))
    run = []
  }
  if (run.length > 0 || pieces.length === 0) pieces.push(jsonPointer(run))
  return pieces
}
