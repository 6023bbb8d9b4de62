import { limits } from '../../lib/limits.ts'
import type { AnnotationQueues } from '../queues/annotation-queues.ts'
import { type CallsAction, writerOf } from './calls-worker.ts'
import type { StoredRule } from './stored-rule.ts'

/** Adds calls to an annotation queue, which takes each call once. */
export const queueAction = (
  queues: AnnotationQueues,
  rule: StoredRule,
  { queue_id, display_fields }: { readonly queue_id: string; readonly display_fields: readonly string[] },
): CallsAction => ({
  callsMax: limits.queueCallsPerRequestMax,
  handle: async (calls) => {
    const call_ids = calls.map(({ id }) => id)
    await queues.items.add(writerOf(rule), queue_id, { call_ids, display_fields: [...display_fields] })
    return undefined
  },
})
