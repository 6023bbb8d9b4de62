import { AsyncLocalStorage } from 'node:async_hooks'

/** What the reads of one request cost, collected only for requests that ask. */
export class ReadCost {
  /** Milliseconds until snapshots were there, and in statements. */
  waitedMs = 0
  readMs = 0
  statements = 0
  /** Data files that statements named, and those of the caller's projects. */
  readonly filesRead = new Set<string>()
  readonly filesOfProjects = new Set<string>()
  /** Data files of which sums by hour were read instead. */
  readonly filesSummed = new Set<string>()
}

const costs = new AsyncLocalStorage<ReadCost>()

/** Collects the cost of `work` and everything it starts. */
export const withReadCost = <T>(cost: ReadCost, work: () => T): T => costs.run(cost, work)

/** Where the current work reports its cost; undefined unless the request asked for it. */
export const readCost = (): ReadCost | undefined => costs.getStore()
