import { notMaskedSql } from '../../lib/not-masked.ts'
import type { Branch, Relation, RowRanges } from '../../lib/relation.ts'
import { filesSql } from '../../runtime/duck/files-sql.ts'
import type { Parameters } from './parameters.ts'
import type { Scope } from './scope.ts'

interface SourceOptions {
  readonly newestFirst?: boolean
  /**
   * All SQL that reads the rows. Columns that the files lack are left out unless it names them:
   * DuckDB plans for milliseconds to add any.
   */
  readonly readBy?: string
}

/**
 * A branch as a FROM item. DuckDB reads files in the given order: newest first, it finds the newest
 * rows and can skip the other files, which is five times as fast.
 */
export function branchSourceSql(
  { source }: Branch,
  parameters: Parameters,
  { newestFirst = false, readBy }: SourceOptions = {},
): string {
  if (source.kind === 'table') {
    if (source.fileNumbers === undefined) return `"${source.name}"`
    return `(FROM "${source.name}" WHERE file IN (${source.fileNumbers.join(', ')}))`
  }
  const { paths, converted = '', deletedRows } = source
  const missing = readBy === undefined || namesAny(source.missing, readBy) ? source.missing : ''
  const files = parameters.bind({ files: newestFirst ? paths.toReversed() : paths })
  return filesSql(files, { missing, converted }, deletedRows === undefined ? undefined : parameters.bind(deletedRows))
}

/** Whether SQL names any of the columns of a select list that ends each item with `AS "name"`. */
const namesAny = (items: string, sql: string): boolean =>
  [...items.matchAll(/AS ("\w+")/g)].some(([, name = '']) => sql.includes(name))

/**
 * The conditions on every row of a branch: it belongs to the project, is visible and is not masked.
 * Conditions that file statistics already guarantee are omitted. All reads go through here, so the
 * project cannot be left out.
 */
export function projectRestriction(
  relation: Relation,
  branch: Branch,
  alias: string,
  { projectId, parameters }: Pick<Scope, 'projectId' | 'parameters'>,
): string[] {
  const [projectColumn] = relation.key
  if (projectColumn !== 'project_id' || projectId === '') throw new Error('A relation is read without its project')
  const known = branch.source.kind === 'files' ? branch.source : undefined
  const terms = visibilityTerms(relation, branch, alias)
  if (known?.rowRanges !== undefined) terms.push(rowRangesSql(known.rowRanges, alias, parameters))
  if (known?.onlyProject !== projectId) terms.unshift(`${alias}."${projectColumn}" = ${parameters.bind(projectId)}`)
  return terms.length === 0 ? ['TRUE'] : terms
}

/**
 * The conditions on every row of a branch that is read across projects: it belongs to a project of
 * one of `scopes` (each `*`, `entity` or `entity/project`), is visible and is not masked.
 */
export function scopeRestriction(
  relation: Relation,
  branch: Branch,
  alias: string,
  { scopes, parameters }: { readonly scopes: readonly string[]; readonly parameters: Parameters },
): string[] {
  const [projectColumn] = relation.key
  if (projectColumn !== 'project_id' || scopes.length === 0 || scopes.includes(''))
    throw new Error('A relation is read without a scope')
  const project = `${alias}."${projectColumn}"`
  const terms = visibilityTerms(relation, branch, alias)
  if (!scopes.includes('*')) {
    const inScope = scopes.map((scope) =>
      scope.includes('/')
        ? `${project} = ${parameters.bind(scope)}`
        : `starts_with(${project}, ${parameters.bind(`${scope}/`)})`,
    )
    terms.unshift(inScope.length === 1 ? inScope.join() : `(${inScope.join(' OR ')})`)
  }
  return terms.length === 0 ? ['TRUE'] : terms
}

/** DuckDB skips the row groups outside. */
function rowRangesSql(ranges: RowRanges, alias: string, parameters: Parameters): string {
  const bind = (number: number) => `${parameters.bind(BigInt(number))}::BIGINT`
  const within = ([first, last]: readonly [number, number]) =>
    `${alias}.file_row_number BETWEEN ${bind(first)} AND ${bind(last)}`
  const [first, last] = [ranges[0], ranges.at(-1)]
  if (first === undefined || last === undefined || ranges.length < 2) return `(${ranges.map(within).join()})`
  // By the first condition it skips row groups; by the others only rows.
  const hull = [first[0], last[1]] as const
  return `(${within(hull)} AND (${ranges.map(within).join(' OR ')}))`
}

function visibilityTerms({ key, presenceColumn }: Relation, { source, masks }: Branch, alias: string): string[] {
  const terms = masks.length === 0 ? [] : [notMaskedSql(alias, key, masks)]
  // Reading a column that is the same in every row would be all the work of a count, and half of
  // many a scan.
  const areAllVisible = source.kind === 'files' && source.areAllVisible === true
  if (!areAllVisible) terms.unshift(`${alias}."${presenceColumn}" IS NOT NULL`)
  return terms
}
