import { parseExactly } from '../../formats/wire/exact-json.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import type { Cell } from '../../lib/table.ts'
import { parseTime } from '../../lib/time.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import type { OutputColumn } from '../../query/sql/call-columns.ts'

/**
 * Turns calls as JSON texts into cells by column. With `humanReadable`, times are as in the API and
 * JSON strings without quotes.
 */
export async function* tableOfLines(
  columns: readonly OutputColumn[],
  { columns: asked, output }: CallsPlan,
  lines: AsyncGenerator<string[]>,
  { humanReadable }: { humanReadable: boolean },
): AsyncGenerator<Cell[][]> {
  const places = columns.map(({ name }) => {
    const column = asked?.find((candidate) => candidate.name === name)
    return column === undefined ? [name] : [output.nameOf(column.member), ...column.path]
  })
  for await (const some of lines) {
    const calls = some.map(parseExactly)
    yield columns.map(({ type }, index) =>
      calls.map((call) => cellOf(type, valueAt(call, places[index]!), humanReadable)),
    )
  }
}

function cellOf(type: OutputColumn['type'], value: unknown, humanReadable: boolean): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' && type === 'integer') return value
  if (typeof value !== 'string') return JSON.stringify(value)
  if (type === 'time') return humanReadable ? value : (parseTime(value) ?? null)
  return type === 'json' && !humanReadable ? JSON.stringify(value) : value
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const key of path) {
    if (Array.isArray(found)) found = /^\d+$/.test(key) ? found[Number(key)] : undefined
    else found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return found
}
