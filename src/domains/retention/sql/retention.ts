import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { branchSourceSql, scopeRestriction } from '../../../query/sql/branch.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql, unionSql } from '../../../query/sql/table-rows.ts'

/** Rows of a project, by the relations of its tables. */
interface ProjectRelation {
  readonly relation: Relation
  readonly projectId: string
}

/** Cells of all visible rows of all projects. For the server itself, never for an answer. */
export function compileEveryProject(relation: Relation, columns: readonly string[]): Sql {
  const parameters = new Parameters()
  const items = columns.map((name) => `t."${name}"`).join(', ')
  const selects = relation.branches.map((branch) => {
    const terms = scopeRestriction(relation, branch, 't', { scopes: ['*'], parameters })
    return `SELECT ${items} FROM ${branchSourceSql(branch, parameters)} t WHERE ${terms.join(' AND ') || 'TRUE'}`
  })
  return { text: unionSql(selects), values: parameters.values }
}

/** Rows that point at another row of the project, and how long a row may wait for the other. */
export interface OrphanSearch {
  /** Column with the id of the other row; null if there is none. */
  readonly column: string
  /** Only rows that were created before are found (microseconds). */
  readonly createdBefore: number
  readonly limit: number
}

const idShape = rowShape({ id: 'text' })

/** Ids of rows whose `column` names a row that does not exist. */
export function compileOrphans(
  children: ProjectRelation,
  parents: ProjectRelation,
  search: OrphanSearch,
): Sql<RowOfShape<typeof idShape>> {
  const parameters = new Parameters()
  const rows = tableRowsSql(
    children,
    ['t.id', `t."${search.column}" AS parent`],
    [`t."${search.column}" IS NOT NULL`, `t.created_at < ${parameters.bind({ micros: search.createdBefore })}`],
    parameters,
  )
  const ids = tableRowsSql(parents, ['t.id'], [], parameters)
  return {
    text: `SELECT c.id FROM (${rows}) c ANTI JOIN (${ids}) p ON p.id = c.parent
      ORDER BY c.id LIMIT ${parameters.bind(BigInt(search.limit))}::BIGINT`,
    values: parameters.values,
    shape: idShape,
  }
}

const expiredShape = rowShape({ expired: 'number', all: 'number' })

/** How many rows of a project there are, and how many of them are from before a time. */
export function compileExpired(
  rows: ProjectRelation,
  { column, micros }: { readonly column: string; readonly micros: number },
): Sql<RowOfShape<typeof expiredShape>> {
  const parameters = new Parameters()
  const times = tableRowsSql(rows, [`t."${column}" AS moment`], [], parameters)
  return {
    text: `SELECT (count(*) FILTER (WHERE moment < ${parameters.bind({ micros })}))::DOUBLE AS expired,
      count(*)::DOUBLE AS "all" FROM (${times})`,
    values: parameters.values,
    shape: expiredShape,
  }
}

/** Tables and JSON columns in which a value may name files of the project. */
export interface FileNamers {
  readonly relation: Relation
  readonly columns: readonly string[]
}

/**
 * Digests of files of the project that were first uploaded before a time (microseconds), and that
 * no value names any more: values name files in a member `files`.
 */
export function compileUnnamedFiles(
  files: ProjectRelation,
  namers: readonly FileNamers[],
  { createdBefore, limit }: Pick<OrphanSearch, 'createdBefore' | 'limit'>,
): Sql<RowOfShape<typeof idShape>> {
  const parameters = new Parameters()
  const { projectId } = files
  const old = tableRowsSql(
    files,
    ['t.digest'],
    [`t.created_at < ${parameters.bind({ micros: createdBefore })}`],
    parameters,
  )
  const named = namers.flatMap(({ relation, columns }) =>
    columns.map((column) =>
      tableRowsSql(
        { relation, projectId },
        [`unnest(regexp_extract_all(t."${column}", '"([A-Za-z0-9]{43})"', 1)) AS digest`],
        [`contains(t."${column}", '"files"')`],
        parameters,
      ),
    ),
  )
  return {
    text: `SELECT digest FROM (${old}) f WHERE digest NOT IN (SELECT digest FROM (${unionSql(named)}))
      ORDER BY digest LIMIT ${parameters.bind(BigInt(limit))}::BIGINT`,
    values: parameters.values,
    shape: idShape,
  }
}
