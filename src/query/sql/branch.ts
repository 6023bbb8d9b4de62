import { filesSql } from '../../duck/files-sql.ts'
import type { Branch, Relation } from '../../kernel/relation.ts'
import type { Parameters } from './parameters.ts'
import type { Scope } from './scope.ts'

/**
 * A branch as FROM item. DuckDB goes through files in the order given: for the newest rows it has found them, and can pass over the
 * other files, five times sooner where the newest come first.
 */
export function branchSourceSql({ source }: Branch, parameters: Parameters, newestFirst = false): string {
  if (source.kind === 'table') return `"${source.name}"`
  const { paths, missing, converted = '', deletedRows } = source
  const files = parameters.bind({ texts: newestFirst ? paths.toReversed() : paths })
  return filesSql(files, { missing, converted }, deletedRows === undefined ? undefined : parameters.bind(deletedRows))
}

/**
 * What every row read from a branch has to meet: it belongs to the project, is visible and not hidden by a mask; without what the
 * statistics of files say of all their rows. All reading goes through here, so the project cannot be left out.
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
  const terms = branch.masks.map((mask) => {
    const keys = relation.key.map((name) => `m."${name}" = ${alias}."${name}"`)
    return `NOT EXISTS (FROM "${mask}" m WHERE ${keys.join(' AND ')})`
  })
  // Looking at a column that says the same in every row is what a count consists of, and half of many a scan.
  if (known?.areAllVisible !== true) terms.unshift(`${alias}."${relation.presenceColumn}" IS NOT NULL`)
  if (known?.onlyProject !== projectId) terms.unshift(`${alias}."${projectColumn}" = ${parameters.bind(projectId)}`)
  return terms.length === 0 ? ['TRUE'] : terms
}
