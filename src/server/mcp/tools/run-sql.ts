import { Type } from '@sinclair/typebox'
import { readableNames } from '../../../domains/sql/index.ts'
import { agentStatement } from '../../../lib/limits/sql.ts'
import { toolLimits } from '../../../lib/limits/tools.ts'
import { describeTable } from '../schema-text.ts'
import { AnswerText } from '../text/answer-text.ts'
import { oneLine } from '../text/number-text.ts'
import { defineTool } from '../tool.ts'
import { Arguments, count, readerOf, requireAccess, text } from './arguments.ts'

/** Runs SQL over the rows of one project. */
export const runSql = defineTool({
  name: 'run_sql',
  title: 'Run SQL',
  description:
    'Runs one DuckDB SELECT over the tables of a project: for anything else. `describe_schema` lists them. ' +
    "JSON members: attributes->>'customer'. Tokens and cost: SELECT model, sum(cost) FROM usage GROUP BY ALL.",
  input: Arguments({
    statement: Type.String({ minLength: 1, maxLength: toolLimits.sqlStatementCharsMax, description: 'One SELECT' }),
    limit: count(`Number of rows; ${toolLimits.agentRowsDefault} if omitted`, toolLimits.agentRowsMax),
  }),
  answer: async (context, { project: named, statement, limit = toolLimits.agentRowsDefault }) => {
    const reader = readerOf(context, named)
    const asked = { statement, rowsMax: limit, format: 'texts', limits: agentStatement } as const
    const { columns, isCut, text: cells } = await context.services.sql.run(reader, asked, context.signal)
    const rows: readonly (readonly unknown[])[] = JSON.parse(cells)
    const answer = new AnswerText()
    answer.add(columns.map(({ name }) => name).join(' | '))
    const cell = (value: unknown) =>
      value === null ? 'NULL' : oneLine(String(value), 2 * toolLimits.agentPreviewChars)
    const shown = answer.addList(
      rows.map((row) => row.map(cell).join(' | ')),
      'rows',
      isCut ? undefined : rows.length,
    )
    if (isCut || shown < rows.length) answer.add('There are more rows: aggregate, or narrow the statement down.')
    return answer.end()
  },
})

/** Describes the tables that SQL may read. */
export const describeSchema = defineTool({
  name: 'describe_schema',
  title: 'Describe the tables',
  description: 'The tables for `run_sql`; with `table`, its columns.',
  input: Arguments({ table: text('A table') }),
  answer: async (context, { project: named, table }) => {
    requireAccess(context, named)
    const answer = new AnswerText()
    const described = table === undefined ? undefined : describeTable(table)
    if (described !== undefined) answer.add(described)
    else {
      answer.add(`Tables: ${readableNames.join(', ')}. Every table holds the rows of one project only.`)
      for (const name of ['calls', 'usage', 'feedback']) answer.next('describe_schema', { table: name }, 'its columns')
    }
    return answer.end()
  },
})
