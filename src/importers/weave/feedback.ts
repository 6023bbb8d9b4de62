import { inNeutralNames } from '../../formats/dialect/names.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import type { ImportRecord } from '../record.ts'
import type { ServerClient } from '../sender/server-client.ts'
import type { RefRewriter } from './ref-rewriter.ts'

const pageSize = 500

/** Members that the server sets itself, or that refer to queues, which are not imported. */
const notSent = new Set(['project_id', 'ext_ref', 'ext_user_id', 'created_at', 'queue_id'])

/** All feedback, the oldest first. */
export async function* weaveFeedback(from: ServerClient, refs: RefRewriter): AsyncGenerator<ImportRecord> {
  for (let offset = 0; ; offset += pageSize) {
    const body = {
      project_id: from.project,
      limit: pageSize,
      offset,
      sort_by: [{ field: 'created_at', direction: 'asc' }],
    }
    const { result } = (await from.post('/feedback/query', body)) as { result: Record<string, unknown>[] }
    for (const one of result) {
      const members = inNeutralNames(one)
      const rewritten = Object.fromEntries(
        Object.entries(members)
          .filter(([name, value]) => value !== null && !notSent.has(name))
          .map(([name, value]) => [name, refs.rewrite(value)]),
      )
      const { id, feedback_type, payload, ...others } = rewritten
      yield {
        kind: 'feedback',
        about: { ref: refs.rewriteText(String(members['ext_ref'])) },
        feedback: {
          ...others,
          id: String(id),
          feedback_type: String(feedback_type),
          payload: isJsonObject(payload) ? payload : {},
        },
      }
    }
    if (result.length < pageSize) return
  }
}
