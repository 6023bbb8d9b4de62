import { limits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Files } from './files.ts'

/** Time stamps of files may lag behind the clock. */
const clockToleranceMs = 1000

/**
 * Removes contents of files that no project names: at once what an earlier run of the server left behind, from then on what has lain
 * for a while.
 */
export function startBlobSweep(files: Files, clock: Clock, log: Log): { stop(): Promise<void> } {
  const abort = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const sweep = (beforeMs: number) => {
    running = files.sweep(beforeMs, abort.signal).then(
      (removed) => {
        if (removed > 0) log.info({ removed }, 'deleted unreferenced blobs')
      },
      (err: unknown) => {
        if (!abort.signal.aborted) log.error({ err }, 'blob garbage collection failed; it will be retried')
      },
    )
  }
  // Nothing is under way yet, so what has no name now never will.
  sweep(clock.nowMs() - clockToleranceMs)
  const timer = setInterval(() => sweep(clock.nowMs() - limits.blobGraceMs), limits.blobSweepMs)
  return {
    stop: async () => {
      clearInterval(timer)
      abort.abort()
      await running
    },
  }
}
