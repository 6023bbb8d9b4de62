import type { Price } from '../../../api/settings.ts'

/** The prices of a model over time. */
export interface PriceHistory {
  readonly model: string
  /** The latest first. */
  readonly prices: readonly Price[]
  /** The one that holds now; undefined if all begin later. */
  readonly current: Price | undefined
}

const startOf = ({ effective_date }: Price): number => (effective_date === null ? 0 : Date.parse(effective_date))
const setAt = ({ created_at }: Price): number => (created_at === null ? 0 : Date.parse(created_at))

/** Prices of each model, by name. Of two with the same start, the one that was set last holds. */
export const priceHistories = (prices: readonly Price[], now: number): PriceHistory[] =>
  [...Map.groupBy(prices, ({ llm_id }) => llm_id)]
    .map(([model, ofModel]) => {
      const latestFirst = ofModel.toSorted((a, b) => startOf(b) - startOf(a) || setAt(b) - setAt(a))
      return { model, prices: latestFirst, current: latestFirst.find((price) => startOf(price) <= now) }
    })
    .sort((a, b) => a.model.localeCompare(b.model))
