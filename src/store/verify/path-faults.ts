import { textLiteral } from '../../duck/column-types.ts'
import type { Writer } from '../../duck/writer.ts'
import type { DataFile } from '../data-files/data-file.ts'

/** Columns for paths that do not hold what the JSON says. */
export async function pathFaults(writer: Writer, { pathColumns }: DataFile, source: string): Promise<string[]> {
  const paths = [...pathColumns]
  if (paths.length === 0) return []
  const items = paths.map(([path, name]) => {
    const slash = path.indexOf('/')
    const stated = `json_extract(t."${path.slice(0, slash)}", ${textLiteral(path.slice(slash))})::VARCHAR`
    return `count(*) FILTER (t."${name}" IS DISTINCT FROM ${stated})`
  })
  const [differences] = await writer.rows(`SELECT ${items.join(', ')} FROM ${source}`)
  return paths.flatMap(([path, name], index) => {
    const rows = differences![index] as number
    return rows === 0 ? [] : [`has ${rows} rows whose column ${name} is not the JSON at ${JSON.stringify(path)}`]
  })
}
