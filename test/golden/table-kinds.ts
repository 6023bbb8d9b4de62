import { parseRows } from '../../src/domains/evaluations/plan/parse.ts'
import { rowsStatement } from '../../src/domains/evaluations/sql/rows.ts'
import { feedbackRules } from '../../src/domains/feedback/feedback.ts'
import { recordRules } from '../../src/domains/records/records.ts'
import { callsTable } from '../../src/engine/tables/calls-table.ts'
import { costsTable } from '../../src/engine/tables/costs-table.ts'
import { feedbackTable } from '../../src/engine/tables/feedback-table.ts'
import { objectsTable } from '../../src/engine/tables/objects-table.ts'
import { progressTable, queueItemsTable, queuesTable } from '../../src/engine/tables/queue-tables.ts'
import { tableRows } from '../../src/engine/tables/stored-tables.ts'
import { dialects } from '../../src/formats/dialect/dialect.ts'
import type { Sql } from '../../src/lib/sql.ts'
import type { Column, ColumnType, Table } from '../../src/lib/table.ts'
import { ascendingBy, type SortRules } from '../../src/query/sort.ts'
import { compileTableQuery } from '../../src/query/sql/table-statements.ts'
import { tableCatalog } from '../../src/query/table-catalog.ts'
import { planTable } from '../../src/query/table-plan.ts'
import type { Operation } from '../conformance/support/query-expression.ts'
import type { DataRow, Shape, Type } from './evaluator.ts'
import { branchOf, projectId } from './fixture.ts'
import type { Random } from './random.ts'
import { type Json, print, randomJson, randomObject, texts } from './random-json.ts'

/** One kind of queried rows, and what the evaluator needs to know about them. */
export interface TableKind {
  readonly table: Table
  readonly shape: Shape
  /** Columns that random queries use. */
  readonly columns: readonly Pick<Column, 'name' | 'type'>[]
  readonly key: string
  /**
   * The statement that selects the keys of the rows for which a condition holds.
   * @throws DomainError
   */
  readonly compile: (operation: Operation) => Sql
  /** The stored cells for a row of the evaluator. */
  readonly stored: (row: DataRow) => Record<string, unknown>
  /** A row of the evaluator with random cells. */
  readonly randomRow: (random: Random, index: number) => DataRow
}

const types: Readonly<Record<ColumnType, Type>> = {
  text: 'text',
  json: 'json',
  time: 'time',
  integer: 'integer',
  number: 'double',
  texts: 'texts',
}

/** Rows of a table queried by its own columns. */
function kindOf(table: Table, rules: SortRules | undefined, shape: Partial<Shape> = {}): TableKind {
  const [, key] = table.key
  const stored = table.columns.filter(({ name, storedIn }) => storedIn !== 'wal' && name !== 'project_id')
  const order = rules ?? { catalog: tableCatalog({ columns: stored }), otherwise: [], tieBreaker: ascendingBy(key) }
  const columns = stored.filter(({ name }) => order.catalog.fields.has(name))
  const isShown = (name: string) => name === key || name === table.presenceColumn
  return {
    table,
    columns,
    key,
    shape: {
      types: Object.fromEntries(columns.map(({ name, type }) => [name, types[type]])),
      isLenient: true,
      ...shape,
    },
    compile: (operation) => {
      const plan = planTable(projectId, [key], { query: { $expr: operation } }, order)
      return compileTableQuery(plan, branchOf(table.name, table.presenceColumn, key))
    },
    stored: (row) => Object.fromEntries(stored.map(({ name, type }) => [name, cellOf(type, row[name])])),
    randomRow: (random, index) =>
      Object.fromEntries(
        stored.map(({ name, type }) => {
          const cell = name === key ? `row-${index}` : randomCell(random, name, type, shape, isShown(name))
          return [name, !isShown(name) && random.below(3) === 0 ? null : cell]
        }),
      ),
  }
}

const refTexts = ['ext:///a/b/object/c:1', 'weave:///a/b/object/c:1', 'ext:///a/b/call/x', 'x ext:///a']
const feedbackTypes = ['ext.note.1', 'ext.reaction.1', 'ext.annotation.x', 'ext.own', 'wandb', 'a', 'Foo-Bar_baz', '5']

function randomCell(
  random: Random,
  name: string,
  type: ColumnType,
  { refs, feedbackTypes: typed }: Partial<Shape>,
  isShown: boolean,
) {
  switch (type) {
    case 'text':
      if (typed?.includes(name)) return random.pick(feedbackTypes)
      return random.pick(refs?.includes(name) ? [...refTexts, ...texts] : texts)
    case 'json':
      return !isShown && random.below(4) === 0 ? randomJson(random, 3) : randomObject(random, 3)
    case 'time':
      return random.pick([-3, 0, 1, 1.5, 5, 100, 1_714_557_600.25])
    case 'integer':
      return random.pick([-3, 0, 1, 5, 255, 2 ** 53 - 1])
    case 'number':
      return random.pick([-2.25, 0, 0.1, 1, 1.5, 5, 100, 255])
    case 'texts':
      return Array.from({ length: random.below(3) }, () => random.pick(texts))
  }
}

const cellOf = (type: ColumnType, cell: unknown): unknown => {
  if (type === 'json') return cell === null ? null : print(cell as Json)
  return type === 'time' && cell !== null ? new Date((cell as number) * 1000).toISOString() : cell
}

/** Rows of evaluation results: trials per row of a dataset, from the JSON of one call each. */
const evaluationRows: TableKind = {
  table: callsTable,
  key: 'row_digest',
  columns: [
    { name: 'row_digest', type: 'text' },
    ...['scores', 'inputs', 'outputs', 'output'].map((name) => ({ name, type: 'json' }) as const),
  ],
  shape: {
    types: { row_digest: 'text', scores: 'json', inputs: 'json', output: 'json' },
    aliases: { outputs: 'output' },
    isLenient: true,
  },
  compile: (operation) => {
    const plan = parseRows({ project_id: projectId, filters: [{ query: { $expr: operation } }] } as never)
    const calls = branchOf(callsTable.name, 'op_name', 'id')
    const datasetRows = { ...branchOf('table_rows', 'val', 'digest') }
    const scope = { projectId, evaluationIds: ['e'], trials: calls, children: calls, datasetRows }
    const { text, values } = rowsStatement(scope, plan, { trials: undefined, models: new Map() })
    return { text: `SELECT row_digest FROM (${text}) WHERE row_digest IS NOT NULL`, values }
  },
  stored: ({ row_digest, scores, inputs, output }) => {
    const outcome = new Map([
      ['scores', scores as Json],
      ['output', output as Json],
    ])
    return {
      id: `trial-${row_digest}`,
      op_name: 'trial',
      parent_id: 'e',
      row_digest,
      inputs: print(new Map([['example', inputs as Json]])),
      output: print(outcome),
    }
  },
  randomRow: (random, index) => ({
    row_digest: `${random.pick(['a', 'Foo-Bar_baz', '5', 'true', ''])}${1000 + index}`,
    scores: randomObject(random, 3),
    inputs: randomObject(random, 3),
    output: random.below(3) === 0 ? randomJson(random, 3) : randomObject(random, 3),
  }),
}

/** Every kind of row that supports the query language and that its catalog can describe. */
export const tableKinds: Readonly<Record<string, TableKind>> = {
  feedback: kindOf(feedbackTable, feedbackRules(dialects.weave), {
    refs: ['ext_ref', 'annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref'],
    feedbackTypes: ['feedback_type'],
  }),
  prices: kindOf(costsTable, recordRules(costsTable)),
  'annotation queues': kindOf(queuesTable, undefined),
  'items of annotation queues': kindOf(queueItemsTable, undefined),
  'progress of annotators': kindOf(progressTable, undefined),
  'rows of tables': kindOf(tableRows, undefined),
  'versions of objects': kindOf(objectsTable, undefined),
  'rows of evaluations': evaluationRows,
}
