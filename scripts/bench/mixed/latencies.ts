import { type Figure, percentile } from '../benchmark.ts'

/** Latencies by what was asked, in the order of the answers. */
export class Latencies {
  private readonly of = new Map<string, { atMs: number; ms: number }[]>()

  add(what: string, ms: number): void {
    const known = this.of.get(what) ?? []
    this.of.set(what, known)
    known.push({ atMs: performance.now(), ms })
  }

  /** The latencies of answers since a time, by what was asked. */
  since(fromMs: number): Map<string, readonly number[]> {
    const found = new Map<string, readonly number[]>()
    for (const [what, all] of this.of) {
      const first = all.findIndex(({ atMs }) => atMs >= fromMs)
      if (first !== -1)
        found.set(
          what,
          all.slice(first).map(({ ms }) => ms),
        )
    }
    return found
  }

  get figures(): Figure[] {
    return [...this.since(0)].flatMap(([variant, ms]) => [
      { variant, measure: 'p50', value: percentile(ms, 0.5), unit: 'ms' as const },
      { variant, measure: 'p99', value: percentile(ms, 0.99), unit: 'ms' as const },
      { variant, measure: 'longest', value: longest(ms), unit: 'ms' as const },
    ])
  }
}

/** One line: the median, the 99th percentile and the longest of each. */
export const latencyLine = (latencies: ReadonlyMap<string, readonly number[]>): string =>
  [...latencies]
    .map(([what, ms]) => `${what} ${[percentile(ms, 0.5), percentile(ms, 0.99), longest(ms)].map(whole).join('/')}`)
    .join(', ')

const whole = (value: number): string => value.toFixed(0)

// An hour has too many for the arguments of one call.
const longest = (ms: readonly number[]): number => ms.reduce((most, one) => Math.max(most, one), 0)
