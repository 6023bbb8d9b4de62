import { useEffect, useMemo } from 'preact/hooks'
import type { CallRow } from '../call-row.ts'
import type { CallsQuery } from '../calls-request.ts'
import type { Column } from '../columns/columns.ts'
import { isPathColumn } from '../columns/known-columns.ts'
import { PathValues } from '../path-values.ts'
import { percentile } from '../percentile.ts'
import { scoresOfRows } from '../row-feedback.ts'
import type { CellFacts } from './cells.tsx'
import { UsageOfRows } from './row-usage.ts'

const usages = new Map<string, UsageOfRows>()

const usageOf = (projectId: string, rootsOnly: boolean): UsageOfRows => {
  const key = `${projectId} ${rootsOnly}`
  const usage = usages.get(key) ?? new UsageOfRows(projectId, rootsOnly)
  usages.set(key, usage)
  return usage
}

const slowShare = 0.95
const batchRows = 100

/**
 * What cells show beside the rows: tokens, cost and values of added columns, read for the rows on
 * screen once their page is there, and the scale of the latency bars.
 */
export function useRowFacts(
  { projectId, rootsOnly }: Pick<CallsQuery, 'projectId' | 'rootsOnly'>,
  rows: readonly CallRow[],
  columns: readonly Column[],
  onScreen: { readonly first: number; readonly last: number },
  isReady: boolean,
): (row: CallRow) => CellFacts {
  const usage = usageOf(projectId, rootsOnly)
  const paths = columns.map(({ id }) => id).filter(isPathColumn)
  const values = useMemo(() => new PathValues(projectId, paths), [projectId, paths.join('\n')])
  const needsUsage = columns.some(({ id }) => id === 'tokens' || id === 'cost' || id === 'model')
  const from = Math.floor(onScreen.first / batchRows) * batchRows
  const to = Math.ceil(onScreen.last / batchRows) * batchRows
  useEffect(() => {
    if (!isReady) return
    const ids = rows.slice(from, to).map(({ id }) => id)
    if (needsUsage) void usage.read(ids)
    void values.read(ids)
  }, [isReady, rows.length, from, to, needsUsage, values])
  const scale = useMemo(() => {
    const latencies = rows.map(({ latencyMs }) => latencyMs).filter((ms): ms is number => ms !== null)
    const slowMs = latencies.length < 20 ? Number.POSITIVE_INFINITY : percentile(latencies, slowShare)!
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
