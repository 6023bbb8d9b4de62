import type { ProjectReader } from '../../foundation/access/caller.ts'
import type { RecordsRequest } from '../../model/records-request.ts'
import { feedbackTable } from '../../tables/feedback-table.ts'
import type { TableRows } from '../table-rows.ts'

/** Asks for the number of rows instead of rows. */
const countField = 'count(*)'

/** Members of a row that are not asked for by name: all but what the server derives for itself. */
const answered = feedbackTable.columns
  .map(({ name }) => name)
  .filter((name) => !['call_id', 'deleted_at'].includes(name))

/**
 * Members that are younger than clients which refuse what they do not know: left out while they hold nothing, unless they are asked for.
 * By column, what is nothing there beside null.
 */
const leftOutWhileEmpty: ReadonlyMap<string, string> = new Map([
  ['queue_id', '""'],
  ['scorer_tags', '[]'],
  ['scorer_tag_reasons', '{}'],
  ['scorer_tag_confidences', '{}'],
  ['scorer_ratings', '{}'],
  ['scorer_rating_reasons', '{}'],
  ['scorer_rating_confidences', '{}'],
  ['span_agent_name', '""'],
  ['span_agent_version', '""'],
  ['span_status_code', '"UNSET"'],
  ['span_conversation_id', '""'],
  ['span_trace_id', '""'],
  ['scorer_trace_id', '""'],
])

/** Answers `feedback/query`. */
export class FeedbackReader {
  private readonly rows: TableRows
  private readonly nameOf: (member: string) => string

  constructor(rows: TableRows, nameOf: (member: string) => string) {
    this.rows = rows
    this.nameOf = nameOf
  }

  /** How many match, on all pages. @throws as `query` */
  count(reader: ProjectReader, { query }: RecordsRequest, signal: AbortSignal): Promise<number> {
    return this.rows.count(reader, { query }, signal)
  }

  /**
   * Rows as JSON texts whose members stand in the order and under the names of the request, some at a time; payloads to the letter.
   *
   * @throws DomainError InvalidField, InvalidRequest; ValidationError
   */
  async *query(
    reader: ProjectReader,
    { fields, ...question }: RecordsRequest,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    if (fields?.includes(countField)) {
      yield [`{"${countField}":${await this.rows.count(reader, question, signal)}}`]
      return
    }
    const asked = fields && fields.length > 0 ? [...new Set(fields)] : undefined
    const names = asked ?? answered.map(this.nameOf)
    const leftOut = asked === undefined ? leftOutWhileEmpty : new Map()
    yield* this.rows.texts(reader, names, question, { leftOut, signal })
  }
}
