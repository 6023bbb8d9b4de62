import type { Relation } from '../../kernel/relation.ts'
import type { Sql } from '../../kernel/sql.ts'
import { Parameters } from './parameters.ts'
import { tableRowsSql } from './table-rows.ts'

/**
 * Calls of a thread that were made of spans and count: id, whether it is a turn and whether it has
 * usage (0 or 1), and the library of the span.
 */
export function compileCountingSpans(projectId: string, threadId: string, relation: Relation): Sql {
  const parameters = new Parameters()
  const rows = tableRowsSql(
    { relation, projectId },
    () => ['t.id', 't.turn_id', 't.usage_by_model', 't.usage_model', 't.otel_dump'],
    (bound) => [`t.thread_id = ${bound.bind(threadId)}`, 't.otel_dump IS NOT NULL'],
    parameters,
  )
  const hasUsage = `(usage_model IS NOT NULL OR coalesce(usage_by_model, '') <> '[]')`
  return {
    text: `SELECT id, coalesce(turn_id = id, false)::INTEGER, (${hasUsage})::INTEGER,
        json_extract_string(otel_dump, '/scope/name')
      FROM (${rows}) WHERE ${hasUsage} OR turn_id = id`,
    values: parameters.values,
  }
}
