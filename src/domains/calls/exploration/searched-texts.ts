import { itemAt } from '../../../lib/present.ts'
import { columnField } from '../../../query/catalog.ts'
import { any, type Expression, fieldValue, textConstant } from '../../../query/expression.ts'

const textColumns = ['op_name', 'display_name', 'exception'] as const
const jsonColumns = ['inputs', 'output', 'attributes'] as const

/** Columns of calls that are searched for a text, in the order of the hits. */
export const searchedColumns = [...textColumns, ...jsonColumns]

const texts: ReadonlySet<string> = new Set(textColumns)

/** Whether a column holds plain text, rather than JSON. */
export const isText = (column: string): boolean => texts.has(column)

/** For each column, a text in lower case and as the store writes it there. */
export const needlesOf = (text: string): readonly string[] =>
  searchedColumns.map((column) => (isText(column) ? text : inJson(text)).toLowerCase())

/** A text as escaped inside the JSON that the store writes. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The condition that one of the columns contains its needle, in upper or lower case. */
export const containsAny = (needles: readonly string[]): Expression =>
  any(
    searchedColumns.map((column, at) => ({
      kind: 'contains',
      input: fieldValue(columnField(column)),
      part: { kind: 'constant', constant: textConstant(itemAt(needles, at)) },
      ignoreCase: true,
    })),
  )
