import { storageLimits } from '../../../lib/limits/storage.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Idempotency } from './idempotency.ts'

/** Periodically deletes expired idempotency keys. */
export function startKeySweep(idempotency: Idempotency, log: Log): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const sweep = () => {
    running = idempotency.forgetOld().then(
      (forgotten) => {
        if (forgotten > 0) log.info({ forgotten }, 'deleted expired idempotency keys')
      },
      (err: unknown) => log.error({ err }, 'deleting expired idempotency keys failed; it will be retried'),
    )
  }
  const timer = setInterval(sweep, storageLimits.idempotencySweepMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
