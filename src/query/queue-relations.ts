import type { Relation } from '../lib/relation.ts'

/** Annotation queues and their items. */
export interface QueueRelations {
  /** `id`, and `deleted_at` of deleted queues. */
  readonly queues: Relation
  /** `queue_id`, `call_id`, `created_at`, `id`. */
  readonly items: Relation
}
