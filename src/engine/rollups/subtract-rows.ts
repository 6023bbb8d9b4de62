import { present } from '../../lib/present.ts'
import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { keyLists, listedKeys, type RowKey, sameKey } from '../row-key.ts'

/** Hidden rows of a data file. */
export interface HiddenInFile {
  readonly fileName: string
  /** FROM item of all rows of the file. */
  readonly source: string
  readonly keys: readonly RowKey[]
}

/** Hidden rows of a data file that its rollup in memory adds up, and other rows subtract again. */
export interface SubtractedRows {
  readonly keys: ReadonlySet<RowKey>
  /** The array that they were last found to be the same as. */
  readonly listed: readonly RowKey[]
  /** Numbers of the rows that subtract them. */
  readonly numbers: readonly number[]
  /** How many rows the last of them has. */
  readonly rows: number
  /** Whether sums of all columns are exact. */
  readonly isExact: boolean
}

/** Whether just these rows are subtracted. */
export const areSubtracted = (known: SubtractedRows | undefined, keys: readonly RowKey[]): known is SubtractedRows =>
  known?.isExact === true &&
  (known.listed === keys || (known.keys.size === keys.length && keys.every((key) => known.keys.has(key))))

/**
 * Adds rows to those of the rollups in memory that subtract hidden rows of a data file. See
 * docs/decisions/263-hidden-rows-in-rollups.md.
 *
 * @param known those of its hidden rows that have been subtracted
 * @returns all of them; `known` itself if there are no others
 */
export async function subtractRows(
  writer: Writer,
  { table, tableName, number, stepMicros }: { table: Table; tableName: string; number: number; stepMicros: number },
  hidden: HiddenInFile,
  known: SubtractedRows | undefined,
): Promise<SubtractedRows> {
  const { statement, lists, sums, fractions } = present(table.rollup, 'The rollup of the table')
  const { keys, source } = hidden
  const all = new Set(keys)
  const before = known?.keys.isSubsetOf(all) ? known : undefined
  const fresh = keys.filter((key) => !before?.keys.has(key))
  if (before !== undefined && fresh.length === 0) return before.listed === keys ? before : { ...before, listed: keys }
  const some = `(SELECT t.* FROM ${source} t, ${listedKeys(table)} WHERE ${sameKey(table, 'k')})`
  const negative = sums.map((name) => `-"${name}" AS "${name}"`).join(', ')
  await writer.execute(
    `INSERT INTO "${tableName}" BY NAME
     SELECT ${number}::INTEGER AS file, * EXCLUDE ("${lists}") REPLACE (${negative})
     FROM (${statement(some, stepMicros)})`,
    keyLists(fresh),
  )
  const { rows, inexact } = await writer.readOne(
    { rows: 'number', inexact: 'number' },
    `SELECT count(*)::DOUBLE, count("${fractions}")::DOUBLE FROM "${tableName}" WHERE file = ${number}`,
  )
  const isExact = inexact === 0 && before?.isExact !== false
  return { keys: all, listed: keys, numbers: [...(before?.numbers ?? []), number], rows, isExact }
}
