import { memberOf, valueAt } from '../../lib/present.ts'
import { type ScoreType, type ScoreValue, scoreTypes } from '../format/score-type.ts'
import type { CallRow, Feedback } from './call-row.ts'

/** Feedback on a call, as shown in a table. */
export interface RowFeedback {
  /** All scores, with what gave them. */
  readonly scores: readonly Score[]
  readonly notes: number
  readonly reactions: readonly string[]
}

/** A score and the name of what it judges. */
interface Score {
  readonly name: string
  readonly value: ScoreValue
}

/** The scores of the rows of a table, by name: their type, and the most frequent name first. */
export function scoresOfRows(rows: readonly CallRow[]): ReadonlyMap<string, ScoreType> {
  const scores = rows.flatMap(({ feedback }) => feedback.flatMap(scoreOf))
  const types = scoreTypes(scores)
  const byName = [...Map.groupBy(scores, ({ name }) => name)].sort(([, a], [, b]) => b.length - a.length)
  return new Map(byName.map(([name]) => [name, valueAt(types, name)]))
}

/** Sums up the feedback on a call. Types are spelt `ext.runnable.NAME`, `ext.note.1` and so on. */
export function summarised(feedback: readonly Feedback[]): RowFeedback {
  return {
    scores: feedback.flatMap(scoreOf),
    notes: feedback.filter(({ type }) => type === 'ext.note.1').length,
    reactions: feedback
      .filter(({ type }) => type === 'ext.reaction.1')
      .map(({ payload }) => memberOf(payload, 'emoji'))
      .filter((emoji): emoji is string => typeof emoji === 'string'),
  }
}

function scoreOf({ type, payload }: Feedback): Score[] {
  const [, kind, name] = /^ext\.(annotation|runnable)\.(.*)$/s.exec(type) ?? []
  if (name !== undefined) {
    const value = plain(kind === 'annotation' ? memberOf(payload, 'value') : memberOf(payload, 'output'))
    return value === undefined ? [] : [{ name, value }]
  }
  if (type.startsWith('ext.')) return []
  const value = plain(memberOf(payload, 'value')) ?? plain(memberOf(payload, 'score'))
  return value === undefined ? [] : [{ name: type, value }]
}

/** Members that say what an object judges, whatever else it has. */
const telling: readonly string[] = ['score', 'value', 'passed']

/** A value that fits a cell: itself, or a member of an object, whatever their order. */
function plain(value: unknown): ScoreValue | undefined {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return undefined
  const members = Object.entries(value)
    .filter((entry): entry is [string, number | boolean] => ['number', 'boolean'].includes(typeof entry[1]))
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
  return members[0]?.[1]
}

const rank = (name: string): number => {
  const at = telling.indexOf(name)
  return at < 0 ? telling.length : at
}
