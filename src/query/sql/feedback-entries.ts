import type { Relation } from '../../lib/relation.ts'
import type { OutputNames } from '../call-output.ts'
import { feedbackTypeSql, timeText } from './output-values.ts'
import type { Parameters } from './parameters.ts'
import { tableRowsSql } from './table-rows.ts'

/** Members of an entry of `summary.ext.feedback`, in the order of the answer. */
const members = [
  'id',
  'feedback_type',
  'ext_ref',
  'payload',
  'creator',
  'created_at',
  'ext_user_id',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
  'annotation_ref',
  'queue_id',
] as const

/**
 * `call_id` and `entries`: the feedback on each call as JSON objects joined by commas, oldest first
 * with `id` as tie-breaker.
 */
export function feedbackEntriesSql(
  relation: Relation | undefined,
  {
    projectId,
    output,
    terms = [],
  }: {
    readonly projectId: string
    readonly output: OutputNames
    /** Further conditions, as SQL over the feedback `t`. */
    readonly terms?: readonly string[]
  },
  parameters: Parameters,
): string {
  if (relation === undefined) throw new Error('Cannot add feedback to calls: the feedback table is missing')
  const rows = tableRowsSql(
    { relation, projectId },
    ['t.call_id', ...members.map((member) => `t."${member}"`)],
    ['t.call_id IS NOT NULL', ...terms],
    parameters,
  )
  const parts = members.map((member, index) => {
    const name = `${index === 0 ? '{' : ','}"${output.nameOf(member)}":`
    return `'${name}', ${valueSql(member, output)}`
  })
  const entry = `concat(${parts.join(', ')}, '}')`
  return `SELECT call_id, string_agg(${entry}, ',' ORDER BY created_at, id) AS entries FROM (${rows}) GROUP BY call_id`
}

function valueSql(member: (typeof members)[number], { feedbackPrefix }: OutputNames): string {
  switch (member) {
    case 'payload':
      return 'payload'
    case 'created_at':
      return `'"', ${timeText('created_at')}, '"'`
    case 'feedback_type':
      return `to_json(${feedbackTypeSql('feedback_type', feedbackPrefix)})::VARCHAR`
    default:
      return `coalesce(to_json("${member}")::VARCHAR, 'null')`
  }
}
