import type { Config } from './config/configuration.ts'
import { type Dialect, dialects } from './dialect/dialect.ts'
import { openSelfTracing, type SelfTracing } from './foundation/metrics/self-tracing.ts'
import type { Log } from './log.ts'
import { openStore } from './open-store.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { startBlobSweep } from './records/files/blob-sweep.ts'
import { startKeySweep } from './records/idempotency/key-sweep.ts'
import { openServices, type Services } from './services.ts'
import type { Store } from './store/store.ts'

/** Everything a running server owns. */
export interface Context {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly store: Store
  readonly services: Services
  /** The same services, answering in the names of another dialect. */
  readonly inNames: (dialect: Dialect) => Services
  /** What clients are answered in. */
  readonly dialect: Dialect
  readonly selfTracing: SelfTracing | undefined
  /** Releases everything in reverse order of opening. Call it once. */
  close(): Promise<void>
}

/**
 * Opens the data folder and wires up all services.
 *
 * @throws DataFolderInUse if another process has the folder open
 */
export async function openContext(config: Config, log: Log, clock: Clock = systemClock): Promise<Context> {
  const store = await openStore(config, log, clock)
  try {
    const dialect = dialects[config.dialect]
    const { services, inNames, jobs, providers } = await openServices({ config, log, clock, store, dialect })
    const selfTracing = config.otlpEndpoint === undefined ? undefined : await openSelfTracing(config.otlpEndpoint, log)
    const blobSweep = startBlobSweep(services.files, clock, log)
    const keySweep = startKeySweep(services.idempotency, log)
    await services.erasures.resume()
    await jobs.resume()
    await services.rules.resume()
    services.erasures.start()
    const close = async () => {
      await services.expiry.stop()
      services.erasures.start()
      await jobs.stop()
      await providers.stop()
      await services.rules.stop()
      services.live.close()
      await services.intake.close()
      await blobSweep.stop()
      await keySweep.stop()
      await services.access.close()
      await services.audit.close()
      await store.close()
      await selfTracing?.stop()
    }
    return { config, log, clock, store, services, inNames, dialect, selfTracing, close }
  } catch (cause) {
    await store.close()
    throw cause
  }
}
