import { collectGarbage } from './garbage.ts'
import { cpuSeconds } from './processes/process-stats.ts'

export interface RestOptions {
  /** How often to look. */
  readonly everyMs: number
  /** Processor time between two looks, up to which the process is at rest. */
  readonly restSecondsMax: number
  /** Processor time since the last collection that is worth another. */
  readonly workSecondsMin: number
}

/** Recognizes from the processor time of a process that it has worked and is now at rest. */
export class RestWatch {
  private readonly options: RestOptions
  private lookedAt: number
  private restedAt = 0

  /** @param usedSeconds processor time so far */
  constructor(options: RestOptions, usedSeconds: number) {
    this.options = options
    this.lookedAt = usedSeconds
  }

  /** Whether it is at rest for the first time since it has worked. */
  hasComeToRest(usedSeconds: number): boolean {
    const { restSecondsMax, workSecondsMin } = this.options
    const isAtRest = usedSeconds - this.lookedAt <= restSecondsMax
    this.lookedAt = usedSeconds
    if (!isAtRest || usedSeconds - this.restedAt < workSecondsMin) return false
    this.restedAt = usedSeconds
    return true
  }
}

/**
 * Collects the garbage of the main thread whenever the process has worked and is at rest: the
 * engine collects while a program allocates, and a server at rest does not.
 */
export function startCollectingAtRest(options: RestOptions): { stop(): void } {
  const watch = new RestWatch(options, cpuSeconds())
  const timer = setInterval(() => {
    if (watch.hasComeToRest(cpuSeconds())) collectGarbage()
  }, options.everyMs)
  return { stop: () => clearInterval(timer) }
}
