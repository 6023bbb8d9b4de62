import type { ProjectReader } from '../../model/caller.ts'
import type { TableQuestion } from '../../model/table-question.ts'
import type { TableRows } from '../table-rows.ts'
import { feedbackTable } from './feedback-table.ts'

/** Asks for the number of rows instead of rows. */
const countField = 'count(*)'

/** Members of a row that are not asked for by name: all but what the server derives for itself. */
const answered = feedbackTable.columns
  .map(({ name }) => name)
  .filter((name) => !['call_id', 'deleted_at'].includes(name))

/** Answers `feedback/query`. */
export class FeedbackReader {
  private readonly rows: TableRows
  private readonly feedbackPrefix: string

  constructor(rows: TableRows, feedbackPrefix: string) {
    this.rows = rows
    this.feedbackPrefix = feedbackPrefix
  }

  /** How many match, on all pages. @throws as `query` */
  count(reader: ProjectReader, { query }: TableQuestion, signal: AbortSignal): Promise<number> {
    return this.rows.count(reader, { query }, signal)
  }

  /**
   * Rows as JSON texts whose members stand in the order and under the names of the request, some at a time; payloads to the letter.
   *
   * @throws DomainError InvalidField, InvalidRequest; RequestInvalid
   */
  async *query(
    reader: ProjectReader,
    { fields, ...question }: TableQuestion,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    if (fields?.includes(countField)) {
      yield [`{"${countField}":${await this.rows.count(reader, question, signal)}}`]
      return
    }
    const names = fields && fields.length > 0 ? [...new Set(fields)] : answered.map(this.rows.fields.wireName)
    const { feedbackPrefix } = this
    yield* this.rows.texts(reader, names, question, { feedbackPrefix, signal })
  }
}
