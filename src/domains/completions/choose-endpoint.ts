import { isJsonObject } from '../../lib/json-value.ts'
import { itemAt } from '../../lib/present.ts'
import type { ProjectReader, Secrets } from '../access/index.ts'
import { checkHeaders, customEndpoint, customPrefix, type Endpoint, plainEndpoint } from './endpoint.ts'
import { refuseCompletion } from './provider-error.ts'
import type { ProviderObjects } from './provider-objects.ts'

/** A built-in model provider. */
interface KnownProvider {
  readonly id: string
  /** Provider prefixes of model names, as in `groq/llama-3.3-70b`; they are not sent. */
  readonly prefixes: readonly string[]
  /** Model names that select the provider without a prefix. */
  readonly models?: RegExp
  /** Base URL of its chat completions; undefined if it differs per operator. */
  readonly baseUrl?: string
  /** Name of the secret with its API key. */
  readonly secret: string
  /** The API key is optional. */
  readonly isKeyOptional?: boolean
  /** Rejects `stream_options` and sends usage at the end of a stream anyway. */
  readonly sendsUsageUnasked?: boolean
  /** Request members that have a different name at this provider. */
  readonly renamed?: Readonly<Record<string, string>>
}

/**
 * Built-in providers. All are compatible with OpenAI chat completions. `TRACELAKE_<ID>_BASE_URL`
 * overrides an address.
 */
const knownProviders: readonly KnownProvider[] = [
  {
    id: 'openai',
    prefixes: ['openai'],
    models: /^(?:gpt-|chatgpt-|o\d|ft:|dall-e-|codex-|computer-use-)/,
    baseUrl: 'https://api.openai.com/v1',
    secret: 'OPENAI_API_KEY',
  },
  {
    id: 'anthropic',
    prefixes: ['anthropic'],
    models: /^claude-/,
    baseUrl: 'https://api.anthropic.com/v1',
    secret: 'ANTHROPIC_API_KEY',
  },
  {
    id: 'gemini',
    prefixes: ['gemini', 'google'],
    models: /^(?:gemini-|gemma-)/,
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    secret: 'GEMINI_API_KEY',
  },
  {
    id: 'mistral',
    prefixes: ['mistral'],
    models: /^(?:open-)?(?:mistral|mixtral|ministral|magistral|codestral|devstral|pixtral)-/,
    baseUrl: 'https://api.mistral.ai/v1',
    secret: 'MISTRAL_API_KEY',
    sendsUsageUnasked: true,
    renamed: { seed: 'random_seed', max_completion_tokens: 'max_tokens' },
  },
  { id: 'groq', prefixes: ['groq'], baseUrl: 'https://api.groq.com/openai/v1', secret: 'GROQ_API_KEY' },
  { id: 'xai', prefixes: ['xai'], models: /^grok-/, baseUrl: 'https://api.x.ai/v1', secret: 'XAI_API_KEY' },
  {
    id: 'deepseek',
    prefixes: ['deepseek'],
    models: /^deepseek-/,
    baseUrl: 'https://api.deepseek.com/v1',
    secret: 'DEEPSEEK_API_KEY',
    renamed: { max_completion_tokens: 'max_tokens' },
  },
  {
    id: 'fireworks',
    prefixes: ['fireworks_ai', 'fireworks'],
    models: /^accounts\/fireworks\//,
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    secret: 'FIREWORKS_API_KEY',
  },
  {
    id: 'wandb',
    prefixes: ['wandb', 'coreweave'],
    baseUrl: 'https://api.inference.wandb.ai/v1',
    secret: 'WANDB_API_KEY',
  },
  { id: 'azure', prefixes: ['azure'], secret: 'AZURE_API_KEY' },
  { id: 'ollama', prefixes: ['ollama', 'ollama_chat'], secret: 'OLLAMA_API_KEY', isKeyOptional: true },
  { id: 'vllm', prefixes: ['vllm', 'hosted_vllm'], secret: 'VLLM_API_KEY', isKeyOptional: true },
]

/**
 * Provider for unknown model names: the model may be new, and a gateway in its place accepts any
 * name.
 */
const fallbackProvider: KnownProvider = itemAt(knownProviders, 0)

/** Prefixes of providers without an OpenAI-compatible API. */
const unsupportedPrefixes: ReadonlySet<string> = new Set(['bedrock', 'vertex_ai', 'sagemaker', 'cohere'])

/** The provider selected by a model name, and the provider's name for the model. */
function knownProviderOf(model: string): { provider: KnownProvider; model: string } {
  const slash = model.indexOf('/')
  const prefix = slash < 0 ? '' : model.slice(0, slash)
  const named = knownProviders.find(({ prefixes }) => prefixes.includes(prefix))
  if (named !== undefined) return { provider: named, model: model.slice(slash + 1) }
  return { provider: knownProviders.find(({ models }) => models?.test(model)) ?? fallbackProvider, model }
}

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
 * The endpoint for the model of a request, with its API key. See
 * docs/decisions/039-openai-protocol-for-providers.md.
 *
 * @throws CompletionRefused naming what is missing
 */
export async function chooseEndpoint(
  reader: ProjectReader,
  inputs: EndpointChoice,
  dependencies: EndpointDependencies,
): Promise<Endpoint> {
  const given = inputs.extra_headers
  const { api_key: ownKey, ...headers } = isJsonObject(given) ? given : {}
  const further = checkHeaders(headers)
  if (inputs.model.startsWith(customPrefix)) {
    const endpoint = await customEndpoint(reader, inputs.model, dependencies)
    return { ...endpoint, headers: { ...endpoint.headers, ...further } }
  }
  const prefix = itemAt(inputs.model.split('/'), 0)
  if (unsupportedPrefixes.has(prefix) || inputs.vertex_credentials != null) {
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
