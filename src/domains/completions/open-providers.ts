import type { Dialect } from '../../formats/dialect/dialect.ts'
import type { Config } from '../../runtime/config/configuration.ts'
import { systemOutboundHttp } from '../../runtime/http/outbound-http.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { type SecretStore, Secrets } from '../access/index.ts'
import type { CallWriter } from '../calls/index.ts'
import type { Files } from '../files/index.ts'
import type { Objects } from '../objects/index.ts'
import { Completions } from './completions.ts'
import { Images } from './images/images.ts'
import { InFlight } from './in-flight.ts'
import { ProviderClient } from './provider-client.ts'
import { liveObjects } from './provider-objects.ts'

/**
 * Services that contact model providers. Their owner calls `stop` while calls can still be written.
 */
export interface Providers {
  readonly completions: Completions
  readonly images: Images
  /** Aborts requests in progress and waits until their calls have ended. */
  stop(): Promise<void>
}

export function openProviders(options: {
  config: Config
  secretStore: SecretStore
  dialect: Dialect
  log: Log
  clock: Clock
  calls: CallWriter
  objects: Objects
  files: Files
}): Providers {
  const { config, secretStore, dialect, log, clock, calls, objects, files } = options
  const inFlight = new InFlight()
  const common = {
    secrets: new Secrets({ store: secretStore, variable: config.variable, log }),
    objects: liveObjects(objects),
    variable: config.variable,
    client: new ProviderClient({ privateHosts: config.privateHosts, outgoing: systemOutboundHttp }),
    inFlight,
    calls,
    clock,
  }
  return {
    completions: new Completions({ ...common, opName: dialect.opName('completions_create') }),
    images: new Images({
      ...common,
      contents: { files, dialect },
      opName: dialect.opName('image_generation_create'),
    }),
    stop: () => inFlight.stop(),
  }
}
