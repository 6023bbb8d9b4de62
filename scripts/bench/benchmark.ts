import type { BenchRun } from './bench-run.ts'

/** One result of a benchmark. */
export interface Figure {
  /** What was run, for example `pairs in one batch`. */
  readonly variant: string
  /** What was measured, for example `calls taken in`. */
  readonly measure: string
  readonly value: number
  /** Empty for a number of things. */
  readonly unit: 'calls/s' | 'rows/s' | 'MB/s' | 'ms' | 's' | 'MB' | 'µs' | '/s' | 'bytes' | ''
  /** The best result of the same machine in the same run without the server. */
  readonly ceiling?: number
  readonly target?: Target
}

/** The target value. `ratioMin` is relative to the ceiling. */
export interface Target {
  readonly min?: number
  readonly max?: number
  readonly ratioMin?: number
}

export interface Benchmark {
  readonly name: string
  /** What it measures, and what its ceiling is. */
  readonly description: string
  /** Whether the report has a column for each variant. */
  readonly comparesVariants?: true
  /** Runs only if it is named: it installs other programs. */
  readonly isOnRequest?: true
  run(bench: BenchRun): Promise<Figure[]>
}

/** Units in which less is better. */
const lessIsBetter: ReadonlySet<Figure['unit']> = new Set(['ms', 's', 'µs', 'MB'])

/** Result relative to its ceiling: 1 is as good, less is worse. */
export function ratioOf({ value, ceiling, unit }: Figure): number | undefined {
  if (ceiling === undefined) return undefined
  return lessIsBetter.has(unit) ? ceiling / value : value / ceiling
}

/** Whether the target is met; undefined if there is none. */
export function isMet(figure: Figure): boolean | undefined {
  const { target, value } = figure
  if (target === undefined) return undefined
  const { min = -Infinity, max = Infinity, ratioMin = 0 } = target
  return value >= min && value <= max && (ratioOf(figure) ?? 1) >= ratioMin
}

/**
 * The nearest-rank percentile `p` (0 to 1) of `values`.
 * @throws Error if there are none
 */
export function percentile(values: readonly number[], p: number): number {
  if (values.length === 0) throw new Error('Take a percentile: there are no values')
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)]!
}
