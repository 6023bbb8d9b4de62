import { toNeutralName } from '../../dialect/names.ts'
import { bothSpellings } from '../../kernel/ref.ts'
import { feedbackTypeParts, neutralFeedbackType } from '../../model/feedback-type.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Store } from '../../store/store.ts'
import { feedbackTable } from '../../tables/feedback-table.ts'
import type { Wire } from '../calls/plan.ts'
import { TableRows } from '../table-rows.ts'
import { FeedbackStatistics } from './feedback-stats.ts'
import { FeedbackReader } from './read-feedback.ts'
import type { FeedbackReferences } from './references.ts'
import { FeedbackWriter } from './write-feedback.ts'

/** What people, programs and judges said about calls. */
export class Feedback {
  readonly writer: FeedbackWriter
  readonly reader: FeedbackReader
  readonly statistics: FeedbackStatistics

  constructor(options: {
    store: Store
    clock: Clock
    wire: Wire
    references: FeedbackReferences
    queryTimeoutMs: number
  }) {
    const { store, clock, wire, references, queryTimeoutMs } = options
    const rows = new TableRows({
      store,
      table: feedbackTable,
      queryTimeoutMs,
      fields: {
        columns: feedbackTable.columns.filter(({ storedIn }) => storedIn !== 'wal'),
        neutralName: toNeutralName,
        wireName: wire.wireName,
        feedbackPrefix: wire.feedbackPrefix,
        spellings: {
          feedback_type: (type) => [neutralFeedbackType(type)],
          ext_ref: bothSpellings,
          annotation_ref: bothSpellings,
          runnable_ref: bothSpellings,
          call_ref: bothSpellings,
          trigger_ref: bothSpellings,
        },
        partSpellings: {
          feedback_type: (part) => feedbackTypeParts(part, wire.feedbackPrefix),
          ext_ref: bothSpellings,
          annotation_ref: bothSpellings,
          runnable_ref: bothSpellings,
          call_ref: bothSpellings,
          trigger_ref: bothSpellings,
        },
      },
      order: [{ field: 'created_at', direction: 'asc' }],
    })
    this.writer = new FeedbackWriter({ store, clock, rows, references })
    this.reader = new FeedbackReader(rows)
    this.statistics = new FeedbackStatistics({ store, clock, queryTimeoutMs })
  }
}
