import type { Figure } from './model/call-stats.ts'

/** Collects the values of one metric in one bucket; keeps them only if a percentile needs them. */
export class Accumulator {
  private sum = 0
  private count = 0
  private trues = 0
  private min: number | null = null
  private max: number | null = null
  private readonly values: number[] | undefined

  constructor(figures: readonly Figure[]) {
    this.values = figures.some(({ of }) => typeof of === 'number') ? [] : undefined
  }

  add(value: number): void {
    this.sum += value
    this.count++
    if (value !== 0) this.trues++
    if (this.min === null || value < this.min) this.min = value
    if (this.max === null || value > this.max) this.max = value
    this.values?.push(value)
  }

  /** Without values, sums, averages and counts are 0, everything else is null. */
  figure(of: Figure['of']): number | null {
    switch (of) {
      case 'sum':
        return this.sum
      case 'avg':
        return this.count === 0 ? 0 : this.sum / this.count
      case 'min':
        return this.min
      case 'max':
        return this.max
      case 'count':
        return this.count
      case 'count_true':
        return this.trues
      case 'count_false':
        return this.count - this.trues
      default:
        return this.percentile(of / 100)
    }
  }

  /** Interpolates between the two nearest values. */
  private percentile(share: number): number | null {
    const values = this.values?.sort((a, b) => a - b) ?? []
    if (values.length === 0) return null
    const at = share * (values.length - 1)
    const [low, high] = [values[Math.floor(at)]!, values[Math.ceil(at)]!]
    return low + (high - low) * (at - Math.floor(at))
  }
}
