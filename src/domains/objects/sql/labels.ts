import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

/** Which labels to read; absent members restrict nothing. */
export interface LabelsPlan {
  readonly projectId: string
  readonly type: 'tag' | 'alias'
  readonly objectId?: string
  readonly digest?: string
  readonly names?: readonly string[]
}

const labelShape = rowShape({ objectId: 'text', digest: 'text', name: 'text' })

/** Labels as rows of object, digest and name. */
export function compileLabels(plan: LabelsPlan, relation: Relation): Sql<RowOfShape<typeof labelShape>> {
  const parameters = new Parameters()
  return { text: labelRows(plan, relation, parameters), values: parameters.values, shape: labelShape }
}

/** The distinct names of labels, and the given ones, in order. */
export function compileLabelNames(plan: LabelsPlan, relation: Relation, further: readonly string[]): Sql {
  const parameters = new Parameters()
  const rows = labelRows(plan, relation, parameters)
  const more = `SELECT unnest(${parameters.bind({ texts: further })}::VARCHAR[])`
  return {
    text: `SELECT name FROM (SELECT name FROM (${rows}) UNION ${more}) ORDER BY name`,
    values: parameters.values,
  }
}

function labelRows(plan: LabelsPlan, relation: Relation, parameters: Parameters): string {
  const { projectId, type, objectId, digest, names } = plan
  return tableRowsSql(
    { relation, projectId },
    ['t.object_id', 't.digest', 't.name'],
    [
      `t.type = ${parameters.bind(type)}`,
      ...(objectId === undefined ? [] : [`t.object_id = ${parameters.bind(objectId)}`]),
      ...(digest === undefined ? [] : [`t.digest = ${parameters.bind(digest)}`]),
      ...(names === undefined ? [] : [`list_contains(${parameters.bind({ texts: names })}, t.name)`]),
    ],
    parameters,
  )
}
