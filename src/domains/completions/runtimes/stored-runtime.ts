import { isJsonObject } from '../../../lib/json-value.ts'
import type { ObjectVersion } from '../../objects/index.ts'
import { customPrefix, objectIdPart } from '../endpoint.ts'
import type { Runtime } from '../model/inference.ts'

/** Tokens of an answer where a runtime states no limit. */
export const maxTokensDefault = 4096

export type RuntimeModel = Runtime['runtime_ids'][number]

/** A runtime, and the objects that it is made of. */
export interface StoredRuntime {
  readonly runtime: Runtime
  readonly providerId: string
  readonly modelIds: readonly string[]
}

/**
 * A runtime as its objects describe it; none if the provider has no address. Clients may store
 * objects under ids that do not follow from the names: those are named by the ids. See
 * docs/decisions/260-lists-for-settings.md.
 */
export function storedRuntime({ object_id, val }: ObjectVersion, models: readonly ObjectVersion[]): StoredRuntime[] {
  if (!isJsonObject(val) || typeof val['base_url'] !== 'string') return []
  const { name: given, api_key_name: secret, extra_headers: headers } = val
  const name = typeof given === 'string' && objectIdPart(given) === object_id ? given : object_id
  const runtime = {
    name,
    base_url: val['base_url'],
    api_key_secret: typeof secret === 'string' && secret !== '' ? secret : null,
    headers: isJsonObject(headers)
      ? Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)]))
      : {},
    runtime_ids: models.map((model) => storedModel(name, object_id, model)).sort((a, b) => (a.id < b.id ? -1 : 1)),
  }
  return [{ runtime, providerId: object_id, modelIds: models.map((model) => model.object_id) }]
}

function storedModel(name: string, providerId: string, { object_id, val }: ObjectVersion): RuntimeModel {
  const { name: given, max_tokens } = isJsonObject(val) ? val : {}
  const id = typeof given === 'string' ? given : object_id
  const isNamed = object_id === `${providerId}-${objectIdPart(id)}`
  return {
    id,
    max_tokens: typeof max_tokens === 'number' ? max_tokens : maxTokensDefault,
    playground_id: `${customPrefix}${isNamed ? `${name}::${id}` : object_id}`,
  }
}
