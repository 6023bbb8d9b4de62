import type { Clock } from '../../platform/clock.ts'
import type { OutputNames } from '../../query/call-output.ts'
import type { Store } from '../../store/store.ts'
import { feedbackTable } from '../../tables/feedback-table.ts'
import { TableRows } from '../table-rows.ts'
import { feedbackRules } from './feedback-rules.ts'
import { FeedbackStatistics } from './feedback-stats.ts'
import { FeedbackReader } from './read-feedback.ts'
import type { FeedbackReferences } from './references.ts'
import { FeedbackWriter } from './write-feedback.ts'

/** Feedback of people, programs and scorers on calls. */
export class Feedback {
  readonly writer: FeedbackWriter
  readonly reader: FeedbackReader
  readonly statistics: FeedbackStatistics

  constructor(options: {
    store: Store
    clock: Clock
    dialect: OutputNames
    references: FeedbackReferences
  }) {
    const { store, clock, dialect, references } = options
    const rows = new TableRows({
      store,
      table: feedbackTable,
      rules: feedbackRules(dialect),
    })
    this.writer = new FeedbackWriter({ store, clock, rows, references })
    this.reader = new FeedbackReader(rows, dialect.nameOf)
    this.statistics = new FeedbackStatistics({ store, clock })
  }
}
