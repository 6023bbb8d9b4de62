import type { Store } from '../../engine/store.ts'
import { clientColumns } from '../../engine/tables/define-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { spellingsOf } from '../../formats/dialect/names.ts'
import type { RecordsRequest } from '../../formats/schemas/records-request.ts'
import type { OutputNames } from '../../query/call-output.ts'
import type { Spelling } from '../../query/catalog.ts'
import { ascendingBy, type SortRules } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader } from '../access/index.ts'
import { TableRows } from '../records/index.ts'
import type { FeedbackReferences } from './check-feedback.ts'
import { FeedbackStatistics } from './feedback-stats.ts'
import { FeedbackWriter } from './write-feedback.ts'

const refColumns: readonly string[] = ['ext_ref', 'annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref']

/**
 * The fields of feedback in a dialect, oldest first. Feedback types are stored in neutral spelling
 * and returned in that of the dialect.
 */
export const feedbackRules = ({ nameOf, feedbackPrefix }: OutputNames): SortRules => ({
  catalog: tableCatalog({
    columns: clientColumns(feedbackTable),
    namesOf: spellingsOf,
    nameOf,
    spellings: new Map<string, Spelling>([
      ['feedback_type', { of: 'feedbackType', prefix: feedbackPrefix }],
      ...refColumns.map((name): [string, Spelling] => [name, { of: 'ref' }]),
    ]),
  }),
  otherwise: [{ field: 'created_at', direction: 'asc' }],
  tieBreaker: ascendingBy('id'),
})

/** Requests the number of rows instead of rows. */
const countField = 'count(*)'

const columns = clientColumns(feedbackTable)

/** Members of a row unless a request names others. */
const answered = columns.flatMap(({ name, exposed }) => (exposed === undefined ? [name] : []))

/** Members that are left out while they hold nothing, unless a request names them. */
const leftOutWhileBlank = new Map(columns.flatMap(({ name, blank }) => (blank === undefined ? [] : [[name, blank]])))

/** Implements `feedback/query`. */
class FeedbackReader {
  private readonly rows: TableRows
  private readonly nameOf: (member: string) => string

  constructor(rows: TableRows, nameOf: (member: string) => string) {
    this.rows = rows
    this.nameOf = nameOf
  }

  /** Number of matches on all pages. @throws as `query` */
  count(reader: ProjectReader, { query }: RecordsRequest, signal: AbortSignal): Promise<number> {
    return this.rows.count(reader, { query }, signal)
  }

  /**
   * Rows as JSON texts in batches; members have the order and names of the request, payloads are
   * copied verbatim.
   *
   * @throws DomainError InvalidField, InvalidRequest; ValidationError
   */
  async *query(
    reader: ProjectReader,
    { fields, ...request }: RecordsRequest,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    if (fields?.includes(countField)) {
      yield [`{"${countField}":${await this.rows.count(reader, request, signal)}}`]
      return
    }
    const requested = fields && fields.length > 0 ? [...new Set(fields)] : undefined
    const names = requested ?? answered.map(this.nameOf)
    const leftOut = requested === undefined ? leftOutWhileBlank : new Map()
    yield* this.rows.texts(reader, names, request, { leftOut, signal })
  }
}

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
