import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'

/** The importers of coding agents, as `attributes.import.source` names them. */
const agentImports = ['claude-code', 'codex']

const countingShape = rowShape({
  id: 'text',
  is_turn: 'integer',
  has_usage: 'integer',
  scope: 'text?',
  is_imported: 'integer',
})

/**
 * Calls of a thread that were made of spans, or imported from the files of a coding agent, and
 * count, with the library of the span; what is 0 or 1 says whether it holds.
 */
export function compileCountingCalls(
  projectId: string,
  threadId: string,
  relation: Relation,
): Sql<RowOfShape<typeof countingShape>> {
  const parameters = new Parameters()
  const rows = tableRowsSql(
    { relation, projectId },
    ['t.id', 't.turn_id', 't.usage_by_model', 't.usage_model', 't.otel_dump', 't.otel_group', 't.attributes'],
    [`t.thread_id = ${parameters.bind(threadId)}`],
    parameters,
  )
  const hasUsage = `(usage_model IS NOT NULL OR coalesce(usage_by_model, '') <> '[]')`
  const source = `json_extract_string(attributes, '/import/source')`
  const isImported = `coalesce(list_contains(${parameters.bind({ texts: agentImports })}, ${source}), false)`
  return {
    text: `SELECT id, coalesce(turn_id = id, false)::INTEGER, (${hasUsage})::INTEGER,
        coalesce(json_extract_string(otel_group, '/scope/name'), json_extract_string(otel_dump, '/scope/name')),
        (${isImported})::INTEGER
      FROM (${rows}) WHERE (${hasUsage} OR turn_id = id) AND (otel_dump IS NOT NULL OR ${isImported})`,
    values: parameters.values,
    shape: countingShape,
  }
}
