import type { Relation } from '../kernel/relation.ts'

/** Where the annotation queues lie, and the calls in them. */
export interface QueueRelations {
  /** `id`, and `deleted_at` of those that are no longer there. */
  readonly queues: Relation
  /** `queue_id`, `call_id`, `created_at`, `id`. */
  readonly items: Relation
}
