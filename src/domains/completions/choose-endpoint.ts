import type { ProjectReader } from '../access/caller.ts'
import type { Secrets } from '../access/secrets/secrets.ts'
import { customEndpoint, customPrefix } from './custom-endpoint.ts'
import { type Endpoint, plainEndpoint } from './endpoint.ts'
import { checkHeaders } from './extra-headers.ts'
import type { ProviderObjects } from './provider-objects.ts'
import { type KnownProvider, knownProviderOf, unsupportedPrefixes } from './providers.ts'
import { refuseCompletion } from './refusal.ts'

/** The inputs of a request that decide where it goes. */
export interface EndpointChoice {
  readonly model: string
  readonly extra_headers?: Readonly<Record<string, unknown>> | null
  readonly api_version?: unknown
  readonly vertex_credentials?: unknown
}

export interface EndpointDependencies {
  readonly secrets: Secrets
  readonly objects: ProviderObjects
  /** Looks up an environment variable. */
  readonly variable: (name: string) => string | undefined
}

/**
 * The endpoint for the model of a request, with its API key. @throws CompletionRefused naming what
 * is missing
 */
export async function chooseEndpoint(
  reader: ProjectReader,
  inputs: EndpointChoice,
  dependencies: EndpointDependencies,
): Promise<Endpoint> {
  const { api_key: ownKey, ...headers } = (inputs.extra_headers ?? {}) as Record<string, unknown>
  const further = checkHeaders(headers)
  if (inputs.model.startsWith(customPrefix)) {
    const endpoint = await customEndpoint(reader, inputs.model, dependencies)
    return { ...endpoint, headers: { ...endpoint.headers, ...further } }
  }
  const [prefix] = inputs.model.split('/')
  if (unsupportedPrefixes.has(prefix!) || inputs.vertex_credentials != null) {
    refuseCompletion(
      `The provider "${prefix}" is not supported; use an OpenAI-compatible gateway as a custom provider instead`,
    )
  }
  const { provider, model } = knownProviderOf(inputs.model)
  const own = typeof ownKey === 'string' && ownKey !== '' ? ownKey : undefined
  // Variables read from files often end in a line break.
  const key = (own ?? (await dependencies.secrets.findForProvider(reader, provider.secret))?.trim()) || undefined
  if (key === undefined && provider.isKeyOptional !== true) {
    refuseCompletion(
      `No API key for provider "${provider.id}": set the secret with "tracelake secrets set ${provider.secret}"`,
    )
  }
  if (key !== undefined && /[^\t\x20-\x7e]/.test(key)) {
    refuseCompletion(`The API key for provider "${provider.id}" contains characters that are not allowed in a header`)
  }
  const common = { provider: provider.id, model, isTrusted: true, key }
  if (provider.id === 'azure')
    return { ...plainEndpoint, ...common, ...(await azure(reader, model, inputs, dependencies, further)) }
  return {
    ...plainEndpoint,
    ...common,
    baseUrl: baseUrlOf(provider, dependencies),
    headers: further,
    sendsUsageUnasked: provider.sendsUsageUnasked ?? false,
    renamed: provider.renamed ?? {},
  }
}

const baseUrlVariable = (provider: KnownProvider): string => `TRACELAKE_${provider.id.toUpperCase()}_BASE_URL`

function baseUrlOf(provider: KnownProvider, { variable }: EndpointDependencies): string {
  const url = variable(baseUrlVariable(provider)) ?? provider.baseUrl
  if (url === undefined) {
    refuseCompletion(`No base URL for provider "${provider.id}": set ${baseUrlVariable(provider)}`)
  }
  return url.replace(/\/+$/, '')
}

/** Azure has an address per resource, a path per deployment, and its own header for the key. */
async function azure(
  reader: ProjectReader,
  deployment: string,
  inputs: EndpointChoice,
  { secrets }: EndpointDependencies,
  headers: Record<string, string>,
) {
  const base = await secrets.findForProvider(reader, 'AZURE_API_BASE')
  const given = inputs.api_version
  const version = typeof given === 'string' ? given : await secrets.findForProvider(reader, 'AZURE_API_VERSION')
  if (base === undefined) refuseCompletion('No base URL for provider "azure": set AZURE_API_BASE')
  if (version === undefined) refuseCompletion('No API version for provider "azure": set AZURE_API_VERSION')
  return {
    baseUrl: `${base.replace(/\/+$/, '')}/openai/deployments/${encodeURIComponent(deployment)}`,
    keyHeader: 'api-key' as const,
    query: { 'api-version': version },
    headers,
  }
}
