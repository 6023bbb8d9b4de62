import type { Cell, Column, Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { FileStatistics } from '../delta/actions.ts'
import { fileColumns } from './file-columns.ts'

/**
 * Computes the row count of `source` (a FROM clause over file columns, named `t`), the null counts
 * of all columns, and the bounds of the `bounded` ones.
 *
 * @param options `only`: skips the other columns, which hold most of the bytes
 */
export async function computeStatistics(
  writer: Writer,
  table: Table,
  source: string,
  options: { only?: 'bounded' } = {},
): Promise<FileStatistics> {
  const bounded = fileColumns(table).filter(({ name }) => table.bounded.includes(name))
  const columns = options.only === 'bounded' ? bounded : fileColumns(table)
  const sums = [
    ...columns.map(({ name }) => `count(*) - count(t."${name}")`),
    ...bounded.map(({ name }) => `min(t."${name}"), max(t."${name}")`),
  ]
  const [[numRecords, ...cells]] = (await writer.rows(`SELECT count(*), ${sums.join(', ')} FROM ${source}`)) as [
    [number, ...Cell[]],
  ]
  const nullCount = Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] as number]))
  const minValues: Record<string, string | number> = {}
  const maxValues: Record<string, string | number> = {}
  bounded.forEach((column, index) => {
    const at = columns.length + index * 2
    const [min, max] = cells.slice(at, at + 2) as [Cell, Cell]
    if (min !== null) minValues[column.name] = statistic(column, min, Math.floor)
    if (max !== null) maxValues[column.name] = statistic(column, max, Math.ceil)
  })
  return { numRecords, minValues, maxValues, nullCount }
}

/** Delta keeps timestamp bounds in milliseconds; rounding outward keeps them valid. */
function statistic(column: Column, cell: Cell, round: (value: number) => number): string | number {
  if (column.type === 'time') return new Date(round((cell as number) / 1000)).toISOString()
  return cell as string | number
}
