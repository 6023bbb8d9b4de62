import type { TokenUsage, Trace, TracedCall } from './call-items.ts'
import { stableId } from './seeded-random.ts'
import type { Timeline } from './timeline.ts'

/** Values that all calls of a trace share. */
export interface TraceSetting {
  readonly projectId: string
  /** Names the trace; equal keys give equal ids. */
  readonly key: readonly (string | number)[]
  readonly threadId: string
  readonly attributes: Record<string, unknown>
  readonly time: Timeline
}

/** How a call ended well, or, with an exception beside its output, not quite. */
export interface Outcome {
  readonly output: unknown
  readonly exception?: string
  /** Tokens by model. */
  readonly usage?: Record<string, TokenUsage>
}

/**
 * Thrown inside a call: the call ends with this exception, and so does every caller that does not
 * catch it.
 */
export class CallFailure extends Error {}

/** Thrown inside a call: it and its callers have not ended yet. */
export class StillRunning extends Error {}

/**
 * Writes down one trace as the program that made it would run: calls nest as the functions do, and
 * time passes on one clock.
 */
export class TraceBuilder {
  readonly time: Timeline
  /** Turn that the calls from here on belong to: the id of the call that opened it. */
  turnId: string | undefined
  private readonly setting: TraceSetting
  private readonly calls: TracedCall[] = []
  private readonly openIds: string[] = []

  constructor(setting: TraceSetting) {
    this.setting = setting
    this.time = setting.time
  }

  /** Id of the call that will be begun next. */
  get nextId(): string {
    return stableId(...this.setting.key, this.calls.length)
  }

  /** Runs `body` as a call and hands on its output. */
  call<T extends Outcome>(opName: string, inputs: Record<string, unknown>, body: (id: string) => T): T['output'] {
    this.time.pass(4)
    const id = this.nextId
    const call = this.begin(id, opName, inputs)
    this.openIds.push(id)
    try {
      const outcome = body(id)
      this.end(call, outcome)
      return outcome.output
    } catch (cause) {
      if (cause instanceof CallFailure) this.end(call, { output: null, exception: cause.message })
      throw cause
    } finally {
      this.openIds.pop()
    }
  }

  /** The trace so far. `rootName` is what lists show for it in place of the op's name. */
  trace(rootName?: string): Trace {
    const root = this.calls[0]
    if (root && rootName !== undefined) root.start.display_name = rootName
    return this.calls
  }

  private begin(id: string, opName: string, inputs: Record<string, unknown>): TracedCall {
    const { projectId, key, threadId, attributes } = this.setting
    const parentId = this.openIds.at(-1)
    const call: TracedCall = {
      start: {
        project_id: projectId,
        id,
        op_name: opName,
        trace_id: stableId(...key, 'trace'),
        ...(parentId === undefined ? {} : { parent_id: parentId }),
        thread_id: threadId,
        ...(this.turnId === undefined ? {} : { turn_id: this.turnId }),
        started_at: this.time.now(),
        attributes,
        inputs,
      },
    }
    this.calls.push(call)
    return call
  }

  private end(call: TracedCall, { output, exception, usage }: Outcome): void {
    this.time.pass(4)
    call.end = {
      project_id: call.start.project_id,
      id: call.start.id,
      ended_at: this.time.now(),
      ...(exception === undefined ? {} : { exception }),
      output,
      summary: usage === undefined ? {} : { usage },
    }
  }
}
