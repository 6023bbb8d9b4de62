import { DomainError } from '../lib/errors.ts'
import type { Table } from '../lib/table.ts'
import type { DataFile } from './data-files/data-file.ts'

/** @throws DomainError DataDamaged if the answer would lack the rows of a damaged file */
export function refuseDamaged(table: Table, dataFiles: readonly DataFile[], projectId?: string): void {
  if (dataFiles.length === 0) return
  const whose = projectId === undefined ? '' : ` of the project "${projectId}"`
  const [from, to] = timesOf(table, dataFiles)
  const when = from === undefined || to === undefined ? '' : ` from between ${from} and ${to}`
  throw new DomainError(
    'DataDamaged',
    `Cannot read ${table.name.replaceAll('_', ' ')}${whose}: stored data${when} is damaged; the operator can ` +
      `repair it with "tracelake repair"`,
  )
}

/** The time range of the files' rows, if the table is sorted by a time. */
function timesOf(table: Table, dataFiles: readonly DataFile[]): [from: unknown, to: unknown] {
  const column = table.columns.find(({ name, type }) => type === 'time' && name === table.order[1])?.name
  if (column === undefined) return [undefined, undefined]
  const bounds = (side: 'minValues' | 'maxValues') =>
    dataFiles.flatMap(({ statistics }) => statistics[side][column] ?? []).sort()
  return [bounds('minValues')[0], bounds('maxValues').at(-1)]
}
