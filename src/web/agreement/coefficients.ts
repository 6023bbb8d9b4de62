/** How far apart two answers are: equal or not, or by the square of their difference. */
export type Metric = 'nominal' | 'interval'

export type Value = string | number | boolean

/** The answers to one question about one item, by person. */
export type Ratings = ReadonlyMap<string, Value>

/** Which coefficient describes the agreement. */
export type Coefficient = 'cohen' | 'fleiss' | 'krippendorff'

/**
 * A coefficient of agreement that follows from sums over the items, so that a bootstrap adds up
 * the sums of the items it has drawn.
 */
export interface Additive {
  /** For each item what it adds to which sum. */
  readonly parts: readonly (readonly (readonly [sum: number, amount: number])[])[]
  readonly sumCount: number
  /** Undefined where chance explains everything. */
  readonly from: (sums: Float64Array) => number | undefined
}

const at = (sums: Float64Array, index: number): number => sums[index] ?? 0

/** Numbers for categories, in the order in which they appear. */
function numbering(): { of: (value: Value) => number; count: () => number } {
  const known = new Map<Value, number>()
  return {
    of: (value) => {
      const index = known.get(value) ?? known.size
      known.set(value, index)
      return index
    },
    count: () => known.size,
  }
}

/** 1 − observed ÷ expected disagreement. */
const beyondChance = (observed: number, expected: number): number | undefined =>
  expected <= 1e-12 ? undefined : 1 - observed / expected

/** Cohen's kappa of two people; of numbers with squares of differences as weights. */
export function cohen(pairs: readonly (readonly [Value, Value])[], metric: Metric): Additive {
  return metric === 'nominal' ? cohenOfCategories(pairs) : cohenOfNumbers(pairs)
}

function cohenOfCategories(pairs: readonly (readonly [Value, Value])[]): Additive {
  const category = numbering()
  const numbered = pairs.map(([a, b]) => [category.of(a), category.of(b)] as const)
  const count = category.count()
  // The sums: items, items of different answers, and how often each person gave each answer.
  const parts = numbered.map(([a, b]) => [
    [0, 1] as const,
    [1, a === b ? 0 : 1] as const,
    [2 + a, 1] as const,
    [2 + count + b, 1] as const,
  ])
  return {
    parts,
    sumCount: 2 + 2 * count,
    from: (sums) => {
      const items = at(sums, 0)
      let equal = 0
      for (let each = 0; each < count; each++) equal += at(sums, 2 + each) * at(sums, 2 + count + each)
      return beyondChance(at(sums, 1) / items, 1 - equal / items ** 2)
    },
  }
}

function cohenOfNumbers(pairs: readonly (readonly [Value, Value])[]): Additive {
  const middle = meanOf(pairs.flat())
  const parts = pairs.map(([first, second]) => {
    const [a, b] = [Number(first) - middle, Number(second) - middle]
    return [1, (a - b) ** 2, a, b, a ** 2 + b ** 2].map((amount, sum) => [sum, amount] as const)
  })
  return {
    parts,
    sumCount: 5,
    from: (sums) => {
      const items = at(sums, 0)
      const expected = at(sums, 4) / items - 2 * (at(sums, 2) / items) * (at(sums, 3) / items)
      return beyondChance(at(sums, 1) / items, expected)
    },
  }
}

/** Fleiss' kappa: the same number of answers for each item, by any people. */
export function fleiss(units: readonly (readonly Value[])[]): Additive {
  const category = numbering()
  const numbered = units.map((unit) => unit.map(category.of))
  const count = category.count()
  const perItem = units[0]?.length ?? 0
  const parts = numbered.map((unit) => {
    let different = 0
    for (const a of unit) for (const b of unit) if (a !== b) different += 1
    const share = different / (perItem * (perItem - 1))
    return [[0, 1] as const, [1, share] as const, ...unit.map((each) => [2 + each, 1] as const)]
  })
  return {
    parts,
    sumCount: 2 + count,
    from: (sums) => {
      const items = at(sums, 0)
      let equal = 0
      for (let each = 0; each < count; each++) equal += (at(sums, 2 + each) / (items * perItem)) ** 2
      return beyondChance(at(sums, 1) / items, 1 - equal)
    },
  }
}

/**
 * Krippendorff's alpha by its coincidences (Krippendorff 2011, "Computing Krippendorff's
 * Alpha-Reliability"): any number of answers for each item.
 */
export function krippendorff(units: readonly (readonly Value[])[], metric: Metric): Additive {
  const category = numbering()
  const isNominal = metric === 'nominal'
  const middle = isNominal ? 0 : meanOf(units.flat())
  const parts = units.map((unit) => {
    let apart = 0
    for (const a of unit) for (const b of unit) apart += isNominal ? Number(a !== b) : (Number(a) - Number(b)) ** 2
    const own = [[0, apart / (unit.length - 1)] as const, [1, unit.length] as const]
    const values = unit.map((value) => Number(value) - middle)
    return isNominal
      ? [...own, ...unit.map((value) => [2 + category.of(value), 1] as const)]
      : [...own, [2, sumOf(values)] as const, [3, sumOf(values.map((value) => value ** 2))] as const]
  })
  return {
    parts,
    sumCount: isNominal ? 2 + category.count() : 4,
    from: (sums) => {
      const values = at(sums, 1)
      let expected = isNominal ? values ** 2 : 2 * (values * at(sums, 3) - at(sums, 2) ** 2)
      if (isNominal) for (let each = 2; each < sums.length; each++) expected -= at(sums, each) ** 2
      return beyondChance(at(sums, 0) * (values - 1), expected)
    },
  }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
const meanOf = (values: readonly Value[]): number => sumOf(values.map(Number)) / Math.max(1, values.length)
