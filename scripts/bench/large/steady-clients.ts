import type { Figure } from '../benchmark.ts'
import { percentile } from '../benchmark.ts'
import { Connection } from '../http/connection.ts'
import { postRequest, type Target } from '../http/requests.ts'
import { project, upsertBatches } from '../payload/calls.ts'

const pauseMs = 50
const callsPerWrite = 20
const newestPage = {
  project_id: project,
  sort_by: [{ field: 'started_at', direction: 'desc' }],
  limit: 50,
}

interface Latencies {
  readonly pagesMs: number[]
  readonly writesMs: number[]
}

/**
 * Two clients of a server that is busy with something else: one reads the newest page, the other
 * writes 20 calls of 1 KB, each 50 ms after its last answer.
 */
export class SteadyClients {
  private readonly target: Target
  private written = 0

  constructor(target: Target) {
    this.target = target
  }

  /** Latencies of the requests that are sent until `work` ends. */
  async during(work: Promise<unknown>): Promise<Latencies> {
    let isOver = false
    const over = work.finally(() => {
      isOver = true
    })
    const page = postRequest(this.target, '/calls/stream_query', JSON.stringify(newestPage))
    const [pagesMs, writesMs] = await Promise.all([
      this.repeat(
        () => page,
        () => isOver,
      ),
      this.repeat(
        () => this.nextWrite(),
        () => isOver,
      ),
    ])
    await over
    return { pagesMs, writesMs }
  }

  private async repeat(request: () => Uint8Array, isOver: () => boolean): Promise<number[]> {
    using connection = await Connection.open(this.target.url)
    const latenciesMs: number[] = []
    do {
      const { status, totalMs } = await connection.exchange(request())
      if (status !== 200) throw new Error(`Send a request beside other work: answered ${status}`)
      latenciesMs.push(totalMs)
      await Bun.sleep(pauseMs)
    } while (!isOver())
    return latenciesMs
  }

  private nextWrite(): Uint8Array {
    const from = this.written
    this.written += callsPerWrite
    const shape = { bytes: 1_100, numbers: 'short', ids: 'mixed' } as const
    const [batch] = upsertBatches(from, this.written, shape, { callsPerBatch: callsPerWrite, endsLater: 0 })
    return postRequest(this.target, '/call/upsert_batch', batch!.body)
  }
}

/** Figures of what the clients met at the time that `variant` names. */
export const latencyFigures = (variant: string, { pagesMs, writesMs }: Latencies): Figure[] =>
  Object.entries({ 'newest page of 50': pagesMs, '20 calls written': writesMs }).flatMap(([what, latenciesMs]) => [
    { variant, measure: `${what}, p50`, value: percentile(latenciesMs, 0.5), unit: 'ms' as const },
    { variant, measure: `${what}, p99`, value: percentile(latenciesMs, 0.99), unit: 'ms' as const },
  ])
