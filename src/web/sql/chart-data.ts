import { type Series, seriesColor } from '../chart/series-values.ts'
import { cellText, isNumeric, numberOf } from './cells.ts'
import type { Result } from './run-statement.ts'

/** Columns of a chart by their places; without `by` there is one series. */
export interface ChartChoice {
  readonly kind: 'lines' | 'bars'
  readonly x: number
  readonly y: number
  readonly by: number | undefined
}

const isTime = (type: string): boolean => /^(?:TIMESTAMP|DATE)/.test(type)

/** A chart that is likely wanted; undefined without a column of numbers. */
export function usualChoice({ columns, rows }: Result): ChartChoice | undefined {
  const y = columns.findIndex(({ type }, index) => isNumeric(type) && (index > 0 || columns.length === 1))
  if (y < 0 || rows.length === 0) return undefined
  const time = columns.findIndex(({ type }) => isTime(type))
  const x =
    time >= 0
      ? time
      : Math.max(
          0,
          columns.findIndex((_, index) => index !== y),
        )
  const by = columns.findIndex(({ type }, index) => time >= 0 && index !== x && index !== y && !isNumeric(type))
  return { kind: time >= 0 ? 'lines' : 'bars', x, y, by: by < 0 ? undefined : by }
}

/** Values of x in their order, and a series for each group. */
export interface ChartData {
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  /** How many values of x and groups there are; not all are drawn. */
  readonly points: number
  readonly groups: number
}

/** A chart has no room for more of a text; the table shows all of it. */
const nameCharsMax = 60
const shortened = (name: string): string => (name.length > nameCharsMax ? `${name.slice(0, nameCharsMax - 1)}…` : name)

export const pointsMax = 200
export const groupsMax = 7

/** The values of a chart. Several rows with the same x and group are added up. */
export function chartData({ columns, rows }: Result, { x, y, by }: ChartChoice): ChartData {
  const labels = [...new Set(rows.map((row) => cellText(row[x]) ?? 'NULL'))]
  if (isTime(columns[x]?.type ?? '')) labels.sort()
  const shown = labels.slice(0, pointsMax)
  const place = new Map(shown.map((label, index) => [label, index]))
  const groups = new Map<string, (number | null)[]>()
  for (const row of rows) {
    const at = place.get(cellText(row[x]) ?? 'NULL')
    const value = numberOf(row[y])
    const name = by === undefined ? (columns[y]?.name ?? '') : (cellText(row[by]) ?? 'NULL')
    const values = groups.get(name) ?? Array.from({ length: shown.length }, () => null)
    if (at !== undefined && value !== undefined) values[at] = (values[at] ?? 0) + value
    groups.set(name, values)
  }
  const series = [...groups].slice(0, groupsMax).map(([name, values], index) => ({
    name: shortened(name),
    values,
    color: seriesColor(index),
  }))
  return { labels: shown, series, points: labels.length, groups: groups.size }
}
