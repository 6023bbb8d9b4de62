import type { Store } from '../../engine/store.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import type { OutputNames } from '../../query/call-output.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { TableRows } from '../records/table-rows.ts'
import { feedbackRules } from './feedback-rules.ts'
import { FeedbackStatistics } from './feedback-stats.ts'
import { FeedbackReader } from './read-feedback.ts'
import type { FeedbackReferences } from './references.ts'
import { FeedbackWriter } from './write-feedback.ts'

interface FeedbackOptions {
  readonly store: Store
  readonly clock: Clock
  readonly dialect: OutputNames
  readonly references: FeedbackReferences
}

/** Feedback of people, programs and scorers on calls. */
export class Feedback {
  readonly writer: FeedbackWriter
  readonly reader: FeedbackReader
  readonly statistics: FeedbackStatistics

  private readonly options: FeedbackOptions

  /** @param writer that of the same feedback in other names */
  constructor(options: FeedbackOptions, writer?: FeedbackWriter) {
    const { store, clock, dialect, references } = options
    const rows = new TableRows({
      store,
      table: feedbackTable,
      rules: feedbackRules(dialect),
    })
    this.options = options
    this.writer = writer ?? new FeedbackWriter({ store, clock, rows, references })
    this.reader = new FeedbackReader(rows, dialect.nameOf)
    this.statistics = new FeedbackStatistics({ store, clock })
  }

  /** The same feedback, answered in other names. */
  inNames(dialect: OutputNames): Feedback {
    return new Feedback({ ...this.options, dialect }, this.writer)
  }
}
