import type { Relation } from '../../model/relation.ts'
import type { Sql } from '../../model/sql.ts'
import { branchSourceSql } from './branch.ts'
import { Parameters } from './parameters.ts'
import { tableRowsSql } from './table-rows.ts'

/** Cells of `columns`, a row for each of `keys` that the project has. `keyColumn` and `columns` are names of the table, not of a user. */
export function compileLookup(
  { relation, projectId }: { readonly relation: Relation; readonly projectId: string },
  { columns, keyColumn, keys }: { columns: readonly string[]; keyColumn: string; keys: readonly string[] },
): Sql {
  const parameters = new Parameters()
  const text = tableRowsSql(
    { relation, projectId },
    () => columns.map((name) => `t."${name}"`),
    (bound) => [
      keys.length === 1
        ? `t."${keyColumn}" = ${bound.bind(keys[0]!)}`
        : `t."${keyColumn}" IN (SELECT unnest(${bound.bind({ texts: keys })}))`,
    ],
    parameters,
  )
  return { text, values: parameters.values }
}

/** The sum of an integer column over all rows of the project; 0 where there are none. */
export function compileSum(
  { relation, projectId }: { readonly relation: Relation; readonly projectId: string },
  column: string,
): Sql {
  const parameters = new Parameters()
  const rows = tableRowsSql(
    { relation, projectId },
    () => [`t."${column}" AS summand`],
    () => [],
    parameters,
  )
  return { text: `SELECT coalesce(sum(summand), 0)::BIGINT FROM (${rows})`, values: parameters.values }
}

/**
 * Those of `keys` that a row of any project has, hidden rows included: for upkeep that only has to know what is surely not used. Answers
 * nothing of a row but its key.
 */
export function compileKeysAnywhere({ branches }: Relation, keyColumn: string, keys: readonly string[]): Sql {
  const parameters = new Parameters()
  const selects = branches.map(
    (branch) =>
      `SELECT t."${keyColumn}" FROM ${branchSourceSql(branch, parameters)} t WHERE t."${keyColumn}" IN (SELECT unnest(${parameters.bind({ texts: keys })}))`,
  )
  return { text: selects.join(' UNION ALL '), values: parameters.values }
}
