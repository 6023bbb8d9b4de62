import { seededRandom } from '../../lib/seeded-random.ts'
import {
  type Additive,
  type Coefficient,
  cohen,
  fleiss,
  krippendorff,
  type Metric,
  type Ratings,
  type Value,
} from './coefficients.ts'

/** How much people agree on one question. */
export interface Agreement {
  readonly coefficient: Coefficient
  /** Items with at least two answers. */
  readonly items: number
  /** Undefined for fewer than ten items, and where all answers are equal. */
  readonly value: number | undefined
  /** 95 %, from a bootstrap over the items. */
  readonly interval: readonly [low: number, high: number] | undefined
}

/** With fewer items there is no figure. */
const comparedMin = 10
const drawsMax = 1_000

/**
 * How much people agree on one question: Cohen's kappa if two people gave all answers, Fleiss'
 * kappa if every item has the same number of three answers or more, else Krippendorff's alpha. The
 * same answers always give the same figures. See docs/decisions/252-agreement-of-reviewers.md.
 */
export function agreementOf(answers: readonly Ratings[], metric: Metric): Agreement {
  const answered = answers.filter(({ size }) => size > 0)
  const units = answered.filter(({ size }) => size >= 2)
  const coefficient = coefficientFor(answered, units, metric)
  return figureOf(coefficient, units.length, additiveOf(coefficient, units, metric))
}

/** How much two people agree: Cohen's kappa over the items that both answered. */
export function agreementOfPair(
  answers: readonly Ratings[],
  [first, second]: readonly [string, string],
  metric: Metric,
): Agreement {
  const pairs = answers.flatMap((ratings): (readonly [Value, Value])[] => {
    const [a, b] = [ratings.get(first), ratings.get(second)]
    return a === undefined || b === undefined ? [] : [[a, b]]
  })
  return figureOf('cohen', pairs.length, cohen(pairs, metric))
}

function coefficientFor(answered: readonly Ratings[], units: readonly Ratings[], metric: Metric): Coefficient {
  const people = new Set(units.flatMap((unit) => [...unit.keys()]))
  if (people.size === 2) return 'cohen'
  const perItem = units[0]?.size ?? 0
  const isComplete = perItem >= 3 && answered.every(({ size }) => size === perItem)
  return isComplete && metric === 'nominal' ? 'fleiss' : 'krippendorff'
}

function additiveOf(coefficient: Coefficient, units: readonly Ratings[], metric: Metric): Additive {
  const values = units.map((unit) => [...unit.values()])
  if (coefficient === 'krippendorff') return krippendorff(values, metric)
  if (coefficient === 'fleiss') return fleiss(values)
  const people = [...new Set(units.flatMap((unit) => [...unit.keys()]))].sort()
  const pairs = units.flatMap((unit): (readonly [Value, Value])[] => {
    const [a, b] = people.map((person) => unit.get(person))
    return a === undefined || b === undefined ? [] : [[a, b]]
  })
  return cohen(pairs, metric)
}

function figureOf(coefficient: Coefficient, items: number, additive: Additive): Agreement {
  const none = { coefficient, items, value: undefined, interval: undefined }
  if (items < comparedMin) return none
  const { parts, sumCount, from } = additive
  const sums = new Float64Array(sumCount)
  const add = (index: number) => {
    for (const [sum, amount] of parts[index] ?? []) sums[sum] = (sums[sum] ?? 0) + amount
  }
  for (let index = 0; index < items; index++) add(index)
  const value = from(sums)
  if (value === undefined) return none
  const random = seededRandom(items)
  const drawn: number[] = []
  for (let draw = 0; draw < drawsMax; draw++) {
    sums.fill(0)
    for (let index = 0; index < items; index++) add(Math.floor(random() * items))
    const each = from(sums)
    if (each !== undefined) drawn.push(each)
  }
  drawn.sort((a, b) => a - b)
  const at = (share: number): number => drawn[Math.round(share * (drawn.length - 1))] ?? value
  return { coefficient, items, value, interval: [at(0.025), at(0.975)] }
}
