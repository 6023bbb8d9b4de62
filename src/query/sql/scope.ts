import type { Relation } from '../../lib/relation.ts'
import type { QueueRelations, UsageSource } from '../calls-plan.ts'
import type { Expression } from '../expression.ts'
import type { Parameters } from './parameters.ts'

/** The aliases and values that the SQL of a condition may use. */
export interface Scope {
  /** Alias of the row. */
  readonly alias: string
  readonly parameters: Parameters
  /**
   * Columns of the row that hold the JSON text at a path, by `columnPath`, and those that hold all
   * shared members, by `sharedMembers`.
   */
  readonly pathColumns?: ReadonlyMap<string, string> | undefined
  readonly projectId: string
  /** Feedback on calls, and the alias of its row inside an `anyFeedback`. */
  readonly feedback: Relation | undefined
  readonly feedbackAlias?: string
  /** Annotation queues, and the alias of an item inside an `anyQueueItem`. */
  readonly queues: QueueRelations | undefined
  readonly queueItemAlias?: string
  /** Usage of calls; absent where no field of it can stand. */
  readonly usage?: UsageSource | undefined
  /** Writes a condition nested in a value, or in a search through feedback or queues. */
  readonly conditionSql: (condition: Expression, scope: Scope) => string
}
