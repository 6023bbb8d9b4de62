import type { Config } from '../../config.ts'
import { vocabularies } from '../../dialect/names.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../platform/clock.ts'
import { resolveHost } from '../../platform/outgoing.ts'
import type { CallWriter } from '../calls/write-calls.ts'
import type { Objects } from '../objects/objects.ts'
import { SecretStore } from '../secrets/secret-store.ts'
import { Secrets } from '../secrets/secrets.ts'
import { Completions } from './completions.ts'
import { ProviderClient } from './provider-client.ts'
import { liveObjects } from './provider-objects.ts'

/** Puts together what asks models of providers. Its owner calls `stop` before calls can no longer be written. */
export function openCompletions(options: {
  config: Config
  log: Log
  clock: Clock
  calls: CallWriter
  objects: Objects
}): Completions {
  const { config, log, clock, calls, objects } = options
  const store = new SecretStore({ dataFolder: config.data, keyFile: config.secretsKeyFile, clock })
  return new Completions({
    secrets: new Secrets({ store, variable: config.variable, log }),
    objects: liveObjects(objects),
    variable: config.variable,
    client: new ProviderClient({ privateHosts: config.privateHosts, resolve: resolveHost }),
    calls,
    clock,
    opName: `${vocabularies[config.dialect].opPrefix}.completions_create`,
  })
}
