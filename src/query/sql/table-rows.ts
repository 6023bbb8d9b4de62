import type { Relation } from '../../kernel/relation.ts'
import { branchSourceSql, ownRowTerms } from './branch.ts'
import type { Parameters } from './parameters.ts'

/**
 * SELECT of `items` (SQL over the alias `t`) from all branches of a table, restricted to one project; there is no way to leave that
 * out. `where` is SQL over `t` too.
 */
export function tableRowsSql(
  { relation, projectId }: { readonly relation: Relation; readonly projectId: string },
  items: (parameters: Parameters) => readonly string[],
  where: (parameters: Parameters) => readonly string[],
  parameters: Parameters,
): string {
  const branches = relation.branches.map((branch) => {
    const terms = [...ownRowTerms(relation, branch, 't', { projectId, parameters }), ...where(parameters)]
    const source = branchSourceSql(branch, parameters)
    return `SELECT ${items(parameters).join(', ')} FROM ${source} t WHERE ${terms.join(' AND ')}`
  })
  return branches.length === 1 ? branches[0]! : branches.map((sql) => `(${sql})`).join(' UNION ALL ')
}
