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
