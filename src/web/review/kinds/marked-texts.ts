import type { Span } from './spans.ts'

/** A piece of a text, with the labels of the spans that cover it. */
export interface MarkedPiece {
  readonly text: string
  readonly labels: readonly string[]
}

/** Splits a text where spans begin and end. */
export function markedPieces(text: string, spans: readonly Span[]): readonly MarkedPiece[] {
  if (spans.length === 0) return [{ text, labels: [] }]
  const points = [...text]
  const edges = new Set([0, points.length])
  for (const { start, end } of spans) for (const at of [start, end]) edges.add(Math.min(at, points.length))
  const sorted = [...edges].sort((a, b) => a - b)
  return sorted.slice(1).map((end, index) => {
    const start = sorted[index] ?? 0
    return {
      text: points.slice(start, end).join(''),
      labels: spans.filter((span) => span.start <= start && span.end >= end).map(({ label }) => label),
    }
  })
}

/** A text inside a payload. */
export interface TextLeaf {
  readonly path: string
  readonly text: string
  /** Who says it, in a message. */
  readonly role: string | undefined
}

const leavesMax = 400
/** Members of messages and parts that are no text to read. */
const unread: ReadonlySet<string> = new Set(['role', 'type', 'id', 'tool_call_id', 'object', 'finish_reason', 'model'])

/** The texts of a value in their order; those of a conversation with their speakers. */
export function textLeaves(path: string, value: unknown): readonly TextLeaf[] {
  const leaves: TextLeaf[] = []
  const add = (at: string, own: unknown, role: string | undefined): void => {
    if (leaves.length >= leavesMax) return
    if (typeof own === 'string') {
      if (own !== '') leaves.push({ path: at, text: own, role })
    } else if (Array.isArray(own)) for (const [index, item] of own.entries()) add(`${at}.${index}`, item, role)
    else if (typeof own === 'object' && own !== null) {
      const speaker = 'role' in own && typeof own.role === 'string' ? own.role : role
      const isMessage = 'role' in own || 'type' in own || 'choices' in own
      for (const [name, member] of Object.entries(own))
        if (!(isMessage && unread.has(name))) add(`${at}.${name.replaceAll('.', '\\.')}`, member, speaker)
    }
  }
  add(path, value, undefined)
  return leaves
}
