import { startBlobSweep } from '../domains/files/index.ts'
import { startKeySweep } from '../domains/requests/index.ts'
import type { LakeOptions } from '../engine/lake-parts.ts'
import type { Store } from '../engine/store.ts'
import { type Dialect, dialects } from '../formats/dialect/dialect.ts'
import type { Config } from '../runtime/config/configuration.ts'
import type { Log } from '../runtime/log.ts'
import { type Clock, systemClock } from '../runtime/platform/clock.ts'
import type { LakeCounts } from './metrics/lake-metrics.ts'
import { openSelfTracing, type SelfTracing } from './metrics/self-tracing.ts'
import { openStore } from './open-store.ts'
import { OpenedParts } from './opened-parts.ts'
import { openServices, type Services } from './services.ts'

/** Where the data of a node is, and what the node counts. */
export interface LakeOfNode extends LakeOptions {
  readonly counts?: Omit<LakeCounts, 'cache'>
}

/** Everything a running server owns. */
export interface Context {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly store: Store
  readonly services: Services
  /** The same services, answering in the names of another dialect. */
  readonly inNames: (dialect: Dialect) => Services
  /** The dialect of responses. */
  readonly dialect: Dialect
  readonly selfTracing: SelfTracing | undefined
  /**
   * Lets another node of the lake take over: ends all that writes, and keeps what is not in files
   * in the log. Call `close` then.
   */
  handOver(): Promise<void>
  /** Releases everything in reverse order of opening. Call it once. */
  close(): Promise<void>
}

/**
 * Opens the data folder and wires up all services. A start that fails closes everything that it has
 * opened.
 *
 * @param lake where the data is, if the folder is only a cache
 * @throws DataFolderInUse if another process has the folder open
 */
export async function openContext(
  config: Config,
  log: Log,
  clock: Clock = systemClock,
  lake?: LakeOfNode,
): Promise<Context> {
  const opened = new OpenedParts()
  try {
    return await openParts(config, log, { clock, opened, lake })
  } catch (cause) {
    await opened.close().catch((err: unknown) => log.error({ err }, 'cannot close what a failed start has opened'))
    throw cause
  }
}

async function openParts(
  config: Config,
  log: Log,
  { clock, opened, lake }: { clock: Clock; opened: OpenedParts; lake: LakeOfNode | undefined },
): Promise<Context> {
  const store = await openStore(config, log, clock, lake)
  opened.add('store', () => store.close())
  const cache = store.lake?.cache
  const dialect = dialects[config.dialect]
  const { services, inNames, jobs } = await openServices({
    config,
    log,
    clock,
    store,
    lake: lake && cache && { ...lake, cache, counts: lake.counts && { ...lake.counts, cache: () => cache.counts } },
    dialect,
    opened,
  })
  const selfTracing = config.otlpEndpoint === undefined ? undefined : await openSelfTracing(config.otlpEndpoint, log)
  if (selfTracing !== undefined) opened.add('selfTracing', () => selfTracing.stop())
  const blobSweep = startBlobSweep(services.files, clock, log)
  opened.add('blobSweep', () => blobSweep.stop())
  const keySweep = startKeySweep(services.idempotency, log)
  opened.add('keySweep', () => keySweep.stop())
  await services.erasures.resume()
  await jobs.resume()
  await services.rules.resume()
  services.erasures.start()
  const handOver = async () => {
    try {
      await opened.closeWhatWrites()
    } finally {
      await store.handOver()
    }
  }
  const close = () => opened.close()
  return { config, log, clock, store, services, inNames, dialect, selfTracing, handOver, close }
}
