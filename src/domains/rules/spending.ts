import type { ScoreBudget } from '../evaluations/index.ts'
import type { Spending } from './rule-progress.ts'

const dayMicros = 86_400_000_000

/** The day (UTC) of a time in microseconds. */
const dayOf = (micros: number): string => new Date(Math.floor(micros / 1000)).toISOString().slice(0, 10)

/** When the day (UTC) of a time ends, both in microseconds. */
export const endOfDay = (micros: number): number => (Math.floor(micros / dayMicros) + 1) * dayMicros

/** What was spent on the day of a time in microseconds. */
export const costOn = ({ day, cost }: Spending, micros: number): number => (day === dayOf(micros) ? cost : 0)

/** What was spent with a further cost, at a time in microseconds. */
export const withCost = (spending: Spending, cost: number, micros: number): Spending => ({
  day: dayOf(micros),
  cost: costOn(spending, micros) + cost,
})

/** A sum that may be spent once; all of it is left at first. @param max null for no limit */
export class Purse implements ScoreBudget {
  readonly isLimited: boolean
  cost: number
  private readonly max: number
  private readonly save: () => Promise<void>

  constructor(max: number | null, cost = 0, save: () => Promise<void> = async () => {}) {
    this.isLimited = max !== null
    this.max = max ?? Number.POSITIVE_INFINITY
    this.cost = cost
    this.save = save
  }

  isSpent(): boolean {
    return this.cost >= this.max
  }

  async add(cost: number): Promise<void> {
    this.cost += cost
    if (cost > 0 && this.isLimited) await this.save()
  }
}
