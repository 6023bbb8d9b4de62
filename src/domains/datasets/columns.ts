import { parseObject } from '../../formats/wire/exact-json.ts'
import { isJsonObject, isRawNumber } from '../../lib/json-value.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { pythonFloat } from '../../runtime/python-json.ts'
import type { ColumnType, DatasetColumn } from './model/datasets.ts'
import { isMessages } from './reading/values.ts'

/** How all numbers of a column are spelled, if Parquet has a type that keeps it. */
type NumberForm = 'integer' | 'short' | 'python' | undefined

/** A column of a version, as its rows are. */
export interface RowColumn extends DatasetColumn {
  readonly numbers: NumberForm
}

/** Finds out the columns of rows. */
class ColumnFacts {
  private readonly types = new Set<'text' | 'number' | 'boolean' | 'json' | 'messages'>()
  private nulls = 0
  values = 0
  private isInteger = true
  private isShort = true
  private isPython = true

  add(value: unknown): void {
    this.values++
    if (value === null) this.nulls++
    else if (typeof value === 'string') this.types.add('text')
    else if (typeof value === 'boolean') this.types.add('boolean')
    else if (typeof value === 'number' || isRawNumber(value)) {
      this.types.add('number')
      this.addNumber(isRawNumber(value) ? value.rawJSON : String(value))
    } else this.types.add(isMessages(value) ? 'messages' : 'json')
  }

  private addNumber(text: string): void {
    const value = Number(text)
    this.isInteger &&= /^(?:0|-?[1-9]\d*)$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
    this.isShort &&= String(value) === text
    this.isPython &&= pythonFloat(value) === text
  }

  /** @param rows how many there are */
  result(name: string, rows: number): RowColumn {
    const isAbsent = this.values < rows
    // An empty cell can say one of the two only, but JSON has `null`.
    const isBoth = isAbsent && this.nulls > 0
    const [type, ...others] = this.types
    const onlyJson = [...this.types].every((one) => one === 'json' || one === 'messages')
    const all: ColumnType =
      type === undefined ? (isBoth ? 'json' : 'text') : others.length > 0 || isBoth ? 'json' : type
    const numbers = all !== 'number' ? undefined : this.isInteger ? 'integer' : this.form
    const empty = isAbsent || (all === 'json' && !onlyJson) ? 'absent' : 'null'
    return { name, type: all, empty, numbers }
  }

  private get form(): NumberForm {
    return this.isShort ? 'short' : this.isPython ? 'python' : undefined
  }
}

/** The columns of rows, in the order in which they first occur, and how many rows there are. */
export async function columnsOf(
  batches: AsyncIterable<readonly { readonly val: string }[]>,
): Promise<{ readonly columns: readonly RowColumn[]; readonly rows: number }> {
  const facts = new Map<string, ColumnFacts>()
  let rows = 0
  const slice = new TimeSlice()
  for await (const batch of batches) {
    for (const { val } of batch) {
      rows++
      for (const [name, value] of Object.entries(parseObject(val))) {
        let known = facts.get(name)
        if (known === undefined) {
          known = new ColumnFacts()
          facts.set(name, known)
        }
        known.add(value)
      }
      if (slice.expired) await slice.yield()
    }
  }
  return { columns: [...facts].map(([name, column]) => column.result(name, rows)), rows }
}

/** The cell of a row in a file of texts; undefined if it is empty. */
export function cellText(row: Readonly<Record<string, unknown>>, { name, type, empty }: RowColumn): string | undefined {
  if (!Object.hasOwn(row, name)) return undefined
  const value = row[name]
  if (value === null && !(type === 'json' && empty === 'absent')) return undefined
  if (type === 'text' && typeof value === 'string') return value
  return isJsonObject(value) || Array.isArray(value) || type === 'json' ? JSON.stringify(value) : spelled(value)
}

const spelled = (value: unknown): string => (isRawNumber(value) ? value.rawJSON : String(value))
