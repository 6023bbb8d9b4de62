import type { BatchItem, CallEnd, CallStart } from '../../src/demo/traces/call-items.ts'

interface StatsRequest {
  readonly filter: { readonly trace_ids: string[]; readonly op_names?: string[]; readonly trace_roots_only?: boolean }
  readonly query: { readonly $expr: { readonly $in: [unknown, { readonly $literal: string }[]] } } | null
}

/** The two operations that senders use, over a map in memory; for tests. */
export class FakeServer implements Disposable {
  readonly starts = new Map<string, CallStart>()
  readonly ends = new Map<string, CallEnd>()
  /** Number of items of every batch that was accepted. */
  readonly batchSizes: number[] = []
  /** Answers given before anything else, each once. */
  readonly troubles: Response[] = []
  /** Ends that are accepted and then lost. */
  loseEnds = 0
  readonly url: string
  private readonly server: Bun.Server<undefined>

  constructor(key: string) {
    const authorization = `Basic ${btoa(`api:${key}`)}`
    this.server = Bun.serve({
      port: 0,
      fetch: async (request) => {
        const trouble = this.troubles.shift()
        if (trouble) return trouble
        if (request.headers.get('authorization') !== authorization) return new Response('who?', { status: 401 })
        const { pathname } = new URL(request.url)
        if (pathname === '/call/upsert_batch') return this.take((await request.json()) as { batch: BatchItem[] })
        if (pathname === '/calls/query_stats') return this.count((await request.json()) as StatsRequest)
        return new Response('unknown', { status: 404 })
      },
    })
    this.url = `http://127.0.0.1:${this.server.port}`
  }

  [Symbol.dispose](): void {
    void this.server.stop(true)
  }

  private take({ batch }: { batch: BatchItem[] }): Response {
    this.batchSizes.push(batch.length)
    for (const item of batch) {
      if (item.mode === 'start') this.starts.set(item.req.start.id, item.req.start)
      else if (this.loseEnds > 0) this.loseEnds -= 1
      else this.ends.set(item.req.end.id, item.req.end)
    }
    return Response.json({ res: batch.map(() => ({})) })
  }

  private count({ filter, query }: StatsRequest): Response {
    const statuses = query?.$expr.$in[1].map(({ $literal }) => $literal)
    const found = [...this.starts.values()].filter(
      (start) =>
        filter.trace_ids.includes(start.trace_id) &&
        (filter.op_names?.includes(start.op_name) ?? true) &&
        (!filter.trace_roots_only || start.parent_id === undefined) &&
        (statuses?.includes(this.statusOf(start.id)) ?? true),
    )
    return Response.json({ count: found.length, has_more: false })
  }

  private statusOf(id: string): string {
    const end = this.ends.get(id)
    if (!end) return 'running'
    return end.exception ? 'error' : 'success'
  }
}
