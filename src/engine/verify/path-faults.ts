import { sharedMembers } from '../../lib/json-pointer.ts'
import type { Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { shownColumnsOf, unsharedSql } from '../data-files/path-columns.ts'

/** Columns for paths that do not hold what the JSON says. */
export async function pathFaults(
  writer: Writer,
  { pathed = [] }: Table,
  { pathColumns, sharedColumns, add }: DataFile,
  source: string,
): Promise<string[]> {
  const shown = [...shownColumnsOf(add)]
  const isShown = (path: string) => shown.some(([, member]) => path.startsWith(`${member}/`))
  const paths = [...pathColumns].filter(([path]) => !isShown(path))
  const shared = pathed.filter(({ name }) => sharedColumns.has(sharedMembers(name)))
  if (paths.length + shared.length === 0) return []
  const items = paths.map(([path, name]) => `count(*) FILTER (t."${name}" IS DISTINCT FROM ${jsonAt(path)})`)
  const members = shown.map(([, member]) => `count(${jsonAt(member.replace('.', '/'))})`)
  const unshared = shared.map((column) => `count(*) FILTER (${unsharedSql(column)})`)
  const [found] = await writer.rows(`SELECT ${[...items, ...members, ...unshared].join(', ')} FROM ${source}`)
  const faultAt = (index: number, fault: (rows: number) => string) => {
    const rows = found![index] as number
    return rows === 0 ? [] : [fault(rows)]
  }
  return [
    ...paths.flatMap(([path, name], index) =>
      faultAt(index, (rows) => `has ${rows} rows whose column ${name} is not the JSON at ${JSON.stringify(path)}`),
    ),
    ...shown.flatMap(([column, member], index) =>
      faultAt(
        paths.length + index,
        (rows) => `has ${rows} rows with JSON at ${JSON.stringify(member)}, where ${column} should be read`,
      ),
    ),
    ...shared.flatMap(({ name, sharedIn }, index) =>
      faultAt(
        paths.length + shown.length + index,
        (rows) => `has ${rows} rows with all of ${name} in the column itself, not in ${sharedIn!.column}`,
      ),
    ),
  ]
}

function jsonAt(path: string): string {
  const slash = path.indexOf('/')
  return `json_extract(t."${path.slice(0, slash)}", ${textLiteral(path.slice(slash))})::VARCHAR`
}
