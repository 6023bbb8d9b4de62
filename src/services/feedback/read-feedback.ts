import type { ProjectReader } from '../../model/caller.ts'
import { wireFeedbackType } from '../../model/feedback-type.ts'
import type { Cell } from '../../model/table.ts'
import type { TableQuestion } from '../../model/table-question.ts'
import { formatTime } from '../../model/time.ts'
import { resolveTableField, type TableField } from '../../query/table-query/fields.ts'
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
      yield [`{"${countField}":${await this.rows.count(reader, question)}}`]
      return
    }
    const names = fields && fields.length > 0 ? [...new Set(fields)] : answered.map(this.rows.fields.wireName)
    const resolved = names.map((name) => resolveTableField(this.rows.fields, name))
    for await (const columns of this.rows.stream(reader, names, question, signal)) {
      yield columns[0]!.map((_, row) => {
        const members = resolved.map(
          (field, index) => `${JSON.stringify(names[index])}:${this.jsonOf(field, columns[index]![row]!)}`,
        )
        return `{${members.join(',')}}`
      })
    }
  }

  private jsonOf({ column, type }: TableField, cell: Cell): string {
    if (cell === null) return 'null'
    if (type === 'json') return cell as string
    if (type === 'time') return JSON.stringify(formatTime(cell as number))
    if (column === 'feedback_type') return JSON.stringify(wireFeedbackType(cell as string, this.feedbackPrefix))
    return JSON.stringify(cell)
  }
}
