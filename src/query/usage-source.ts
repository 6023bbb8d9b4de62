import type { Relation } from '../lib/relation.ts'

/** Where the usage of calls is, and what it costs. */
export interface UsageSource {
  /** Branches that may hold any call of the project. */
  readonly calls: Relation
  /** Prices of all models of the project; empty if no cost is read. */
  readonly rates: readonly TimedRate[]
}

/** Prices per token of a model whose input tokens per request are in (`above`, `through`]. */
export interface UsageRate {
  readonly model: string
  readonly above: number
  readonly through: number
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheCreation: number
  readonly cacheCreationLong: number
}

/** Prices of calls that start at `from` or later and before `until`, in microseconds. */
export interface TimedRate extends UsageRate {
  readonly from: number
  readonly until: number
}
