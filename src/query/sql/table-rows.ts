import type { Relation } from '../../lib/relation.ts'
import { branchSourceSql, projectRestriction } from './branch.ts'
import type { Parameters } from './parameters.ts'

/**
 * SELECT of `items` (SQL over alias `t`) from all branches of a table, restricted to one project;
 * the restriction cannot be left out. `where` is SQL over `t` as well.
 */
export function tableRowsSql(
  { relation, projectId }: { readonly relation: Relation; readonly projectId: string },
  items: readonly string[],
  where: readonly string[],
  parameters: Parameters,
): string {
  const branches = relation.branches.map((branch) => {
    const terms = [...projectRestriction(relation, branch, 't', { projectId, parameters }), ...where]
    const source = branchSourceSql(branch, parameters)
    return `SELECT ${items.join(', ')} FROM ${source} t WHERE ${terms.join(' AND ')}`
  })
  return unionSql(branches)
}

/** All rows of several SELECTs of the same columns. */
export const unionSql = (selects: readonly string[]): string =>
  selects.length === 1 ? selects.join() : selects.map((sql) => `(${sql})`).join(' UNION ALL ')
