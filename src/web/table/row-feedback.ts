import type { Feedback } from './call-row.ts'

/** What a table shows of the judgements on a call. */
export interface RowFeedback {
  /** The first score, with what gave it. */
  readonly score: { readonly name: string; readonly value: number | boolean | string } | undefined
  readonly notes: number
  readonly reactions: readonly string[]
}

/** Sums up the feedback on a call. Types are spelt `ext.runnable.NAME`, `ext.note.1` and so on. */
export function summarised(feedback: readonly Feedback[]): RowFeedback {
  const scores = feedback.flatMap(scoreOf)
  return {
    score: scores[0],
    notes: feedback.filter(({ type }) => type === 'ext.note.1').length,
    reactions: feedback
      .filter(({ type }) => type === 'ext.reaction.1')
      .map(({ payload }) => member(payload, 'emoji'))
      .filter((emoji): emoji is string => typeof emoji === 'string'),
  }
}

function scoreOf({ type, payload }: Feedback): NonNullable<RowFeedback['score']>[] {
  const [, kind, name] = /^ext\.(annotation|runnable)\.(.*)$/s.exec(type) ?? []
  if (name !== undefined) {
    const value = plain(kind === 'annotation' ? member(payload, 'value') : member(payload, 'output'))
    return value === undefined ? [] : [{ name, value }]
  }
  if (type.startsWith('ext.')) return []
  const value = plain(member(payload, 'value')) ?? plain(member(payload, 'score'))
  return value === undefined ? [] : [{ name: type, value }]
}

/** A value that fits a cell: itself, or the only such member of an object. */
function plain(value: unknown): number | boolean | string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return undefined
  const members = Object.values(value).filter((inner) => typeof inner === 'number' || typeof inner === 'boolean')
  return members[0]
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
