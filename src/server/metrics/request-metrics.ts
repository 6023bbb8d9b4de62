import { itemAt } from '../../lib/present.ts'

/** Upper bounds of the latency buckets in seconds. */
export const latencyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Requests of one operation. */
export class OperationMetrics {
  readonly operation: string
  /** Number of responses by status. */
  readonly statuses = new Map<number, number>()
  /** Requests per latency bucket; the last one counts those above all bounds. */
  readonly buckets = new Float64Array(latencyBounds.length + 1)
  seconds = 0

  constructor(operation: string) {
    this.operation = operation
  }

  add(status: number, seconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.seconds += seconds
    const found = latencyBounds.findIndex((bound) => seconds <= bound)
    const bucket = found < 0 ? latencyBounds.length : found
    this.buckets[bucket] = itemAt(this.buckets, bucket) + 1
  }
}

/**
 * Counts requests in plain numbers, because it runs on every request; they become metrics at scrape
 * time.
 */
export class RequestMetrics {
  readonly byOperation = new Map<string, OperationMetrics>()

  of(operation: string): OperationMetrics {
    let statistics = this.byOperation.get(operation)
    if (statistics === undefined) {
      statistics = new OperationMetrics(operation)
      this.byOperation.set(operation, statistics)
    }
    return statistics
  }
}
