import type { DescribedTable } from '../../src/engine/tables/define-table.ts'
import { tables } from '../../src/engine/tables/tables.ts'
import type { ColumnType } from '../../src/lib/table.ts'
import { withPart } from '../document-part.ts'

/** `document` (docs/data-on-disk.md) with every table as src/engine/tables describes it. */
export const withTableReference = (document: string): string =>
  withPart(document, { name: 'tables', command: 'describe-tables' }, tables.map(sectionOf).join('\n\n'))

function sectionOf(table: DescribedTable): string {
  const { name, description, key, order, bounded, filtered, presenceColumn, refersTo } = table
  const facts = [
    `Key: ${quoted(key)}`,
    `Sort order: ${quoted(order)}`,
    `Columns with bounds: ${quoted(bounded)}`,
    `Columns with a Bloom filter: ${quoted(filtered)}`,
    `Not returned while null: \`${presenceColumn}\``,
    ...(refersTo.length === 0 ? [] : [`Refers to: ${quoted(refersTo.map((referred) => referred.name))}`]),
  ].map((fact) => `- ${fact}`)
  const rows = table.columns.flatMap(({ name: column, type, description: holds, storedIn }) =>
    storedIn === 'wal' ? [] : [`| \`${column}\` | ${typeNames[type]} | ${holds}${isDerived(storedIn)} |`],
  )
  const head = ['| column | type | what it holds |', '|---|---|---|']
  return [`### \`${name}\``, wrapped(description), facts.join('\n'), [...head, ...rows].join('\n')].join('\n\n')
}

/** Breaks a paragraph into lines of at most 110 columns. */
const wrapped = (paragraph: string): string => paragraph.replaceAll(/(?=.{111})(.{1,110}) /g, '$1\n')

const isDerived = (storedIn: string): string => (storedIn === 'files' ? ' (derived)' : '')

/** Types of Parquet columns, as readers know them. */
const typeNames: Readonly<Record<ColumnType, string>> = {
  text: 'string',
  json: 'JSON string',
  time: 'timestamp',
  integer: 'int64',
  number: 'double',
  texts: 'list of strings',
}

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')
