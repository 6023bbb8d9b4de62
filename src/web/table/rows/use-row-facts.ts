import { signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { itemAt } from '../../../lib/present.ts'
import { postRaw } from '../../api/client.ts'
import type { CallRow } from '../call-row.ts'
import type { CallsQuery } from '../calls-request.ts'
import { isPathColumn } from '../columns/column-paths.ts'
import type { Column } from '../columns/columns.ts'
import { scoresOfRows } from '../row-feedback.ts'
import type { CellFacts } from './cells.tsx'
import { UsageOfRows } from './row-usage.ts'

/** Rows of a CSV text (RFC 4180). */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}

/** Values of paths in calls, for columns that somebody added. Read after the rows, by their ids. */
class PathValues {
  readonly byId = signal<ReadonlyMap<string, Readonly<Record<string, string>>>>(new Map())
  private readonly asked = new Set<string>()
  private readonly projectId: string
  private readonly paths: readonly string[]

  constructor(projectId: string, paths: readonly string[]) {
    this.projectId = projectId
    this.paths = paths
  }

  /** Reads the values of those calls for which they have not been read yet. */
  async read(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.asked.has(id))
    if (missing.length === 0 || this.paths.length === 0) return
    for (const id of missing) this.asked.add(id)
    // In CSV the server sends only these members; in JSON it sends the whole payloads.
    const body = { project_id: this.projectId, filter: { call_ids: missing }, columns: ['id', ...this.paths] }
    try {
      const response = await postRaw('/calls/stream_query', body, { headers: { accept: 'text/csv' } })
      const [head = [], ...rows] = parseCsv(await response.text())
      const idAt = head.indexOf('id')
      const next = new Map(this.byId.peek())
      for (const row of rows) {
        const values = head.map((name, index) => [name, row[index] ?? ''] as const)
        if (row[idAt]) next.set(row[idAt], Object.fromEntries(values))
      }
      this.byId.value = next
    } catch {
      // The cells stay empty; the next read asks again.
      for (const id of missing) this.asked.delete(id)
    }
  }
}

/** The quantile of the numbers at that share (0 to 1); undefined without numbers. */
export function percentile(numbers: readonly number[], share: number): number | undefined {
  if (numbers.length === 0) return undefined
  const sorted = Float64Array.from(numbers).sort()
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const [low, high] = [itemAt(sorted, below), itemAt(sorted, Math.ceil(place))]
  return low + (high - low) * (place - below)
}

const usages = new Map<string, UsageOfRows>()

const usageOf = (projectId: string, rootsOnly: boolean): UsageOfRows => {
  const key = `${projectId} ${rootsOnly}`
  const usage = usages.get(key) ?? new UsageOfRows(projectId, rootsOnly)
  usages.set(key, usage)
  return usage
}

const slowShare = 0.95
const batchRows = 100

/** Whole batches of rows, by the indexes of the first row and of the one after the last. */
export interface BatchRange {
  readonly from: number
  readonly to: number
}

export const firstBatch: BatchRange = { from: 0, to: batchRows }

/** The batches that hold the rows on screen; the range `known` if they are the same. */
export function batchesAround(first: number, last: number, known: BatchRange): BatchRange {
  const from = Math.floor(first / batchRows) * batchRows
  const to = Math.ceil(last / batchRows) * batchRows
  return from === known.from && to === known.to ? known : { from, to }
}

/**
 * Values that cells show in addition to the rows: tokens, cost and values of added columns, read
 * for the batches of rows on screen once their page is there, and the scale of the latency bars.
 */
export function useRowFacts(
  { projectId, rootsOnly }: Pick<CallsQuery, 'projectId' | 'rootsOnly'>,
  rows: readonly CallRow[],
  columns: readonly Column[],
  { from, to }: BatchRange,
  isReady: boolean,
): (row: CallRow) => CellFacts {
  const usage = usageOf(projectId, rootsOnly)
  const paths = columns.map(({ id }) => id).filter(isPathColumn)
  const values = useMemo(() => new PathValues(projectId, paths), [projectId, paths.join('\n')])
  const needsUsage = columns.some(({ id }) => id === 'tokens' || id === 'cost' || id === 'model')
  useEffect(() => {
    if (!isReady) return
    const ids = rows.slice(from, to).map(({ id }) => id)
    if (needsUsage) void usage.read(ids)
    void values.read(ids)
  }, [isReady, rows.length, from, to, needsUsage, values])
  const scale = useMemo(() => {
    const latencies = rows.map(({ latencyMs }) => latencyMs).filter((ms): ms is number => ms !== null)
    const slowMs = (latencies.length < 20 ? undefined : percentile(latencies, slowShare)) ?? Number.POSITIVE_INFINITY
    return { longestMs: percentile(latencies, 0.99) ?? 0, slowMs }
  }, [rows])
  const scores = useMemo(() => scoresOfRows(rows), [rows])
  const usageById = usage.byId.value
  const valuesById = values.byId.value
  return (row) => ({
    usage: usageById.has(row.id) ? (usageById.get(row.id) ?? null) : undefined,
    values: valuesById.get(row.id),
    scale,
    scores,
  })
}
