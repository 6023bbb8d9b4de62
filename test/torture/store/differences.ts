import { isDeepStrictEqual } from 'node:util'
import type { VisibleRow } from '../../store/visible-rows.ts'

/** What readers see and should not, and the other way round; one line each. */
export function differences(seen: readonly VisibleRow[], expected: readonly VisibleRow[]): string[] {
  const [shown, right] = [byId(seen), byId(expected)]
  const lost = expected.filter(({ id }) => !shown.has(String(id))).map(({ id }) => `${id} is lost`)
  const found = seen.filter(({ id }) => !right.has(String(id))).map(({ id }) => `${id} shows and should not`)
  const other = expected.filter((row) => {
    const is = shown.get(String(row['id']))
    return is !== undefined && !isDeepStrictEqual(is, row)
  })
  const changed = other.map((row) => `${JSON.stringify(shown.get(String(row['id'])))} should be ${JSON.stringify(row)}`)
  const twice = seen.length === shown.size ? [] : ['rows are answered twice']
  return [...lost, ...found, ...changed, ...twice]
}

const byId = (rows: readonly VisibleRow[]): Map<string, VisibleRow> =>
  new Map(rows.map((row) => [String(row['id']), row]))
