import { operationLimits } from '../../../lib/limits/operations.ts'
import type { LabelSource } from '../model/judge-check.ts'

/** A label as it is stored: a boolean, a number or a text. */
export type Label = boolean | number | string

/** How labels become classes. */
export interface Reading {
  readonly bins: readonly number[] | null
  readonly trueValues: readonly string[] | null
  /** Whether it is a default rather than part of the request. */
  readonly isAssumed: boolean
}

/** The label in a JSON text; undefined for anything that is none. */
export function labelIn(json: string | null): Label | undefined {
  if (json === null) return undefined
  const value: unknown = JSON.parse(json)
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value
  const text = typeof value === 'string' ? value.trim().slice(0, operationLimits.labelCharsMax) : ''
  return text === '' ? undefined : text
}

/** The class of a label; undefined for one that bins of numbers cannot hold. */
export function classOf(label: Label, { bins, trueValues }: Reading): string | undefined {
  if (trueValues !== null) return String(trueValues.includes(String(label)))
  if (bins === null) return String(label)
  const [first] = bins
  if (typeof label !== 'number' || first === undefined) return undefined
  if (bins.length === 1) return String(label >= first)
  const at = bins.findLastIndex((end) => label >= end)
  const [from, below] = [bins[at], bins[at + 1]]
  if (from === undefined) return `below ${first}`
  return below === undefined ? `${from} or more` : `${from} to below ${below}`
}

/** Classes in an order that people expect: ranges and numbers ascending, false before true. */
export function orderedClasses(classes: ReadonlySet<string>, { bins }: Reading): string[] {
  const ranges = (bins ?? []).length > 1 ? [Number.NEGATIVE_INFINITY, ...(bins ?? [])] : []
  const places = new Map(ranges.map((end, at) => [classOf(end, { bins, trueValues: null, isAssumed: false }), at]))
  const placeOf = (name: string): number => places.get(name) ?? (name === '' ? Number.NaN : Number(name))
  return [...classes].sort((a, b) => {
    const [first, second] = [placeOf(a), placeOf(b)]
    if (Number.isNaN(first) || Number.isNaN(second)) {
      if (Number.isNaN(first) !== Number.isNaN(second)) return Number.isNaN(first) ? 1 : -1
      return a < b ? -1 : a > b ? 1 : 0
    }
    return first - second
  })
}

/** Texts that mean yes where the other side has booleans. */
const yes = ['true', 'yes', 'pass', 'passed', 'correct', 'good', 'right', 'ok', ':thumbs_up:', ':+1:', ':thumbsup:']

/**
 * How to read the labels of a side. Without a wish: as they are; but beside booleans, numbers above
 * the middle of their range count as true, and so do texts that mean yes.
 */
export function readingOf(
  { bins, true_values }: Pick<LabelSource, 'bins' | 'true_values'>,
  labels: readonly Label[],
  others: readonly Label[],
): Reading {
  if (true_values != null) return { bins: null, trueValues: true_values, isAssumed: false }
  if (bins != null) return { bins: bins.toSorted((a, b) => a - b), trueValues: null, isAssumed: false }
  const asIs = { bins: null, trueValues: null, isAssumed: false }
  const isBeside = others.length > 0 && others.every((label) => typeof label === 'boolean')
  if (!isBeside || labels.length === 0 || labels.some((label) => typeof label === 'boolean')) return asIs
  const numbers = labels.filter((label) => typeof label === 'number')
  if (numbers.length === labels.length) {
    const [low, high] = numbers.reduce(
      ([min, max], each) => [Math.min(min, each), Math.max(max, each)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    )
    const middle = (low + high) / 2
    const above = numbers.filter((each) => each > middle).reduce((min, each) => Math.min(min, each), high)
    return { bins: [above], trueValues: null, isAssumed: true }
  }
  const known = [...new Set(labels.map(String))].filter((text) => yes.includes(text.toLowerCase()))
  return known.length === 0 ? asIs : { bins: null, trueValues: known, isAssumed: true }
}

/** The most frequent labels as texts. */
export function frequentLabels(labels: readonly Label[]): { value: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(String(label), (counts.get(String(label)) ?? 0) + 1)
  return [...counts]
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
    .slice(0, operationLimits.frequentLabelsMax)
    .map(([value, count]) => ({ value, count }))
}
