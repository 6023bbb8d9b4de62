import { isJsonObject } from '../../../lib/json-value.ts'

/**
 * Summarizes JSON values of the same shape leaf by leaf: booleans as `{true_count, true_fraction}`,
 * numbers as `{mean}`, object members separately; strings, arrays and nulls are ignored.
 */
export class Summary {
  private trues = 0
  private falses = 0
  private numbers = 0
  private sum = 0
  private readonly members = new Map<string, Summary>()

  add(value: unknown): void {
    if (typeof value === 'boolean') {
      if (value) this.trues++
      else this.falses++
    } else if (typeof value === 'number') {
      this.numbers++
      this.sum += value
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const summary = this.members.get(key) ?? new Summary()
        this.members.set(key, summary)
        summary.add(member)
      }
    }
  }

  /**
   * The summary; null if there was nothing to summarize. Booleans among numbers count as 0 and 1.
   */
  result(): Record<string, unknown> | null {
    if (this.members.size > 0) {
      const entries = [...this.members].map(([key, summary]) => [key, summary.result()] as const)
      const known = entries.filter(([, result]) => result !== null)
      if (known.length > 0) return Object.fromEntries(known)
    }
    const truths = this.trues + this.falses
    if (this.numbers > 0) return { mean: (this.sum + this.trues) / (this.numbers + truths) }
    return truths === 0 ? null : { true_count: this.trues, true_fraction: this.trues / truths }
  }
}
