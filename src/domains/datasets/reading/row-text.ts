import { asciiJson, pythonJson, pythonMembers, pythonNumber } from '../../../runtime/python-json.ts'
import type { ColumnType } from '../model/datasets.ts'
import type { SourceRecord } from './records.ts'
import { isNumberText, Refused, valueOfText } from './values.ts'

/** A column of texts, and how its cells become members of rows. */
export interface PlannedColumn {
  /** Position in the file. */
  readonly at: number
  readonly name: string
  readonly type: ColumnType
  readonly empty: 'null' | 'absent' | 'text'
}

/** A row as JSON text, and as the text that its digest is computed from. */
export interface RowText {
  readonly val: string
  readonly digested: string
}

/**
 * Prints records of texts as rows without building these, which most of the time of an import would
 * be spent on. Undefined for a row with a fault, or with what may be a ref: these are read the long
 * way, with the same result.
 */
export function rowTextsOf(columns: readonly PlannedColumn[]): (record: SourceRecord) => RowText | undefined {
  const places = columns.map((column) => ({ ...column, before: `${JSON.stringify(column.name)}:` }))
  const order = pythonMembers(columns.map(({ name }) => name)).map(({ name, before }) => ({
    before,
    at: columns.findIndex((column) => column.name === name),
  }))
  return ({ cells }) => {
    let val = ''
    const digested: (string | undefined)[] = []
    for (const { at, type, empty, before } of places) {
      const cell = cells[at]
      if (cell !== undefined && typeof cell !== 'string') return undefined
      let printed: string
      let inDigest: string
      if (cell === undefined || (cell === '' && type !== 'text')) {
        if (empty === 'absent') {
          digested.push(undefined)
          continue
        }
        printed = inDigest = empty === 'text' ? '""' : 'null'
      } else if (type === 'text' || type === 'auto') {
        printed = inDigest = JSON.stringify(cell)
      } else if (type === 'number') {
        if (!isNumberText(cell)) return undefined
        printed = cell
        inDigest = numberInDigest(cell)
      } else {
        const value = valueOfText(cell, type)
        if (value instanceof Refused) return undefined
        printed = JSON.stringify(value)
        inDigest = pythonJson(value)
      }
      val += val === '' ? before + printed : `,${before}${printed}`
      digested.push(inDigest)
    }
    if (val.includes(':///')) return undefined
    let text = ''
    for (const { before, at } of order) {
      const member = digested[at]
      if (member !== undefined) text += text === '' ? before + member : `, ${before}${member}`
    }
    return { val: `{${val}}`, digested: `{${asciiJson(text)}}` }
  }
}

/** A decimal that a double keeps to the digit, and that Python prints without an exponent. */
const shortDecimal = /^-?(?:[1-9]\d{0,5}|0(?!\.0{4}))\.\d{1,8}$/

const numberInDigest = (text: string): string =>
  shortDecimal.test(text) ? text.replace(/(?<=\.\d+)0+$/, '') : pythonNumber(text, Number(text))
