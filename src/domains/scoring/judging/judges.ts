import { BoundedMap } from '../../../lib/bounded-map.ts'
import { DomainError } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { sha256Hex } from '../../../runtime/platform/crypto.ts'
import { startWorker, type Worker } from '../../../runtime/platform/processes/worker.ts'
import type { JudgingAnswer, JudgingTask } from './judging.ts'

/** The task took too long and was stopped. */
export class JudgingTimeout extends Error {
  override readonly name = 'JudgingTimeout'
}

/** Tasks are numbered from one. */
const readyId = 0

interface Asked {
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
  private readonly waiting: Asked[] = []
  private asked: Asked | undefined
  private late: ReturnType<typeof setTimeout> | undefined
  private idle: ReturnType<typeof setTimeout> | undefined
  private thread: Promise<Worker> | undefined
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
    if (this.asked !== undefined) return
    const asked = this.waiting.shift()
    clearTimeout(this.idle)
    if (asked === undefined) {
      this.idle = setTimeout(() => void this.endThread(), operationLimits.judgesIdleMs)
      this.idle.unref()
      return
    }
    this.asked = asked
    void this.send(asked)
  }

  private async send(asked: Asked): Promise<void> {
    try {
      // At most two threads at a time: one that works and one that is ending.
      if (this.thread === undefined) await this.ending
      this.thread ??= this.start()
      const thread = await this.thread
      if (this.asked !== asked) return
      // An answer may have arrived while this thread was busy or the whole process was stopped.
      const giveUpSoon = () => {
        this.late = setTimeout(() => this.giveUp(asked), operationLimits.judgingGraceMs)
      }
      this.late = setTimeout(giveUpSoon, this.timeoutMs)
      thread.post({ id: asked.id, task: JSON.stringify(asked.task) })
    } catch (cause) {
      // The next task will try to start one again.
      this.thread = undefined
      this.settle(asked.id, () => asked.reject(cause))
    }
  }

  private async start(): Promise<Worker> {
    // The address of the module names its own file, also after bundling.
    const { judgingModule } = await import('./judging-thread.ts')
    const ready = Promise.withResolvers<void>()
    const thread = startWorker({
      name: 'judging',
      module: judgingModule,
      onMessage: (message) => {
        const answer = message as JudgingAnswer
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
    const { asked } = this
    this.settle(answer.id, () => {
      if ('result' in answer) asked!.resolve(JSON.parse(answer.result))
      else if ('refused' in answer) asked!.reject(new DomainError('InvalidRequest', answer.refused))
      else asked!.reject(new Error(`Judging failed: ${answer.failed}`))
    })
  }

  private giveUp(asked: Asked): void {
    void this.endThread()
    this.settle(asked.id, () => asked.reject(new JudgingTimeout(`timed out after ${this.timeoutMs / 1000} seconds`)))
  }

  private lose(cause: unknown): void {
    this.thread = undefined
    const { asked } = this
    if (asked !== undefined) this.settle(asked.id, () => asked.reject(new Error('The judging thread died', { cause })))
  }

  private settle(id: number, tell: () => void): void {
    // Ignore the answer of a thread that was given up.
    if (this.asked?.id !== id) return
    clearTimeout(this.late)
    this.asked = undefined
    tell()
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
 * What is wrong with a user's JSON Schema, or with the value in `value` according to it; undefined
 * if nothing. A schema that takes too long is invalid.
 *
 * @throws DomainError Overloaded
 */
export async function schemaFault(schema: unknown, value?: readonly [unknown]): Promise<string | undefined> {
  const digest = sha256Hex(JSON.stringify(schema) ?? '')
  if ((slow.get(digest) ?? 0) > performance.now()) return tooSlow
  try {
    const fault = await judges.ask({ kind: 'schema', schema, ...(value !== undefined && { value }) })
    return (fault as string | null) ?? undefined
  } catch (cause) {
    if (!(cause instanceof JudgingTimeout)) throw cause
    slow.set(digest, performance.now() + operationLimits.slowSchemaKeptMs)
    return tooSlow
  }
}
