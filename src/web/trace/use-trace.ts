import { useEffect, useRef, useState } from 'preact/hooks'
import { itemAt } from '../../lib/present.ts'
import { post } from '../api/client.ts'
import { postRows } from '../api/lines.ts'
import { listen } from '../api/live.ts'
import { sharedLink } from '../base.ts'
import { queries, useQuery } from '../state/query-signal.ts'
import { type Skeleton, skeletonOf, traceLength } from './skeleton.ts'
import type { TraceAnswer } from './trace-answer.ts'

const tickMs = 500

/** Now in milliseconds after the start of the trace; constant once nothing runs. */
export function useNow(skeleton: Skeleton | undefined, isRunning: boolean): number {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => tick((count) => count + 1), tickMs)
    return () => clearInterval(timer)
  }, [isRunning])
  if (!skeleton) return 0
  const known = traceLength(skeleton, 0)
  return isRunning ? Math.max(known, Date.now() - skeleton.startedAt) : known
}

interface Slot {
  readonly answer: TraceAnswer
  readonly row: number
  readonly id: string
  readonly parent: string | null
  readonly start: number
}

interface Placed extends Slot {
  /** Row of the parent, or -1. */
  readonly above: number
  readonly depth: number
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

  // The calls depth first, each with the row of its parent.
  const rows: Placed[] = []
  const stack = (children.get(null) ?? []).toReversed().map((slot) => ({ ...slot, above: -1, depth: 0 }))
  for (let next = stack.pop(); next; next = stack.pop()) {
    const above = rows.push(next) - 1
    for (const child of (children.get(next.id) ?? []).toReversed())
      stack.push({ ...child, above, depth: next.depth + 1 })
  }
  /** The values of a member, call by call. */
  const column = <Value>(member: (answer: TraceAnswer) => readonly Value[]): Value[] =>
    rows.map(({ answer, row }) => itemAt(member(answer), row))
  /** The names behind a member's numbers, and the renumbered values. */
  const coded = (
    member: (answer: TraceAnswer) => readonly number[],
    dictionary: (of: TraceAnswer) => readonly string[],
  ) => {
    const codes = new Map<string, number>()
    const numbers = rows.map(({ answer, row }) => {
      const value = dictionary(answer)[itemAt(member(answer), row)]
      return value === undefined ? -1 : codeOf(codes, value)
    })
    return { names: [...codes.keys()], numbers }
  }
  const ops = coded(
    ({ op }) => op,
    ({ ops }) => ops,
  )
  const kinds = coded(
    ({ kind }) => kind,
    ({ kinds }) => kinds,
  )
  const statuses = coded(
    ({ status }) => status,
    ({ statuses }) => statuses,
  )
  const models = coded(
    ({ model }) => model,
    ({ models }) => models,
  )
  const callCount = Math.max(known.call_count, more.call_count)
  return {
    ...more,
    started_at: known.started_at,
    thread_id: known.thread_id ?? more.thread_id,
    call_count: callCount,
    is_complete: rows.length >= callCount,
    call_ids: rows.map(({ id }) => id),
    parent: rows.map(({ above }) => above),
    depth: rows.map(({ depth }) => depth),
    start_ms: rows.map(({ start }) => start),
    ops: ops.names,
    op: ops.numbers,
    kinds: kinds.names,
    kind: kinds.numbers,
    statuses: statuses.names,
    status: statuses.numbers,
    models: models.names,
    model: models.numbers,
    name: column(({ name }) => name),
    duration_ms: column((of) => of.duration_ms),
    child_count: column((of) => of.child_count),
    descendant_count: column((of) => of.descendant_count),
    tokens_in: column((of) => of.tokens_in),
    tokens_out: column((of) => of.tokens_out),
    tokens_cached: column((of) => of.tokens_cached),
    cost: column((of) => of.cost),
    total_tokens: column((of) => of.total_tokens),
    total_cost: column((of) => of.total_cost),
    feedback_count: column((of) => of.feedback_count),
    is_usage_repeated: column((of) => of.is_usage_repeated),
    has_error_inside: column((of) => of.has_error_inside),
  }
}

function slotsOf(answer: TraceAnswer, under: string | null, shift: number): Slot[] {
  return answer.call_ids.map((id, row) => {
    const above = itemAt(answer.parent, row)
    return {
      answer,
      row,
      id,
      parent: above < 0 ? under : itemAt(answer.call_ids, above),
      start: itemAt(answer.start_ms, row) + shift,
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
/** Time between two readings of a running trace by a visitor, who cannot listen. */
const visitMs = 5_000
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
    refetchInterval: ({ state }) =>
      sharedLink !== undefined && state.data?.answer.ended_at === null ? visitMs : false,
  })
  const isRunning = result.data !== undefined && result.data.answer.ended_at === null
  useFollow(projectId, traceId, isRunning && sharedLink === undefined)

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
