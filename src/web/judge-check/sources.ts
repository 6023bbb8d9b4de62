import type { LabelChoice, LabelSource } from '../../domains/evaluations/index.ts'
import { judgeCheckText as words } from '../text/evaluation/judge-check.ts'

export type { LabelChoice, LabelSource }

/** A choice as one text, for the address: `feedback:looks_right#value`. */
export const idOf = ({ source, name, path }: Pick<LabelChoice, 'source' | 'name' | 'path'>): string =>
  `${source}:${name}${path === null ? '' : `#${path}`}`

/** What such a text names; undefined for another one. */
export function sourceIn(id: string): Pick<LabelChoice, 'source' | 'name' | 'path'> | undefined {
  const [, source, name, path] = /^(score|feedback|column):(.+?)(?:#([^#]*))?$/s.exec(id) ?? []
  if (name === undefined || (source !== 'score' && source !== 'feedback' && source !== 'column')) return undefined
  return { source, name, path: path ?? null }
}

/** Words for a choice. */
export function labelOf({ source, name, path }: Pick<LabelChoice, 'source' | 'name' | 'path'>): string {
  const { sources } = words
  if (source === 'score') return sources.score(name)
  if (source === 'column') return sources.column(name)
  const [, kind, own = ''] = /^ext\.(annotation|runnable|reaction)\.(.*)$/s.exec(name) ?? []
  if (kind === 'annotation') return sources.annotation(own)
  if (kind === 'runnable') return sources.runnable(own, (path ?? 'output').replace(/^output\.?/, '') || 'output')
  if (kind === 'reaction') return sources.reaction
  return sources.feedback(name, path ?? 'value')
}

/** How labels are read, as one text for the address: `from:4`, `ranges:2,4`, `true:good,fine`. */
export type ReadAs = keyof typeof words.as

/** The parts of such a text. */
export function readAsIn(text: string): { readonly as: ReadAs; readonly operand: string } {
  const [, as, operand = ''] = /^(from|ranges|true):(.*)$/s.exec(text) ?? []
  return as === 'from' || as === 'ranges' || as === 'true' ? { as, operand } : { as: '', operand: '' }
}

/** What the request says of a reading; undefined if its operand cannot be read. */
export function readingIn(text: string): Pick<LabelSource, 'bins' | 'true_values'> | undefined {
  const { as, operand } = readAsIn(text)
  const parts = operand.split(',').map((part) => part.trim())
  const filled = parts.filter((part) => part !== '')
  if (as === '') return {}
  if (as === 'true') return filled.length === 0 ? undefined : { true_values: filled.slice(0, 50) }
  const numbers = filled.map(Number)
  const isFit = numbers.length > 0 && numbers.length <= 11 && numbers.every(Number.isFinite)
  if (!isFit || new Set(numbers).size < numbers.length || (as === 'from' && numbers.length > 1)) return undefined
  return { bins: numbers.toSorted((a, b) => a - b) }
}

/** What is wrong with the operand of a reading. */
export function faultOf(text: string): string | undefined {
  if (readingIn(text) !== undefined) return undefined
  const { as } = readAsIn(text)
  return as === 'from' ? words.badNumber : as === 'ranges' ? words.badRanges : words.badValues
}

/** The score that a judge has given most likely. */
export function likelyJudge(choices: readonly LabelChoice[]): LabelChoice | undefined {
  const scores = choices.filter(({ source, kind }) => source === 'score' && kind !== 'text')
  return scores.find(({ name }) => /judge|llm|grader/i.test(name)) ?? scores[0]
}

/** Feedback that people have given most likely; columns are for people to choose. */
export function likelyHuman(choices: readonly LabelChoice[]): LabelChoice | undefined {
  const given = choices.filter(({ source, name }) => source === 'feedback' && !name.startsWith('ext.runnable.'))
  return (
    given.find(({ name }) => name.startsWith('ext.annotation.')) ??
    given.find(({ name }) => !name.startsWith('ext.')) ??
    given[0]
  )
}
