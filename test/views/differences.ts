import { type ExpectedView, jsonColumns } from './expected.ts'

type Members = Record<string, unknown>

/**
 * What differs between the rows of a view and what is expected; at most a few lines.
 *
 * @param microsKept an engine rounds times to so many
 */
export function differences(
  view: string,
  { key, rows }: ExpectedView,
  found: readonly Members[],
  microsKept = 1,
): string[] {
  const keyOf = (row: Members) => JSON.stringify(key.map((name) => String(plain(row[name]))))
  const byKey = Map.groupBy(found, keyOf)
  const faults = rows.flatMap((row) => {
    const same = byKey.get(keyOf(row)) ?? []
    byKey.delete(keyOf(row))
    if (same.length !== 1) return [`${view}: ${keyOf(row)} is there ${same.length} times`]
    return Object.entries(row).flatMap(([name, expected]) => {
      const value = same[0]?.[name]
      const isSame =
        isEqual(jsonColumns.includes(name) ? parsed(value) : value, expected, microsKept) ||
        // A difference of two rounded times.
        (microsKept > 1 && durationPattern.test(name) && isWithin(value, expected, microsKept / 1000))
      return isSame ? [] : [`${view}: ${keyOf(row)}: ${name} is ${shown(value)} instead of ${shown(expected)}`]
    })
  })
  const more = [...byKey.keys()].map((each) => `${view}: ${each} is too much`)
  return [...faults, ...more].slice(0, 12)
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 300)

const parsed = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : (value ?? null))

/** Engines answer integers as numbers, texts or big integers, and times in forms of their own. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value === undefined) return null
  return value
}

const durationPattern = /^latency_ms$|_duration_ms$/

const isWithin = (found: unknown, expected: unknown, distance: number): boolean =>
  typeof found === 'number' && typeof expected === 'number' && Math.abs(found - expected) <= distance

const timePattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/

function isEqual(found: unknown, expected: unknown, microsKept: number): boolean {
  const [a, b] = [plain(found), plain(expected)]
  if (typeof b === 'number') {
    const number = typeof a === 'string' ? Number(a) : a
    return typeof number === 'number' && Math.abs(number - b) <= 1e-9 * Math.max(1e-6, Math.abs(b))
  }
  // ClickHouse answers conditions as 0 and 1.
  if (typeof b === 'boolean' && typeof a === 'number') return a === Number(b)
  if (typeof a === 'string' && typeof b === 'string' && timePattern.test(b) && timePattern.test(a))
    return micros(a) === Math.round(micros(b) / microsKept) * microsKept
  return Bun.deepEquals(a, b)
}

/** Microseconds since 1970 of a time in UTC. */
function micros(text: string): number {
  const [, date, time, decimals = ''] = /^([\d-]+)[T ]([\d:]+)(?:\.(\d+))?/.exec(text) ?? []
  return Date.parse(`${date}T${time}Z`) * 1000 + Number(decimals.slice(0, 6).padEnd(6, '0'))
}
