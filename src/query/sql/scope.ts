import type { Relation } from '../../kernel/relation.ts'
import type { Expression } from '../expression.ts'
import type { QueueRelations } from '../queue-relations.ts'
import type { Parameters } from './parameters.ts'

/** What SQL of a condition refers to. */
export interface Scope {
  /** Alias of the row. */
  readonly alias: string
  readonly parameters: Parameters
  readonly projectId: string
  /** Where the calls' feedback lies, and the alias of its row inside an `anyFeedback`. */
  readonly feedback: Relation | undefined
  readonly feedbackAlias?: string
  /** Where the annotation queues lie, and the alias of an item inside an `anyQueueItem`. */
  readonly queues: QueueRelations | undefined
  readonly queueItemAlias?: string
  /** Writes a condition that stands inside a value or inside a search through feedback. */
  readonly conditionSql: (condition: Expression, scope: Scope) => string
}
