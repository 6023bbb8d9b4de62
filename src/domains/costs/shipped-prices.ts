import { calcPrice, findProvider, type ModelPrice } from '@pydantic/genai-prices'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { providerLimits } from '../../lib/limits/providers.ts'
import { queryLimits } from '../../lib/limits/queries.ts'
import type { Price, Rate } from './price-usage.ts'

/**
 * How a model name in usage was matched to a price. `catalog`: by a rule of the shipped price list
 * for this exact name.
 */
export type MatchedBy = 'exact' | 'case' | 'catalog' | 'provider prefix' | 'undated'

/** `openai/gpt-4o` → `openai` and `gpt-4o`; undefined for a name without a prefix. */
function splitProvider(name: string): { provider: string; model: string } | undefined {
  const at = name.search(/[/:]/)
  return at <= 0 || at === name.length - 1
    ? undefined
    : { provider: name.slice(0, at).toLowerCase(), model: name.slice(at + 1) }
}

/**
 * The name without its version date and without the size of its context: `gpt-4o-2024-08-06`,
 * `claude-sonnet-4-20250514`, `claude-sonnet-4@20250514`, `claude-sonnet-4-5[1m]`.
 */
function withoutDate(name: string): string {
  return name.replace(/\[\d+[km]\]$/, '').replace(/(?:[-@:]20\d{2}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01]))$/, '')
}

/** A spelling of a model name; all but the exact one are lower case. */
export interface Spelling {
  readonly key: string
  readonly by: MatchedBy
}

/**
 * Keys under which to look up a project's price for a model, closest first. A price for `gpt-4o`
 * also applies to `openai/gpt-4o` and `gpt-4o-2024-08-06`, unless there is one for that exact name.
 */
export function* spellingsOf(name: string): Generator<Spelling> {
  yield { key: name, by: 'exact' }
  const lower = name.toLowerCase()
  yield { key: lower, by: 'case' }
  const bare = lower.slice(lower.lastIndexOf('/') + 1)
  yield { key: bare, by: 'provider prefix' }
  yield { key: withoutDate(lower), by: 'undated' }
  yield { key: withoutDate(bare), by: 'undated' }
}

/** A price from the list that ships with the server. */
export interface ShippedPrice {
  readonly price: Price
  readonly providerId: string
  /** `provider/model` as in the list. */
  readonly llmId: string
  readonly by: MatchedBy
  /** `YYYY-MM-DD`; undefined if the list has no date. */
  readonly effectiveDate: string | undefined
}

interface Match {
  readonly model: string
  readonly providerId: string | undefined
  readonly by: MatchedBy
  /**
   * The price if it is constant over time: querying the list takes several times as long as
   * everything else.
   */
  readonly always?: ShippedPrice | undefined
}

/**
 * The shipped price of a model at a time, from `@pydantic/genai-prices` (its list is part of the
 * package; nothing is downloaded). Matches common spellings: with a provider prefix
 * (`openai/gpt-4o`, `azure/…`, `bedrock/…`), in any case, with a date.
 */
export function findShippedPrice(llmId: string, atMs: number): ShippedPrice | undefined {
  const match = matchOf(llmId)
  return match && (match.always ?? priceAt(match, atMs))
}

/**
 * Whether the shipped price of a model (or its absence) is constant from `fromMs` to `toMs`; false
 * if unknown.
 */
export function isShippedPriceSteady(llmId: string, fromMs: number, toMs: number): boolean {
  const match = matchOf(llmId)
  if (match === undefined || match.always !== undefined) return true
  const [from, to] = [lookUp(match, new Date(fromMs)), lookUp(match, new Date(toMs))]
  const prices = from?.model.prices
  if (!Array.isArray(prices)) return true
  // A price with a start date is always valid until the next one starts.
  return prices.every(({ constraint }) => constraint?.type !== 'time_of_date') && from?.model_price === to?.model_price
}

/**
 * Times from `from` through `to` at which the shipped price of a model may change. All in
 * microseconds.
 */
export function shippedPriceChanges(llmId: string, from: number, to: number): number[] {
  const match = matchOf(llmId)
  if (match === undefined || match.always !== undefined) return []
  const prices = lookUp(match, new Date(to / 1000))?.model.prices
  if (!Array.isArray(prices)) return []
  return prices.flatMap(({ constraint }) => {
    if (constraint?.type === 'start_date') return [Date.parse(constraint.start_date) * 1000]
    if (constraint?.type !== 'time_of_date') return []
    return [constraint.start_time, constraint.end_time].flatMap((time) => everyDayAt(time, from, to))
  })
}

/** The moments of a time of day (`16:30:00Z`), as many as prices of a query may have. */
function everyDayAt(time: string, from: number, to: number): number[] {
  const dayMicros = 86_400_000_000
  const first = Date.parse(`${new Date(from / 1000).toISOString().slice(0, 10)}T${time}`) * 1000
  const days = Math.min(queryLimits.queryRatesMax, Math.ceil((to - first) / dayMicros) + 1)
  return Array.from({ length: Math.max(0, days) }, (_, day) => first + day * dayMicros)
}

function priceAt(match: Match, atMs: number): ShippedPrice | undefined {
  const found = lookUp(match, new Date(atMs))
  if (found === null) return undefined
  const { model, model_price: prices, provider } = found
  const price = priceOf(prices)
  if (price === undefined) return undefined
  const conditional = Array.isArray(model.prices) ? model.prices.find((one) => one.prices === prices) : undefined
  const { constraint } = conditional ?? {}
  return {
    price,
    providerId: provider.id,
    llmId: `${provider.id}/${model.id}`,
    by: match.by,
    effectiveDate: constraint?.type === 'start_date' ? constraint.start_date : undefined,
  }
}

/** Provider prefixes that the rules of the list do not recognize. */
const providerAliases: Readonly<Record<string, string>> = {
  azure_ai: 'azure',
  azure_openai: 'azure',
  'azure-openai': 'azure',
  fireworks_ai: 'fireworks',
  bedrock_converse: 'aws',
  litellm_proxy: 'litellm',
}

/**
 * Makers whose models are often named without a provider and not recognized by the rules of the
 * list.
 */
const makers = ['openai', 'anthropic', 'google', 'mistral', 'cohere'] as const

/** Names repeat from call to call. Null for models without a price. */
const matches = new BoundedMap<string, Match | null>(providerLimits.knownModelsMax)

function matchOf(llmId: string): Match | undefined {
  const known = matches.get(llmId)
  if (known !== undefined) return known ?? undefined
  const candidate = candidatesOf(llmId).find((one) => lookUp(one, new Date()) !== null)
  const match = candidate && { ...candidate, always: constantPrice(candidate) }
  if (llmId.length <= providerLimits.llmIdCharsMax) matches.set(llmId, match ?? null)
  return match
}

function constantPrice(match: Match): ShippedPrice | undefined {
  const isConstant = !Array.isArray(lookUp(match, new Date())?.model.prices)
  return isConstant ? priceAt(match, 0) : undefined
}

function candidatesOf(llmId: string): Match[] {
  const named = candidatesFor(llmId.trim(), 'catalog', 'provider prefix')
  const undated = withoutDate(llmId.trim())
  return undated === llmId.trim() ? named : [...named, ...candidatesFor(undated, 'undated', 'undated')]
}

function candidatesFor(name: string, asIs: MatchedBy, prefixed: MatchedBy): Match[] {
  const split = splitProvider(name)
  const whole: Match = { model: name, providerId: undefined, by: asIs }
  if (split === undefined) {
    // AWS names models like `us.anthropic.claude-…`.
    const others = /^[a-z0-9-]+\.[a-z]/i.test(name) ? ['aws'] : makers
    return [whole, ...others.map((providerId) => ({ model: name, providerId, by: asIs }))]
  }
  const providerId = providerAliases[split.provider] ?? split.provider
  const candidates = [whole]
  if (providerId === 'litellm') candidates.push(...candidatesFor(split.model, prefixed, prefixed))
  else if (findProvider({ providerId })) candidates.push({ model: split.model, providerId, by: prefixed })
  // A colon may be part of a version (`anthropic.claude-…-v1:0`).
  if (!name.includes('/')) candidates.push({ model: name, providerId: 'aws', by: asIs })
  return candidates
}

const noTokens = { input_tokens: 0, output_tokens: 0 }

const lookUp = ({ model, providerId }: Match, timestamp: Date) =>
  calcPrice(noTokens, model, providerId === undefined ? { timestamp } : { providerId, timestamp })

const prices = new WeakMap<ModelPrice, Price>()

/**
 * Prices per token; undefined if the model is not billed by token. Kinds of tokens without a price
 * cost as much as plain input.
 */
export function priceOf(listed: ModelPrice): Price | undefined {
  const known = prices.get(listed)
  if (known !== undefined) return known
  const input = rateOf(listed['input_mtok'])
  const output = rateOf(listed['output_mtok'])
  if (input === undefined && output === undefined) return undefined
  const prompt = input ?? 0
  const cacheCreation = rateOf(listed['cache_write_mtok']) ?? prompt
  const price: Price = {
    prompt,
    completion: output ?? 0,
    cacheRead: rateOf(listed['cache_read_mtok']) ?? prompt,
    cacheCreation,
    cacheCreationLong: rateOf(listed['cache_write_1h_mtok']) ?? cacheCreation,
  }
  prices.set(listed, price)
  return price
}

/** The list gives prices per million tokens. */
function rateOf(listed: ModelPrice[string]): Rate | undefined {
  if (listed === undefined || typeof listed === 'number') return listed === undefined ? undefined : listed / 1e6
  const tiers = listed.tiers.map(({ start, price }) => ({ above: start, price: price / 1e6 }))
  return { base: listed.base / 1e6, tiers: tiers.sort((a, b) => a.above - b.above) }
}
