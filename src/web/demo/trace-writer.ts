import type { BatchItem } from './batch-item.ts'

interface Outcome {
  readonly output: unknown
  readonly exception?: string
  readonly usage?: object
}

/** Writes calls down as the program that makes them would run: they nest, and time passes. */
export class TraceWriter {
  readonly items: BatchItem[] = []
  nowMs: number
  private readonly shared: { readonly project_id: string; readonly trace_id: string; readonly thread_id: string }
  private readonly open: string[] = []

  constructor(projectId: string, threadId: string, startedMs: number) {
    this.shared = { project_id: projectId, trace_id: crypto.randomUUID(), thread_id: threadId }
    this.nowMs = startedMs
  }

  /** Lets time pass, in milliseconds. */
  pass(ms: number): void {
    this.nowMs += ms
  }

  /** Runs `body` as a call. */
  call(op_name: string, inputs: object, kind: string, body: () => Outcome): void {
    const id = crypto.randomUUID()
    const parent_id = this.open.at(-1) ?? null
    // The root of each trace is a turn of the thread.
    const turn = parent_id === null ? { turn_id: id } : {}
    const start = { ...this.shared, ...turn, id, parent_id, op_name, inputs, attributes: { kind, demo: true } }
    this.items.push({ mode: 'start', req: { start: { ...start, started_at: this.time() } } })
    this.open.push(id)
    this.pass(3)
    const { output, exception = null, usage } = body()
    this.pass(2)
    this.open.pop()
    const summary = usage === undefined ? {} : { usage }
    const end = { project_id: this.shared.project_id, id, ended_at: this.time(), output, exception, summary }
    this.items.push({ mode: 'end', req: { end } })
  }

  private time(): string {
    return new Date(this.nowMs).toISOString()
  }
}
