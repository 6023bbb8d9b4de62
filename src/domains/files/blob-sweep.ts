import { storageLimits } from '../../lib/limits/storage.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { Files } from './files.ts'

/** File timestamps may lag behind the clock. */
const clockToleranceMs = 1000

/**
 * Deletes unreferenced blobs: at startup those left behind by an earlier run, then those that have
 * reached a minimum age.
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
  // No upload is in progress yet, so unreferenced blobs will stay unreferenced.
  sweep(clock.nowMs() - clockToleranceMs)
  const timer = setInterval(() => sweep(clock.nowMs() - storageLimits.blobGraceMs), storageLimits.blobSweepMs)
  return {
    stop: async () => {
      clearInterval(timer)
      abort.abort()
      await running
    },
  }
}
