import { useState } from 'preact/hooks'
import { postRows } from '../../api/lines.ts'
import { navigate } from '../../state/location.ts'
import { tracePath } from '../../state/paths.ts'
import { showError, showToast } from '../../state/toasts.ts'
import { trailOf } from '../../state/trail.ts'
import { traceText } from '../../text/trace/trace.ts'
import { nextOf } from '../../trace/find-calls.ts'
import type { Skeleton } from '../../trace/skeleton.ts'
import { traceUrl } from '../../trace/trace-url.ts'
import { lineOf, lineTypes } from '../../trace/tree/tree.ts'
import type { useFolds } from '../../trace/tree/use-folds.ts'
import type { useTrace } from '../../trace/use-trace.ts'

interface TraceMovesOptions {
  readonly projectId: string
  readonly skeleton: Skeleton
  readonly trace: ReturnType<typeof useTrace>
  readonly folds: ReturnType<typeof useFolds>
  /** -1 for none. */
  readonly selectedRow: number
  /** Rows of failed calls, and those with the longest self time. */
  readonly failed: Uint32Array
  readonly slowest: readonly number[]
}

/**
 * Keyboard navigation of a trace: from call to call, into the tree and out of it, to the next
 * trace.
 */
export function useTraceMoves({ projectId, skeleton, trace, folds, selectedRow, failed, slowest }: TraceMovesOptions) {
  const { lines, isOpen, toggle, reveal } = folds
  const [loading, setLoading] = useState<string | undefined>(undefined)

  const select = (row: number) => {
    if (row < 0) return
    reveal(row)
    traceUrl.replace({ call: skeleton.id(row) })
  }
  const openInTree = (row: number) => {
    if (row < 0) return
    reveal(row)
    traceUrl.commit({ call: skeleton.id(row), view: 'tree' })
  }
  const step = (by: 1 | -1) => {
    const line = selectedRow < 0 ? -1 : lineOf(skeleton, lines, selectedRow)
    for (let next = line + by; next >= 0 && next < lines.length; next += by) {
      if (lines.type(next) !== lineTypes.more) return select(lines.row(next))
    }
  }
  const loadMore = async (row: number) => {
    const id = skeleton.id(row)
    if (loading !== undefined) return
    setLoading(id)
    await trace.loadChildren(id).catch(showError)
    setLoading(undefined)
  }
  const onToggle = (row: number, type: number) => {
    if (type === lineTypes.more) void loadMore(row)
    else toggle(row, type)
  }
  const fold = () => {
    if (selectedRow < 0) return
    const type = lines.type(lineOf(skeleton, lines, selectedRow))
    if (type === lineTypes.call && skeleton.childCount(selectedRow) > 0 && isOpen(selectedRow, type))
      toggle(selectedRow, type)
    else select(skeleton.parent(selectedRow))
  }
  const unfold = () => {
    if (selectedRow < 0) return
    const type = lines.type(lineOf(skeleton, lines, selectedRow))
    const canOpen = type === lineTypes.run || skeleton.childCount(selectedRow) > 0
    if (canOpen && !isOpen(selectedRow, type)) toggle(selectedRow, type)
    else if (skeleton.end(selectedRow) > selectedRow + 1) select(selectedRow + 1)
  }
  const nextError = () => select(nextOf(failed, selectedRow, 1))
  const nextSlowest = () => {
    openInTree(slowest[slowest.indexOf(selectedRow) + 1] ?? slowest[0] ?? -1)
  }
  const toNeighbour = (by: 1 | -1) => {
    neighbourOf(projectId, skeleton.traceId, skeleton.startedAt, by)
      .then((next) => {
        if (next !== undefined) navigate(tracePath(projectId, next))
        else showToast({ kind: 'news', text: by === 1 ? traceText.lastTrace : traceText.firstTrace })
      })
      .catch(showError)
  }
  const onTreeKey = (event: KeyboardEvent) => {
    const moved = {
      Home: () => select(0),
      End: () => lines.length > 0 && select(lines.row(lines.length - 1)),
      PageDown: () => stepMany(15),
      PageUp: () => stepMany(-15),
    }[event.key]
    if (!moved) return
    event.preventDefault()
    moved()
  }
  const stepMany = (by: number) => {
    const line = lineOf(skeleton, lines, Math.max(0, selectedRow))
    select(lines.row(Math.min(lines.length - 1, Math.max(0, line + by))))
  }
  return { select, openInTree, step, onToggle, fold, unfold, nextError, nextSlowest, toNeighbour, onTreeKey }
}

/**
 * The trace before or after another one: in the list it was opened from, else by time, newest
 * first. Undefined at the end.
 */
async function neighbourOf(
  projectId: string,
  traceId: string,
  startedAt: number,
  step: 1 | -1,
): Promise<string | undefined> {
  const trail = trailOf(projectId, traceId)
  if (trail) return trail.traceIds[trail.traceIds.indexOf(traceId) + step]
  const field = { $getField: 'started_at' }
  const limit = { $literal: startedAt / 1_000 }
  const rows = await postRows<{ trace_id: string }>('/calls/stream_query', {
    project_id: projectId,
    filter: { trace_roots_only: true },
    query: { $expr: step === 1 ? { $lt: [field, limit] } : { $gt: [field, limit] } },
    sort_by: [{ field: 'started_at', direction: step === 1 ? 'desc' : 'asc' }],
    columns: ['id', 'trace_id'],
    limit: 2,
  })
  return rows.find(({ trace_id }) => trace_id !== traceId)?.trace_id
}
