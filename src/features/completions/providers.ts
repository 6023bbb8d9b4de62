/** A provider of models that the server knows by itself. */
export interface KnownProvider {
  readonly id: string
  /** What people write before the name of a model, as in `groq/llama-3.3-70b`; it is not sent. */
  readonly prefixes: readonly string[]
  /** Names of models that lead to the provider without a prefix. */
  readonly models?: RegExp
  /** Base URL of its chat completions; undefined where every operator has their own. */
  readonly baseUrl?: string
  /** Name of the secret with its key. */
  readonly secret: string
  /** It works without a key too. */
  readonly isKeyOptional?: boolean
  /** It refuses `stream_options`, and sends usage at the end of a stream unasked. */
  readonly sendsUsageUnasked?: boolean
  /** Members of a request that it calls something else. */
  readonly renamed?: Readonly<Record<string, string>>
}

/**
 * The table from models to providers. All of them speak OpenAI's chat completions, some beside a language of their own. An address can
 * be replaced with `TRACELAKE_<ID>_BASE_URL`.
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

/** Where a model leads whose name nothing else knows: it may be new there, and a gateway in its place takes any name. */
const fallbackProvider: KnownProvider = knownProviders[0]!

/** Prefixes of providers that speak no such language. */
export const unsupportedPrefixes: ReadonlySet<string> = new Set(['bedrock', 'vertex_ai', 'sagemaker', 'cohere'])

/** The provider that a model names or leads to, and what the provider calls the model. */
export function knownProviderOf(model: string): { provider: KnownProvider; model: string } {
  const slash = model.indexOf('/')
  const prefix = slash < 0 ? '' : model.slice(0, slash)
  const named = knownProviders.find(({ prefixes }) => prefixes.includes(prefix))
  if (named !== undefined) return { provider: named, model: model.slice(slash + 1) }
  return { provider: knownProviders.find(({ models }) => models?.test(model)) ?? fallbackProvider, model }
}
