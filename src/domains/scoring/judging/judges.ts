import { BoundedMap } from '../../../lib/bounded-map.ts'
import { DomainError } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { sha256Hex } from '../../../runtime/platform/crypto.ts'
import { startWorker, type Worker } from '../../../runtime/platform/processes/worker.ts'
import type { JudgingAnswer, JudgingRequest, JudgingTask } from './judging-thread.ts'

/** The task took too long and was stopped. */
export class JudgingTimeout extends Error {
  override readonly name = 'JudgingTimeout'
}

/** Tasks are numbered from one. */
const readyId = 0

/** A task and where its result goes. */
interface PendingTask {
  readonly id: number
  readonly task: JudgingTask
  readonly resolve: (result: unknown) => void
  readonly reject: (cause: unknown) => void
}

/**
 * Runs user-defined patterns and schemas in a worker thread, one task at a time, each with a time
 * limit. A thread that does not respond is terminated; the next task gets a new one.
 */
export class Judges {
  private readonly timeoutMs: number
  private readonly waiting: PendingTask[] = []
  private current: PendingTask | undefined
  private late: ReturnType<typeof setTimeout> | undefined
  private idle: ReturnType<typeof setTimeout> | undefined
  private thread: Promise<Worker<JudgingRequest>> | undefined
  /** A terminated thread may continue until it reaches a point where it can be stopped. */
  private ending: Promise<void> = Promise.resolve()
  private lastId = 0

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs
  }

  /**
   * The result of a task as JSON.
   *
   * @throws JudgingTimeout; DomainError InvalidRequest for an invalid task, Overloaded if too many
   *   are waiting
   */
  ask(task: JudgingTask): Promise<unknown> {
    if (this.waiting.length >= operationLimits.judgingWaitingMax) {
      throw new DomainError(
        'Overloaded',
        'Too many values are waiting to be scored or validated; try again in a moment',
      )
    }
    return new Promise((resolve, reject) => {
      this.lastId++
      this.waiting.push({ id: this.lastId, task, resolve, reject })
      this.next()
    })
  }

  private next(): void {
    if (this.current !== undefined) return
    const pending = this.waiting.shift()
    clearTimeout(this.idle)
    if (pending === undefined) {
      this.idle = setTimeout(() => void this.endThread(), operationLimits.judgesIdleMs)
      this.idle.unref()
      return
    }
    this.current = pending
    void this.send(pending)
  }

  private async send(pending: PendingTask): Promise<void> {
    try {
      // At most two threads at a time: one that works and one that is ending.
      if (this.thread === undefined) await this.ending
      this.thread ??= this.start()
      const thread = await this.thread
      if (this.current !== pending) return
      // An answer may have arrived while this thread was busy or the whole process was stopped.
      const giveUpSoon = () => {
        this.late = setTimeout(() => this.giveUp(pending), operationLimits.judgingGraceMs)
      }
      this.late = setTimeout(giveUpSoon, this.timeoutMs)
      thread.post({ id: pending.id, task: JSON.stringify(pending.task) })
    } catch (cause) {
      // The next task will try to start one again.
      this.thread = undefined
      this.settle(pending.id, ({ reject }) => reject(cause))
    }
  }

  private async start(): Promise<Worker<JudgingRequest>> {
    // The address of the module names its own file, also after bundling.
    const { judgingModule } = await import('./judging-thread.ts')
    const ready = Promise.withResolvers<void>()
    const thread = startWorker<JudgingRequest, JudgingAnswer>({
      name: 'judging',
      module: judgingModule,
      onMessage: (answer) => {
        if (answer.id === readyId) ready.resolve()
        else this.take(answer)
      },
      onFailure: (cause) => {
        ready.reject(new Error('The judging thread failed to start', { cause }))
        this.lose(cause)
      },
    })
    // Startup on a busy machine must not count toward the time limit of the first task.
    thread.post({ id: readyId, task: JSON.stringify({ kind: 'ready' } satisfies JudgingTask) })
    await ready.promise
    return thread
  }

  private take(answer: JudgingAnswer): void {
    this.settle(answer.id, ({ resolve, reject }) => {
      if ('result' in answer) resolve(JSON.parse(answer.result))
      else if ('refused' in answer) reject(new DomainError('InvalidRequest', answer.refused))
      else reject(new Error(`Judging failed: ${answer.failed}`))
    })
  }

  private giveUp({ id }: PendingTask): void {
    void this.endThread()
    this.settle(id, ({ reject }) => reject(new JudgingTimeout(`timed out after ${this.timeoutMs / 1000} seconds`)))
  }

  private lose(cause: unknown): void {
    this.thread = undefined
    if (this.current === undefined) return
    this.settle(this.current.id, ({ reject }) => reject(new Error('The judging thread died', { cause })))
  }

  /** Ends the current task. The answer of a thread that was given up is ignored. */
  private settle(id: number, end: (task: PendingTask) => void): void {
    const { current } = this
    if (current?.id !== id) return
    clearTimeout(this.late)
    this.current = undefined
    end(current)
    this.next()
  }

  private endThread(): void {
    const { thread } = this
    if (thread === undefined) return
    this.thread = undefined
    this.ending = thread.then((worker) => worker.end())
  }
}

const judges = new Judges(operationLimits.schemaMs)

/**
 * Digests of schemas that took too long, oldest first, with the time until which they are rejected:
 * each would delay everyone's checks again, but a busy machine may have been the reason.
 */
const slow = new BoundedMap<string, number>(operationLimits.slowSchemasKept)

const tooSlow = 'the JSON Schema takes too long to check'

/**
 * The fault of a user's JSON Schema, or of the value in `value` according to it; undefined if there
 * is none. A schema that takes too long to check counts as invalid.
 *
 * @throws DomainError Overloaded
 */
export async function schemaFault(schema: unknown, value?: readonly [unknown]): Promise<string | undefined> {
  const digest = sha256Hex(JSON.stringify(schema) ?? '')
  if ((slow.get(digest) ?? 0) > performance.now()) return tooSlow
  try {
    const fault = await judges.ask({ kind: 'schema', schema, ...(value !== undefined && { value }) })
    return typeof fault === 'string' ? fault : undefined
  } catch (cause) {
    if (!(cause instanceof JudgingTimeout)) throw cause
    slow.set(digest, performance.now() + operationLimits.slowSchemaKeptMs)
    return tooSlow
  }
}
