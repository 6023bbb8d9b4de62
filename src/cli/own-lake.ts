import type { KeptLease } from '../engine/lake/kept-lease.ts'
import type { LeaseWatch } from '../engine/lake/lease.ts'
import { type OpenedLake, openLake } from '../engine/lake/open-lake.ts'
import { DataFolderError } from '../engine/layout.ts'
import { toolLimits } from '../lib/limits/tools.ts'
import type { LakeSettings } from '../runtime/config/configuration.ts'
import type { Log } from '../runtime/log.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { delay } from '../runtime/platform/event-loop.ts'
import { newTemporaryFolder, removeFolder } from '../runtime/platform/files/files.ts'
import { exit, onTerminationSignal, writeStderr } from '../runtime/platform/runtime.ts'

interface OwnLakeOptions {
  readonly settings: LakeSettings
  /** The cache; by default, a temporary folder. */
  readonly keptIn: string | undefined
  readonly log: Log
  /** What to do if a node serves the lake. */
  readonly instead: string
}

/** A lake of which this process is the only writer. */
export interface OwnedLake extends OpenedLake {
  /** The folder, which the work has to release. */
  readonly cache: string
  readonly held: KeptLease
  /** Ends the process at once: another node owns the lake. */
  readonly leave: () => void
}

/**
 * Lets a command change a lake that no node serves: it is the node until it ends. If it is killed,
 * the next node waits until the lease is over, as after any node. See
 * docs/decisions/289-commands-that-own-a-lake.md.
 *
 * @throws DataFolderError if a node serves it, or somebody has to do something; ObjectStoreError
 */
export async function ownLake<T>(options: OwnLakeOptions, work: (lake: OwnedLake) => Promise<T>): Promise<T> {
  const { settings, keptIn, log, instead } = options
  const cache = keptIn ?? (await newTemporaryFolder())
  const clean = async () => {
    if (keptIn === undefined) await removeFolder(cache)
  }
  const stopping = new AbortController()
  let granted: Promise<KeptLease | undefined> = Promise.resolve(undefined)
  // What the work still writes after the lease is free counts as that of any replaced writer.
  const leaveWith = async (code: number): Promise<void> => {
    stopping.abort()
    const released = granted.then((held) => held?.release())
    await Promise.race([released.catch(() => {}), delay(toolLimits.commandReleaseMs)])
    await clean().finally(() => exit(code))
  }
  onTerminationSignal(() => void leaveWith(130))
  try {
    const lake = await openLake(settings, { dataFolder: cache, clock: systemClock, log, mustExist: true })
    granted = acquire(lake, instead, stopping.signal)
    const held = await granted
    // The handler of a signal exits.
    if (held === undefined) return await new Promise<never>(() => {})
    const leave = () => {
      writeStderr(`error: another node has taken ${lake.store.place} over; run the command again once it has stopped\n`)
      void leaveWith(1)
    }
    void held.lost.then(leave)
    const watch = setInterval(
      watchStore(held, lake.store.place, () => void leaveWith(1)),
      toolLimits.stopLookMs,
    )
    try {
      return await work({ ...lake, cache, held, leave })
    } finally {
      clearInterval(watch)
      await held.release()
    }
  } finally {
    await clean()
  }
}

/** Says that a command waits for the store, and ends it if that takes long. */
function watchStore(held: KeptLease, place: string, end: () => void): () => void {
  let awaySinceMs: number | undefined
  return () => {
    if (held.state !== 'away') {
      awaySinceMs = undefined
      return
    }
    if (awaySinceMs === undefined) {
      awaySinceMs = performance.now()
      writeStderr(`${place} does not answer; waiting for up to ${toolLimits.commandAwayMsMax / 1_000} s\n`)
    } else if (performance.now() - awaySinceMs >= toolLimits.commandAwayMsMax) {
      awaySinceMs = Number.POSITIVE_INFINITY
      writeStderr(`error: ${place} does not answer; nothing is lost: run the command again once it does\n`)
      end()
    }
  }
}

/** @returns undefined if the signal aborts before */
async function acquire(
  { store, folder, lease }: OpenedLake,
  instead: string,
  signal: AbortSignal,
): Promise<KeptLease | undefined> {
  try {
    return await lease(signal, refusing(store.place, instead))
  } catch (cause) {
    await folder.release()
    throw cause
  }
}

/** A command does not wait for a node to stop, nor for a store that does not answer. */
const refusing = (place: string, instead: string): LeaseWatch => ({
  onFailure: (cause) => {
    throw cause
  },
  onHeld: (node, isRenewed) => {
    if (isRenewed) throw new DataFolderError(`Cannot change ${place}: node ${node} serves it; ${instead}`)
  },
})
