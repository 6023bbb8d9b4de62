/** How far apart two answers are: equal or not, or by the square of their difference. */
type Metric = 'nominal' | 'interval'

/** The answers to one question about one item, by different people. */
export type Unit = readonly (string | number | boolean)[]

/** Krippendorff's alpha of the answers to one question. */
export interface Agreement {
  /** Items with at least two answers. */
  readonly items: number
  /** Undefined for fewer than ten items, and where all answers are equal. */
  readonly alpha: number | undefined
  /** 95 %, from a bootstrap over the items. */
  readonly interval: readonly [low: number, high: number] | undefined
}

const itemsMin = 10
const drawsMax = 1_000

/**
 * How much people agree on one question. The same answers always give the same figures. See
 * docs/decisions/252-agreement-of-reviewers.md.
 */
export function agreementOf(answers: readonly Unit[], metric: Metric): Agreement {
  const units = answers.filter((unit) => unit.length >= 2)
  const items = units.length
  if (items < itemsMin) return { items, alpha: undefined, interval: undefined }
  const alpha = krippendorffsAlpha(units, metric)
  if (alpha === undefined) return { items, alpha, interval: undefined }
  const random = randomOf(items)
  const drawn: number[] = []
  for (let draw = 0; draw < drawsMax; draw++) {
    const sample = units.map((unit) => units[Math.floor(random() * items)] ?? unit)
    const each = krippendorffsAlpha(sample, metric)
    if (each !== undefined) drawn.push(each)
  }
  drawn.sort((a, b) => a - b)
  const at = (share: number): number => drawn[Math.round(share * (drawn.length - 1))] ?? alpha
  return { items, alpha, interval: [at(0.025), at(0.975)] }
}

/**
 * Krippendorff's alpha by its coincidences (Krippendorff 2011, "Computing Krippendorff's
 * Alpha-Reliability"): missing answers are allowed. Undefined if all answers are equal, where
 * chance explains everything.
 */
export function krippendorffsAlpha(answers: readonly Unit[], metric: Metric): number | undefined {
  const units = answers.filter((unit) => unit.length >= 2)
  const values = units.flat()
  const distance = (a: Unit[number], b: Unit[number]): number =>
    metric === 'nominal' ? Number(a !== b) : (Number(a) - Number(b)) ** 2
  let observed = 0
  for (const unit of units) {
    let apart = 0
    for (const [index, a] of unit.entries()) for (const b of unit.slice(index + 1)) apart += 2 * distance(a, b)
    observed += apart / (unit.length - 1)
  }
  const counts = [...Map.groupBy(values, (each) => each)].map(([value, each]) => [value, each.length] as const)
  let expected = 0
  for (const [a, countA] of counts) for (const [b, countB] of counts) expected += countA * countB * distance(a, b)
  if (expected === 0) return undefined
  return 1 - (observed * (values.length - 1)) / expected
}

/** Mulberry32: numbers from 0 to 1 that follow from the seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
