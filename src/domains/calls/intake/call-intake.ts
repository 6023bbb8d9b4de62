import { intakeThreads } from '../../../lib/limits/memory.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import type { DialectName } from '../../../runtime/config/configuration.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { WorkerPool } from '../../../runtime/platform/processes/worker-pool.ts'
import type { CallsTask, IntakeReply, IntakeTask, PreparedCalls, PreparedSpans, SpansTask } from './intake-task.ts'

export interface CallIntakeOptions {
  readonly dialect: DialectName
  readonly redact: boolean
  readonly keepsContents: boolean
  /** What `TRACELAKE_MEMORY_MB` says, on which the number of threads depends. */
  readonly memoryBytes: number
  readonly marker?: string | undefined
  readonly clock: Clock
  readonly log: Log
}

/** The kind of calls in a body, and its sender. */
export type SentCalls = Pick<CallsTask, 'kind' | 'projectId' | 'userId' | 'bodyDialect'>

/** How an export of spans is encoded, and what it does not say itself. */
export type SentSpans = Pick<SpansTask, 'encoding' | 'project' | 'entity' | 'userId' | 'opVersion' | 'ops'>

/**
 * Prepares large batches of calls and spans in threads, so that the main thread only has to store
 * them.
 */
export class CallIntake {
  private readonly options: CallIntakeOptions
  private readonly pool: WorkerPool<IntakeTask, IntakeReply>

  constructor(options: CallIntakeOptions) {
    this.options = options
    this.pool = new WorkerPool({
      name: 'intake',
      // The address of the module names its own file, also after bundling.
      module: async () => (await import('./intake-thread.ts')).intakeModule,
      threadsMax: intakeThreads(options.memoryBytes, requestLimits.intakeThreadsMax),
      idleMs: requestLimits.intakeIdleMs,
      retryMs: requestLimits.intakeRetryMs,
      startWaitMs: requestLimits.intakeStartWaitMs,
      onFailure: (err) =>
        options.log.warn({ err }, 'a thread that prepares calls failed; the main thread does its work'),
    })
  }

  /**
   * Whether a body of this size is worth the way to a thread, and there is one, or soon will be.
   */
  accepts(bodyBytes: number): boolean {
    return (
      bodyBytes >= requestLimits.intakeBytesMin && bodyBytes <= requestLimits.intakeBytesMax && this.pool.isAvailable
    )
  }

  /** Whether batches wait long for a thread: because of more of them, or of other work. */
  get isBehind(): boolean {
    return this.pool.longestMs > requestLimits.intakeBehindMs
  }

  /**
   * The calls of a body, ready to be stored; undefined if the caller has to read the body itself,
   * which is then unchanged.
   */
  async prepare(bytes: Uint8Array, sent: SentCalls): Promise<PreparedCalls | undefined> {
    const reply = await this.ask(bytes, (task) => ({ ...task, ...sent }))
    return reply?.kind === 'calls' ? reply.calls : undefined
  }

  /** The same for an export of spans. */
  async prepareSpans(bytes: Uint8Array, sent: SentSpans): Promise<PreparedSpans | undefined> {
    const reply = await this.ask(bytes, (task) => ({ ...task, ...sent, kind: 'spans' }))
    return reply?.kind === 'spans' ? reply.spans : undefined
  }

  private async ask(
    bytes: Uint8Array,
    taskOf: (common: Omit<CallsTask, keyof SentCalls> & Omit<SpansTask, keyof SentSpans | 'kind'>) => IntakeTask,
  ): Promise<IntakeReply | undefined> {
    const { dialect, redact, keepsContents, marker, clock, log } = this.options
    // Not `slice`, which shares the memory of a Buffer: gRPC messages are Buffers.
    const copy = new Uint8Array(bytes)
    const task = taskOf({ bytes: copy, nowMs: clock.nowMs(), redact, keepsContents, marker, dialect })
    try {
      const reply = await this.pool.ask(task, [copy.buffer])
      if (reply?.kind === 'failed') log.warn({ failed: reply.reason }, 'cannot prepare calls in a thread')
      return reply
    } catch {
      // The thread ended, which the pool reports.
    }
    return undefined
  }

  close(): Promise<void> {
    return this.pool.close()
  }
}
