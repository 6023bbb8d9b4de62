/** A built-in model provider. */
export interface KnownProvider {
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
const fallbackProvider: KnownProvider = knownProviders[0]!

/** Prefixes of providers without an OpenAI-compatible API. */
export const unsupportedPrefixes: ReadonlySet<string> = new Set(['bedrock', 'vertex_ai', 'sagemaker', 'cohere'])

/** The provider selected by a model name, and the provider's name for the model. */
export function knownProviderOf(model: string): { provider: KnownProvider; model: string } {
  const slash = model.indexOf('/')
  const prefix = slash < 0 ? '' : model.slice(0, slash)
  const named = knownProviders.find(({ prefixes }) => prefixes.includes(prefix))
  if (named !== undefined) return { provider: named, model: model.slice(slash + 1) }
  return { provider: knownProviders.find(({ models }) => models?.test(model)) ?? fallbackProvider, model }
}
