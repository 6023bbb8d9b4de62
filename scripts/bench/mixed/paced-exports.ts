import type { Target } from '../http/requests.ts'
import { exports } from '../ingest/spans.ts'
import { project } from '../payload/calls.ts'
import type { Latencies } from './latencies.ts'

const spansPerExport = 250
const connections = 8

/**
 * Sends exports of spans at a steady pace, whether or not the server keeps up: what comes late
 * waits, and its latency is counted from the moment at which it was due.
 */
export class PacedExports {
  /** The most exports that were due and not answered at any time. */
  lateMax = 0
  /** Exports that were refused for now, and sent again, as exporters do. */
  refused = 0
  /** How many spans were accepted; they are numbered from 0. */
  accepted = 0
  private readonly target: Target
  private readonly latencies: Latencies
  private readonly startedNanos = BigInt(Date.now()) * 1_000_000n
  private readonly spansPerSecond: number

  /** How many are due. */
  private due = () => 0
  private answered = 0

  constructor(target: Target, latencies: Latencies, spansPerSecond: number) {
    this.target = target
    this.latencies = latencies
    this.spansPerSecond = spansPerSecond
  }

  /** @throws Error if an export is refused for good */
  async run(seconds: number): Promise<void> {
    const total = Math.max(1, Math.floor((seconds * this.spansPerSecond) / spansPerExport))
    const everyMs = (1000 * spansPerExport) / this.spansPerSecond
    const startMs = performance.now()
    let next = 0
    this.due = () => Math.min(total, Math.floor((performance.now() - startMs) / everyMs) + 1)
    const work = async () => {
      while (next < total) {
        const number = next++
        const dueMs = startMs + number * everyMs
        const body = this.exportOf(number)
        await Bun.sleep(Math.max(0, dueMs - performance.now()))
        await this.send(body)
        this.latencies.add(`export of ${spansPerExport} spans`, performance.now() - dueMs)
        this.accepted += spansPerExport
        this.answered++
        this.lateMax = Math.max(this.lateMax, this.late)
      }
    }
    await Promise.all(Array.from({ length: connections }, work))
  }

  /** Exports that are due and not answered. */
  get late(): number {
    return this.due() - this.answered
  }

  private async send(body: Uint8Array<ArrayBuffer>): Promise<void> {
    for (;;) {
      const response = await fetch(`${this.target.url}/otel/v1/traces`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.target.key}`,
          'content-type': 'application/x-protobuf',
          project_id: project,
        },
        body,
      })
      const answer = await response.arrayBuffer()
      if (response.status === 200) return
      if (response.status !== 503)
        throw new Error(`Send an export of spans: answered ${response.status}: ${new TextDecoder().decode(answer)}`)
      this.refused++
      await Bun.sleep(1_000 * Number(response.headers.get('retry-after') ?? 1))
    }
  }

  private exportOf(number: number): Uint8Array<ArrayBuffer> {
    const first = number * spansPerExport
    const stepNanos = BigInt(Math.round(1e9 / this.spansPerSecond))
    const [body] = exports(spansPerExport, spansPerExport, { first, startedNanos: this.startedNanos, stepNanos })
    return body!
  }
}
