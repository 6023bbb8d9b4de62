import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../parameters.ts'

const shape = rowShape({ id: 'text' })

/** Some ids of calls of a project whose rows in data files are outdated, up to a limit. */
export function compileHiddenKeys(
  masks: readonly string[],
  projectId: string,
  limit: number,
): Sql<RowOfShape<typeof shape>> {
  const parameters = new Parameters()
  const project = parameters.bind(projectId)
  const each = masks.map((mask) => `SELECT m."id" FROM "${mask}" m WHERE m."project_id" = ${project}`)
  const text = `SELECT DISTINCT id FROM (${each.join(' UNION ALL ')}) LIMIT ${parameters.bind(BigInt(limit))}::BIGINT`
  return { text, values: parameters.values, shape }
}
