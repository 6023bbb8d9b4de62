import { toolLimits } from '../lib/limits/tools.ts'
import type { Log } from '../runtime/log.ts'
import { delay } from '../runtime/platform/event-loop.ts'
import { exit } from '../runtime/platform/runtime.ts'

interface Stopping {
  readonly signal: string
  readonly log: Log
  readonly stop: () => Promise<void>
  /** Whether the store may not be answering. */
  readonly isAway: () => boolean
  /** Rows that no data file has. */
  readonly unflushed: () => number
}

/**
 * Stops a node of a lake, and exits. It does not wait long for a store that does not answer: what
 * was accepted is in the log there, as after a kill.
 */
export async function exitAfter({ signal, log, stop, isAway, unflushed }: Stopping): Promise<void> {
  log.info({ signal }, 'shutting down')
  try {
    if (await endsInTime(stop(), isAway)) {
      log.info('stopped')
      exit(0)
    }
    const why = isAway()
      ? 'the object store does not answer, so this node stops without it'
      : 'stopping takes too long, so this node ends at once'
    log.error(
      { rows: unflushed() },
      `${why}: accepted rows that are in no data file yet are in the log of the lake, and the next node has them; ` +
        'requests without an answer may not be stored',
    )
  } catch (err) {
    log.error({ err }, 'shutdown failed; accepted writes are in the log of the lake')
  }
  exit(1)
}

/** @returns false if the work has not ended, and the store is away, or it takes too long */
async function endsInTime(work: Promise<void>, isAway: () => boolean): Promise<boolean> {
  const ended = work.then(() => true)
  const startedMs = performance.now()
  let heldMs = startedMs
  for (;;) {
    if (await Promise.race([ended, delay(toolLimits.stopLookMs).then(() => false)])) return true
    const nowMs = performance.now()
    if (!isAway()) heldMs = nowMs
    if (nowMs - heldMs > toolLimits.stopAwayMsMax || nowMs - startedMs > toolLimits.stopMsMax) return false
  }
}
