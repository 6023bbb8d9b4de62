import { isJsonObject } from '../../lib/json-value.ts'
import type { ProjectReader, Secrets } from '../access/index.ts'
import { type Endpoint, plainEndpoint } from './endpoint.ts'
import { checkHeaders } from './extra-headers.ts'
import type { ObjectInUse, ProviderObjects } from './provider-objects.ts'
import { refuseCompletion } from './refusal.ts'

export const customPrefix = 'custom::'

/** The object id of a provider or model: characters not allowed in an id become `_`. */
export const objectIdPart = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_')

/**
 * Resolves `custom::<provider>::<model>` to its two objects, and `custom::<object id>` to a model
 * object directly.
 *
 * @throws CompletionRefused
 */
export async function customEndpoint(
  reader: ProjectReader,
  model: string,
  { objects, secrets }: { objects: ProviderObjects; secrets: Secrets },
): Promise<Endpoint> {
  const names = namesIn(model)
  const modelObject = await objects.find(reader, names.modelId, 'latest')
  if (modelObject === undefined)
    refuseCompletion(`Unknown model "${model}": the object "${names.modelId}" does not exist`)
  const modelVal = contentOf(modelObject, 'ProviderModel', names.modelId)
  // The model refers to a version of its provider; older servers may have stored a name instead.
  const provider =
    (await objects.find(reader, names.providerId, String(modelVal['provider']))) ??
    (await objects.find(reader, names.providerId, 'latest'))
  if (provider === undefined)
    refuseCompletion(`Unknown provider of model "${model}": the object "${names.providerId}" does not exist`)
  const val = contentOf(provider, 'Provider', names.providerId)
  const baseUrl = String(val['base_url']).replace(/\/+$/, '')
  return {
    ...plainEndpoint,
    provider: names.providerId,
    model: names.model ?? String(modelVal['name'] ?? names.modelId.slice(names.providerId.length + 1)),
    baseUrl,
    isTrusted: false,
    key: await keyFor(reader, val['api_key_name'], baseUrl, secrets),
    headers: isJsonObject(val['extra_headers']) ? checkHeaders(val['extra_headers']) : {},
  }
}

function namesIn(text: string): { providerId: string; modelId: string; model: string | undefined } {
  const [provider = '', ...rest] = text.slice(customPrefix.length).split('::')
  if (rest.length === 0) return { providerId: provider.split('-')[0]!, modelId: provider, model: undefined }
  const model = rest.join('::')
  const providerId = objectIdPart(provider)
  return { providerId, modelId: `${providerId}-${objectIdPart(model)}`, model }
}

function contentOf({ val, baseClass }: ObjectInUse, wanted: string, objectId: string): Record<string, unknown> {
  if (baseClass !== wanted || !isJsonObject(val)) {
    refuseCompletion(`The object "${objectId}" is not a ${wanted}`)
  }
  return val
}

/**
 * The API key of a custom provider. Anyone who can write objects chooses name and address, but the
 * operator decides which host may see which secret.
 */
async function keyFor(
  reader: ProjectReader,
  name: unknown,
  baseUrl: string,
  secrets: Secrets,
): Promise<string | undefined> {
  if (typeof name !== 'string' || name === '') return undefined
  const secret = await secrets.find(reader, name)
  if (secret === undefined) {
    refuseCompletion(`The secret ${name} is not set; set it with "tracelake secrets set ${name} --host …"`)
  }
  const { host, hostname } = parse(baseUrl)
  if (!secret.hosts.includes(host) && !secret.hosts.includes(hostname)) {
    refuseCompletion(
      `The secret ${name} may not be sent to "${host}"; allow it with "tracelake secrets set ${name} --host ${host}"`,
    )
  }
  return secret.value
}

function parse(baseUrl: string): URL {
  try {
    return new URL(baseUrl)
  } catch {
    return refuseCompletion(`Invalid base URL "${baseUrl}" of the provider`)
  }
}
