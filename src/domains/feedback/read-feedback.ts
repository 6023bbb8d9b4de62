import { clientColumns } from '../../engine/tables/define-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import type { RecordsRequest } from '../../formats/schemas/records-request.ts'
import type { ProjectReader } from '../access/caller.ts'
import type { TableRows } from '../records/table-rows.ts'

/** Requests the number of rows instead of rows. */
const countField = 'count(*)'

const columns = clientColumns(feedbackTable)

/** Members of a row unless a request names others. */
const answered = columns.flatMap(({ name, exposed }) => (exposed === undefined ? [name] : []))

/** Members that are left out while they hold nothing, unless a request names them. */
const leftOutWhileBlank = new Map(columns.flatMap(({ name, blank }) => (blank === undefined ? [] : [[name, blank]])))

/** Implements `feedback/query`. */
export class FeedbackReader {
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
    { fields, ...question }: RecordsRequest,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    if (fields?.includes(countField)) {
      yield [`{"${countField}":${await this.rows.count(reader, question, signal)}}`]
      return
    }
    const asked = fields && fields.length > 0 ? [...new Set(fields)] : undefined
    const names = asked ?? answered.map(this.nameOf)
    const leftOut = asked === undefined ? leftOutWhileBlank : new Map()
    yield* this.rows.texts(reader, names, question, { leftOut, signal })
  }
}
