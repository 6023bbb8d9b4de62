import type { RecordsRequest } from '../formats/schemas/records-request.ts'
import { DomainError } from '../lib/errors.ts'
import { operationLimits } from '../lib/limits/operations.ts'
import { type Catalog, type Field, resolveField } from './catalog.ts'
import { checkQuery } from './check/check.ts'
import { type AfterRow, type Cursor, parseCursor } from './cursor.ts'
import { all, always, constantText, type Expression, textOf, type Value } from './expression.ts'
import { type ParseOptions, parseQuery } from './parse/parse.ts'
import { rewrite } from './rewrite/rewrite.ts'
import { isColumn, parseSort, type SortKey, type SortRules } from './sort.ts'

/**
 * Parses and checks the `query` member of a request over the fields of a catalog; without a query
 * every row matches.
 *
 * @throws ValidationError for a wrong shape; DomainError InvalidRequest, InvalidField,
 *   NotImplemented
 */
export function readQuery(query: unknown, catalog: Catalog, options?: ParseOptions): Expression {
  const syntax = parseQuery(query, options)
  return syntax === undefined ? always : checkQuery(syntax, catalog)
}

/**
 * The value of `limit` or `offset`; undefined if absent. Values beyond what a number holds exactly
 * are clamped: no result has that many rows.
 *
 * @throws DomainError InvalidRequest for a negative number
 */
function parseRowCount(member: 'limit' | 'offset', value: number | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined
  if (value < 0) throw new DomainError('InvalidRequest', `Invalid ${member} ${value}: it must not be negative`)
  return Math.min(value, Number.MAX_SAFE_INTEGER)
}

/** Parses `limit` and `offset`. @throws DomainError InvalidRequest for a negative number */
export const parsePage = (page: {
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}): { limit: number | undefined; offset: number } => ({
  limit: parseRowCount('limit', page.limit),
  offset: parseRowCount('offset', page.offset) ?? 0,
})

/**
 * The ids to which a condition restricts rows: `{ id = "a" || id = "b" }` => `["a", "b"]`. Works
 * before rewriting.
 *
 * @param options.allowsIn whether `$in` counts too
 * @returns undefined for any other condition
 */
function idsNamedBy(where: Expression, options: { readonly allowsIn: boolean }): string[] | undefined {
  switch (where.kind) {
    case 'compare': {
      if (where.comparison !== '=') return undefined
      const { left, right } = where
      const id = isId(left) ? constantText(right) : isId(right) ? constantText(left) : undefined
      return id === undefined ? undefined : [id]
    }
    case 'oneOf': {
      if (!options.allowsIn || !isId(where.value)) return undefined
      return allOf(where.constants.map(textOf))
    }
    case 'any':
      return allOf(where.items.map((item) => idsNamedBy(item, options)))?.flat()
    default:
      return undefined
  }
}

const isId = (value: Value): boolean => value.kind === 'field' && isColumn(value.field, 'id')

function allOf<T>(values: readonly (T | undefined)[]): T[] | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === values.length ? known : undefined
}

/** A request for rows of a table whose columns are named on the wire. */
export type RowsRequest = Omit<RecordsRequest, 'project_id' | 'fields'> & {
  /** A condition of the server itself, beside the one of the request. */
  readonly where?: Expression
  /** Column → values, one of which every wanted row has, as far as the condition says so. */
  readonly anyOf?: Readonly<Record<string, readonly string[]>>
  /** The row that the page follows: the values of its sort keys, then its id. */
  readonly after?: readonly unknown[] | null | undefined
}

/** A parsed and checked request for rows of one table. */
export interface TablePlan {
  readonly projectId: string
  readonly fields: readonly NamedField[]
  /** Rewritten. */
  readonly where: Expression
  /** Column → values, one of which every wanted row has: ids, if the condition names them. */
  readonly anyOf: Readonly<Record<string, readonly string[]>>
  readonly sort: readonly SortKey[]
  /** The row that the page follows, as sent. */
  readonly cursor: Cursor | undefined
  /** The same once it has been read. */
  readonly after?: AfterRow | undefined
  readonly limit: number | undefined
  readonly offset: number
}

/** A field of the answer, with its name as the request spells it. */
interface NamedField {
  readonly name: string
  readonly field: Field
}

/**
 * Plans a request for `names` (columns, or paths inside JSON columns) of the rows of a project.
 *
 * @throws DomainError InvalidField, InvalidRequest; ValidationError for a query of the wrong shape
 */
export function planTable(
  projectId: string,
  names: readonly string[],
  { query, where, anyOf, sort_by, after, ...page }: RowsRequest,
  rules: SortRules,
): TablePlan {
  if (names.length > operationLimits.columnsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Invalid fields: ${names.length} names, at most ${operationLimits.columnsMax} are allowed`,
    )
  }
  const asked = readQuery(query, rules.catalog)
  const condition = where === undefined ? asked : all([asked, where])
  const ids = idsNamedBy(condition, { allowsIn: true })
  const sort = parseSort(sort_by, rules)
  return {
    projectId,
    fields: names.map((name) => ({ name, field: resolveField(rules.catalog, name) })),
    where: rewrite(condition),
    anyOf: { ...anyOf, ...(ids && { id: ids }) },
    sort,
    cursor: parseCursor(after, sort, sort_by?.length || rules.otherwise.length),
    ...parsePage(page),
  }
}

/**
 * The ids that a purge names.
 *
 * @throws DomainError InvalidRequest for a query of anything but ids, or of too many; InvalidField;
 *   ValidationError
 */
export function planPurge(query: unknown, catalog: Catalog, options: { readonly allowsIn: boolean }): string[] {
  const ids = idsNamedBy(readQuery(query, catalog, { nodesMax: operationLimits.purgeQueryNodesMax }), options)
  if (ids === undefined)
    throw new DomainError('InvalidRequest', 'Cannot purge: the query must name ids, and nothing but ids')
  if (ids.length <= operationLimits.purgeIdsMax) return ids
  throw new DomainError(
    'InvalidRequest',
    `Cannot purge: ${ids.length} ids, at most ${operationLimits.purgeIdsMax} are allowed`,
  )
}
