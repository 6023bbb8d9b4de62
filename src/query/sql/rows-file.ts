import { responseLimits } from '../../lib/limits/responses.ts'
import type { Sql } from '../../lib/sql.ts'
import type { OutputColumn } from './call-columns.ts'

/**
 * Rows of a file of JSON lines with members `c0`, `c1`, … in the order of `columns`; times are
 * microseconds.
 */
export function rowsFileSql(path: string, columns: readonly OutputColumn[]): Sql {
  const types = columns.map(({ type }, index) => `c${index}: '${isWhole(type) ? 'BIGINT' : 'VARCHAR'}'`)
  const items = columns.map(({ name, type }, index) => {
    const value = type === 'time' ? `make_timestamp(c${index})::TIMESTAMPTZ` : `c${index}`
    return `${value} AS "${name.replaceAll('"', '""')}"`
  })
  return {
    text: `SELECT ${items.join(', ')} FROM read_json($1, format = 'newline_delimited', columns = {${types.join(', ')}},
      maximum_object_size = ${responseLimits.rowsFileLineBytesMax})`,
    values: [path],
  }
}

const isWhole = (type: OutputColumn['type']): boolean => type === 'time' || type === 'integer'
