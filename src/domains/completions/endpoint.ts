import { isJsonObject } from '../../lib/json-value.ts'
import { providerLimits } from '../../lib/limits/providers.ts'
import { itemAt } from '../../lib/present.ts'
import type { ProjectReader, Secrets } from '../access/index.ts'
import { refuseCompletion } from './provider-error.ts'
import type { ObjectInUse, ProviderObjects } from './provider-objects.ts'

/** Headers that belong to the connection or unlock cloud metadata services. */
const refused: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'metadata',
  'metadata-flavor',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-aws-ec2-metadata-token',
  'x-aws-ec2-metadata-token-ttl-seconds',
  'x-metadata-token',
])
const nameForm = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

/** Validates headers given in a request or object. @throws CompletionRefused */
export function checkHeaders(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(given).filter(([, value]) => value !== null)
  if (entries.length > providerLimits.extraHeadersMax)
    refuseCompletion(`Too many \`extra_headers\`: at most ${providerLimits.extraHeadersMax} are allowed`)
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const lower = name.toLowerCase()
      if (!nameForm.test(name) || refused.has(lower))
        refuseCompletion(`The header "${name}" must not be sent to a provider`)
      const text = String(value)
      if (/[^\t\x20-\x7e]/.test(text))
        refuseCompletion(`The header "${name}" contains characters that are not allowed in a header`)
      return [lower, text]
    }),
  )
}

/** Where a completion request is sent, and with what. */
export interface Endpoint {
  /** Shown in errors. */
  readonly provider: string
  /** The provider's name for the model. */
  readonly model: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Whether the operator chose the address; otherwise it must not be private. */
  readonly isTrusted: boolean
  /** Undefined if the provider requires none. Plain text: used only in the header. */
  readonly key: string | undefined
  /** Header that carries the key; for `authorization` as a Bearer token. */
  readonly keyHeader: 'authorization' | 'api-key'
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly sendsUsageUnasked: boolean
  readonly renamed: Readonly<Record<string, string>>
}

/** Members shared by most endpoints. */
export const plainEndpoint = {
  keyHeader: 'authorization',
  headers: {},
  query: {},
  sendsUsageUnasked: false,
  renamed: {},
} as const

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
  if (rest.length === 0) return { providerId: itemAt(provider.split('-'), 0), modelId: provider, model: undefined }
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
