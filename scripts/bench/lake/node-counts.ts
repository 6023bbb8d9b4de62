import type { BenchServer } from '../bench-server.ts'
import type { Figure } from '../benchmark.ts'

const kinds = ['get', 'head', 'list'] as const

/** Requests of a node to read from its store, those of its lease included, and fetched bytes. */
export class NodeCounts {
  /** Fetched into its cache. */
  readonly bytes: number
  private readonly requests: ReadonlyMap<string, number>

  constructor(bytes: number, requests: ReadonlyMap<string, number>) {
    this.bytes = bytes
    this.requests = requests
  }

  static async of({ url, key }: BenchServer): Promise<NodeCounts> {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
    const lines = (await answer.text()).split('\n')
    const sum = (start: string) =>
      lines
        .filter((line) => line.startsWith(start))
        .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0)
    const requests = new Map(kinds.map((kind) => [kind, sum(`tracelake_lake_requests_total{kind="${kind}"`)]))
    return new NodeCounts(sum('tracelake_cache_fetched_bytes_total'), requests)
  }

  figuresUntil(after: NodeCounts, variant: string): Figure[] {
    return [
      { variant, measure: 'requests', value: after.total - this.total, unit: '' },
      { variant, measure: 'fetched', value: (after.bytes - this.bytes) / 1e6, unit: 'MB' },
    ]
  }

  describeSince(before: NodeCounts): string {
    const since = kinds.map((kind) => `${(this.requests.get(kind) ?? 0) - (before.requests.get(kind) ?? 0)} ${kind}`)
    return `${since.join(', ')}, ${((this.bytes - before.bytes) / 1e6).toFixed(1)} MB`
  }

  private get total(): number {
    return this.requests.values().reduce((sum, requests) => sum + requests, 0)
  }
}
