import { useEffect, useRef } from 'preact/hooks'
import { post } from '../api/client.ts'
import { postRows } from '../api/lines.ts'
import { listen } from '../api/live.ts'
import { queries, useQuery } from '../state/query-signal.ts'
import { type Skeleton, skeletonOf } from './skeleton.ts'
import type { TraceAnswer } from './trace-answer.ts'

const dictionaries = { op: 'ops', kind: 'kinds', status: 'statuses', model: 'models' } as const
type Code = keyof typeof dictionaries

const columns = [
  'name',
  'start_ms',
  'duration_ms',
  'child_count',
  'descendant_count',
  'tokens_in',
  'tokens_out',
  'tokens_cached',
  'cost',
  'total_tokens',
  'total_cost',
  'feedback_count',
  'is_usage_repeated',
  'has_error_inside',
] as const

interface Slot {
  readonly answer: TraceAnswer
  readonly row: number
  readonly id: string
  readonly parent: string | null
  readonly start: number
}

/**
 * Puts the calls of `more` into `known`: a call that both have is taken from `more`, and siblings
 * stay sorted by start. The topmost calls of `more` become children of the call `under`, or roots.
 */
export function mergeTrace(known: TraceAnswer, more: TraceAnswer, under: string | null): TraceAnswer {
  const newer = new Set(more.call_ids)
  const slots = [
    ...slotsOf(known, null, 0).filter(({ id }) => !newer.has(id)),
    ...slotsOf(more, under, Date.parse(more.started_at ?? '') - Date.parse(known.started_at ?? '') || 0),
  ]
  const children = Map.groupBy(slots, ({ parent }) => parent)
  for (const list of children.values()) list.sort((a, b) => a.start - b.start)

  const codes = Object.fromEntries(Object.keys(dictionaries).map((code) => [code, new Map<string, number>()]))
  const lists = Object.fromEntries(
    [...columns, ...Object.keys(dictionaries), 'call_ids', 'parent', 'depth'].map((name) => [name, [] as unknown[]]),
  )
  const stack = (children.get(null) ?? []).toReversed().map((slot) => ({ slot, parent: -1, depth: 0 }))
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { slot, parent, depth } = top
    const { answer, row, id } = slot
    const place = lists['call_ids']!.push(id) - 1
    lists['parent']!.push(parent)
    lists['depth']!.push(depth)
    for (const name of columns) lists[name]!.push(name === 'start_ms' ? slot.start : answer[name][row])
    for (const [code, dictionary] of Object.entries(dictionaries) as [Code, (typeof dictionaries)[Code]][]) {
      const value = answer[dictionary][answer[code][row]!]
      lists[code]!.push(value === undefined ? -1 : codeOf(codes[code]!, value))
    }
    for (const child of (children.get(id) ?? []).toReversed()) {
      stack.push({ slot: child, parent: place, depth: depth + 1 })
    }
  }
  const texts = Object.fromEntries(
    Object.entries(dictionaries).map(([code, dictionary]) => [dictionary, [...codes[code]!.keys()]]),
  )
  const callCount = Math.max(known.call_count, more.call_count)
  return {
    ...more,
    ...lists,
    ...texts,
    started_at: known.started_at,
    thread_id: known.thread_id ?? more.thread_id,
    call_count: callCount,
    is_complete: lists['call_ids']!.length >= callCount,
  } as TraceAnswer
}

function slotsOf(answer: TraceAnswer, under: string | null, shift: number): Slot[] {
  return answer.call_ids.map((id, row) => {
    const above = answer.parent[row]!
    return {
      answer,
      row,
      id,
      parent: above < 0 ? under : answer.call_ids[above]!,
      start: answer.start_ms[row]! + shift,
    }
  })
}

function codeOf(codes: Map<string, number>, value: string): number {
  const known = codes.get(value)
  if (known !== undefined) return known
  codes.set(value, codes.size)
  return codes.size - 1
}

/** Time between two readings of a running trace, at least; slower where reading takes long. */
const refreshMs = 400
/** A trace that says nothing for so long is not followed any more. */
const silenceMs = 3_600_000
/** Traces are large: those that are left are forgotten soon. */
const keptMs = 20_000
const ancestorsMax = 200

interface LoadedTrace {
  readonly answer: TraceAnswer
  readonly skeleton: Skeleton
  readonly tookMs: number
}

/** A trace, followed while it runs. */
export function useTrace(projectId: string, traceId: string) {
  const queryKey = ['trace', projectId, traceId]
  const result = useQuery<LoadedTrace>({
    queryKey,
    queryFn: ({ signal }) => loadTrace(projectId, traceId, signal),
    staleTime: 5_000,
    gcTime: keptMs,
  })
  const isRunning = result.data !== undefined && result.data.answer.ended_at === null
  useFollow(projectId, traceId, isRunning)

  const loadChildren = async (parentId: string): Promise<void> => {
    const more = await post<TraceAnswer>('/trace/read', {
      project_id: projectId,
      trace_id: traceId,
      parent_id: parentId,
    })
    take(queryKey, more, parentId)
  }
  /** Reads level by level what leads to a call that is not loaded. */
  const loadAncestors = async (callId: string): Promise<void> => {
    const missing: string[] = []
    for (let id: string | null = callId; id !== null && missing.length < ancestorsMax; ) {
      const [call]: { parent_id: string | null }[] = await postRows('/calls/stream_query', {
        project_id: projectId,
        filter: { call_ids: [id], trace_ids: [traceId] },
        columns: ['id', 'parent_id'],
      })
      id = call?.parent_id ?? null
      if (id === null) return
      missing.push(id)
      if (queries.getQueryData<LoadedTrace>(queryKey)?.skeleton.ids.includes(id)) break
    }
    for (const id of missing.reverse()) await loadChildren(id)
  }
  return { ...result, isRunning, loadChildren, loadAncestors }
}

async function loadTrace(projectId: string, traceId: string, signal: AbortSignal): Promise<LoadedTrace> {
  const startedAt = performance.now()
  const answer = await post<TraceAnswer>('/trace/read', { project_id: projectId, trace_id: traceId }, { signal })
  return { answer, skeleton: skeletonOf(answer), tookMs: performance.now() - startedAt }
}

function take(queryKey: readonly string[], more: TraceAnswer, under: string | null): void {
  queries.setQueryData<LoadedTrace>(queryKey, (known) => {
    if (!known) return known
    const answer = mergeTrace(known.answer, more, under)
    return { ...known, answer, skeleton: skeletonOf(answer) }
  })
}

/** Reads what has changed whenever the live tail says that something has. */
function useFollow(projectId: string, traceId: string, isRunning: boolean): void {
  const heardAt = useRef(Date.now())
  useEffect(() => {
    if (!isRunning) return
    const queryKey = ['trace', projectId, traceId]
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    let isStale = false
    let waitMs = refreshMs
    const refresh = async () => {
      timer = undefined
      const known = queries.getQueryData<LoadedTrace>(queryKey)
      if (!known || isReading) return
      isReading = true
      isStale = false
      const startedAt = performance.now()
      try {
        const since = known.answer.read_at
        const body = { project_id: projectId, trace_id: traceId, ...(since === null ? {} : { since }) }
        take(queryKey, await post<TraceAnswer>('/trace/read', body), null)
      } catch {
        isStale = true // The connection is gone; the live tail comes back and asks again.
      }
      isReading = false
      waitMs = Math.max(refreshMs, 4 * (performance.now() - startedAt))
      if (isStale) later()
    }
    const later = () => {
      isStale = true
      if (timer === undefined && !isReading) timer = setTimeout(() => void refresh(), waitMs)
    }
    const stop = listen(
      projectId,
      { trace_id: traceId },
      {
        call: () => {
          heardAt.current = Date.now()
          later()
        },
        gap: later,
      },
    )
    // Ends may have come between reading and listening.
    later()
    const watch = setInterval(() => Date.now() - heardAt.current > silenceMs && stop(), 60_000)
    return () => {
      clearTimeout(timer)
      clearInterval(watch)
      stop()
    }
  }, [projectId, traceId, isRunning])
}
