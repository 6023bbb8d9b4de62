import type { LakeSettings } from '../../runtime/config/configuration.ts'
import type { Log } from '../../runtime/log.ts'
import type { ObjectStore } from '../../runtime/objects/object-store.ts'
import { openObjectStore } from '../../runtime/objects/open-object-store.ts'
import { RequestCounts } from '../../runtime/objects/request-counts.ts'
import { systemPace } from '../../runtime/objects/retrying-store.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import { hostName, processId } from '../../runtime/platform/runtime.ts'
import type { LakeIdentity } from '../folder/cache-marker.ts'
import { LockedFolder } from '../folder/locked-folder.ts'
import { checkLake, recordLakeFormat, requireLake, requireReadableLake } from './check-lake.ts'
import { KeptLease } from './kept-lease.ts'
import type { LeaseWatch } from './lease.ts'

/** A lake that has what it needs, and a folder that is locked as its cache. */
export interface OpenedLake {
  readonly store: ObjectStore
  readonly requests: RequestCounts
  /** Names this process for those who look into the store. */
  readonly node: string
  readonly folder: LockedFolder
  /**
   * Waits for the lease, which makes this node the only writer.
   *
   * @returns undefined if the signal aborts before
   */
  readonly lease: (signal: AbortSignal, watch?: LeaseWatch) => Promise<KeptLease | undefined>
}

interface OpenLakeOptions {
  readonly dataFolder: string
  readonly clock: Clock
  readonly log: Log
  /** Whether a prefix without a lake is refused, instead of becoming one. */
  readonly mustExist?: boolean
}

/**
 * Checks a lake, and locks the folder that is to be its cache.
 *
 * @throws ConfigError, DataFolderError if somebody has to do something; ObjectStoreError if the
 *   store does not answer
 */
export async function openLake(
  settings: LakeSettings,
  { dataFolder, clock, log, mustExist = false }: OpenLakeOptions,
): Promise<OpenedLake> {
  const requests = new RequestCounts()
  const store = await openObjectStore(settings.address, settings, requests)
  if (mustExist) await requireLake(store)
  const identity = await checkLake(store)
  const folder = await LockedFolder.acquire(dataFolder, clock, log, identity)
  const node = ownNode()
  const around = {
    store,
    name: 'lease',
    node,
    nowMs: () => performance.now(),
    newNonce: () => randomHex(16),
    pace: systemPace,
  }
  const lease = async (signal: AbortSignal, watch: LeaseWatch = {}): Promise<KeptLease | undefined> => {
    const held = await KeptLease.acquire({ ...around, watch }, log, signal)
    if (held === undefined) return undefined
    try {
      await recordLakeFormat(store)
      return held
    } catch (cause) {
      // Otherwise the next node would have to wait until it expires.
      await held.release()
      throw cause
    }
  }
  return { store, requests, node, folder, lease }
}

/**
 * Opens a lake for a command that changes a document of it, beside the node that serves.
 *
 * @throws as `openLake`
 */
export async function joinLake(settings: LakeSettings): Promise<Pick<OpenedLake, 'store' | 'node'>> {
  const store = await openObjectStore(settings.address, settings)
  await requireLake(store)
  return { store, node: ownNode() }
}

/**
 * Opens a lake, or a complete copy of a data folder, for a command that only reads it.
 *
 * @throws as `openLake`
 */
export async function readableLake(
  settings: LakeSettings,
): Promise<{ readonly store: ObjectStore; readonly identity: LakeIdentity }> {
  const store = await openObjectStore(settings.address, settings)
  return { store, identity: await requireReadableLake(store) }
}

const ownNode = (): string => `${hostName()}:${processId()}`
