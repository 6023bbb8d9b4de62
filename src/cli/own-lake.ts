import type { KeptLease } from '../engine/lake/kept-lease.ts'
import type { LeaseWatch } from '../engine/lake/lease.ts'
import { type OpenedLake, openLake } from '../engine/lake/open-lake.ts'
import { DataFolderError } from '../engine/layout.ts'
import { present } from '../lib/present.ts'
import type { LakeSettings } from '../runtime/config/configuration.ts'
import type { Log } from '../runtime/log.ts'
import { systemClock } from '../runtime/platform/clock.ts'
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
  const leaveWith = (code: number) => void clean().finally(() => exit(code))
  onTerminationSignal(() => leaveWith(130))
  try {
    const lake = await openLake(settings, { dataFolder: cache, clock: systemClock, log, mustExist: true })
    const held = await acquire(lake, instead)
    const leave = () => {
      writeStderr(`error: another node has taken ${lake.store.place} over; run the command again once it has stopped\n`)
      leaveWith(1)
    }
    void held.lost.then(leave)
    try {
      return await work({ ...lake, cache, held, leave })
    } finally {
      await held.release()
    }
  } finally {
    await clean()
  }
}

async function acquire({ store, folder, lease }: OpenedLake, instead: string): Promise<KeptLease> {
  try {
    return present(await lease(new AbortController().signal, refusing(store.place, instead)), 'The lease')
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
