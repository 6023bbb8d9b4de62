import { statedCost } from '../../lib/count-tokens.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { formatTime } from '../../lib/time.ts'
import { version } from '../../lib/version.ts'
import { digestOfBytes } from '../../runtime/digest.ts'
import { type CostStatistics, type Price, type PriceSpan, priceUsage, withTotal } from './price-usage.ts'
import {
  findShippedPrice,
  isShippedPriceSteady,
  type MatchedBy,
  type Spelling,
  shippedPriceChanges,
  spellingsOf,
} from './shipped-prices.ts'

/** A price set in a project, per token. */
export interface ProjectPrice {
  readonly llmId: string
  readonly providerId: string
  /** Microseconds since 1970 UTC. */
  readonly effectiveAt: number
  readonly promptTokenCost: number
  readonly completionTokenCost: number
  readonly cacheReadInputTokenCost: number
  readonly cacheCreationInputTokenCost: number
  readonly promptTokenCostUnit: string
  readonly completionTokenCostUnit: string
  readonly createdBy: string | null
  readonly createdAt: number
}

/** Cost of one model in one call, with the price used. */
export interface CostEntry extends CostStatistics {
  readonly prompt_token_cost_unit: string
  readonly completion_token_cost_unit: string
  readonly effective_date: string | null
  readonly provider_id: string
  readonly pricing_level: 'project' | 'default'
  readonly pricing_level_id: string
  readonly created_by: string | null
  readonly created_at: string | null
  /** Model name of the price, and how it was matched. */
  readonly matched_llm_id: string
  readonly matched_by: MatchedBy
}

/** A price set in a project, and how it was matched. */
interface FoundPrice {
  readonly price: ProjectPrice
  readonly by: MatchedBy
}

type Origin = Omit<CostEntry, keyof CostStatistics>

/**
 * All prices that apply to the calls of one project: its own, then the shipped ones. See
 * docs/decisions/020-prices.md.
 */
export class PriceBook {
  /** The same for the same prices. */
  readonly stamp: string
  private readonly projectId: string
  private readonly byName = new Map<string, ProjectPrice[]>()
  private readonly byLowerName = new Map<string, ProjectPrice[]>()

  constructor(projectId: string, projectPrices: readonly ProjectPrice[]) {
    this.projectId = projectId
    this.stamp = digestOfBytes(`${version} ${JSON.stringify(projectPrices)}`)
    for (const price of projectPrices) {
      addTo(this.byName, price.llmId, price)
      addTo(this.byLowerName, price.llmId.toLowerCase(), price)
    }
  }

  /**
   * Costs of a call, by the models in its `summary.usage`.
   *
   * @param startedAt microseconds since 1970 UTC
   * @returns undefined without usage, or if none of its models has a price
   */
  costsOf(usage: unknown, startedAt: number): Record<string, CostEntry> | undefined {
    if (!isJsonObject(usage)) return undefined
    const entries: [string, CostEntry][] = []
    for (const [llmId, figures] of Object.entries(usage)) {
      const entry = this.entryOf(llmId, figures, startedAt)
      if (entry !== undefined) entries.push([llmId, entry])
    }
    // Not by assignment: a model may be named "__proto__".
    return entries.length === 0 ? undefined : Object.fromEntries(entries)
  }

  /** Cost of one model's usage; undefined without a price. */
  entryOf(llmId: string, usage: unknown, startedAt: number): CostEntry | undefined {
    if (!isJsonObject(usage)) return undefined
    const found = this.findPrice(llmId, startedAt)
    const stated = statedCost(usage)
    if (stated === undefined) return found && { ...priceUsage(usage, found.price), ...found.origin }
    const { price, origin } = found ?? withoutPrice(llmId)
    return { ...withTotal(priceUsage(usage, price), stated), ...origin }
  }

  /** Total cost of a usage (JSON text); undefined if none of its models has a price. */
  totalCost(usage: string | null, startedAt: number): number | undefined {
    if (usage === null || usage === '{}') return undefined
    const costs = this.costsOf(JSON.parse(usage), startedAt)
    return costs && Object.values(costs).reduce((sum, entry) => sum + totalOf(entry), 0)
  }

  /** Cost of one model in a usage (JSON text); undefined if the model has no usage or no price. */
  modelCost(usage: string | null, model: string, startedAt: number): number | undefined {
    const byModel: unknown = usage === null ? undefined : JSON.parse(usage)
    const entry = isJsonObject(byModel) ? this.entryOf(model, byModel[model], startedAt) : undefined
    return entry && totalOf(entry)
  }

  /** Whether calls of a model that started then (microseconds) have a price. */
  hasPrice(llmId: string, startedAt: number): boolean {
    return this.findPrice(llmId, startedAt) !== undefined
  }

  /**
   * The price of a model that is constant from `from` through `to` (microseconds): null if there is
   * none in that time, undefined if it changes or may change.
   */
  priceThroughout(llmId: string, from: number, to: number): Price | null | undefined {
    const own = spellingsOf(llmId).flatMap((spelling) => this.pricesOf(spelling))
    if (own.some(({ effectiveAt }) => effectiveAt > from && effectiveAt <= to)) return undefined
    if (!isShippedPriceSteady(llmId, from / 1000, to / 1000)) return undefined
    return this.findPrice(llmId, from)?.price ?? null
  }

  /** The prices of a model for calls that start from `from` through `to` (microseconds). */
  pricesBetween(llmId: string, from: number, to: number): PriceSpan[] {
    const own = spellingsOf(llmId).flatMap((spelling) => this.pricesOf(spelling))
    const changes = [...own.map(({ effectiveAt }) => effectiveAt), ...shippedPriceChanges(llmId, from, to)]
    const starts = [...new Set([from, ...changes.filter((at) => at > from && at <= to)])].sort((a, b) => a - b)
    return starts.map((start, index) => ({
      from: start,
      until: starts[index + 1] ?? to + 1,
      price: this.findPrice(llmId, start)?.price ?? null,
    }))
  }

  /** An effective price of the project, else a shipped one, else a future price of the project. */
  private findPrice(llmId: string, startedAt: number): { price: Price; origin: Origin } | undefined {
    const own = this.findProjectPrice(llmId, startedAt)
    if (own !== undefined && own.price.effectiveAt <= startedAt) return this.ofProject(own)
    const shipped = ofShipped(llmId, startedAt)
    return shipped ?? (own && this.ofProject(own))
  }

  /** By the closest spelling with an effective price, else by the closest with any price. */
  private findProjectPrice(llmId: string, startedAt: number): FoundPrice | undefined {
    if (this.byName.size === 0) return undefined
    let later: FoundPrice | undefined
    for (const spelling of spellingsOf(llmId)) {
      const prices = this.pricesOf(spelling)
      if (prices.length === 0) continue
      const price = prices.reduce((best, other) => (isBetter(other, best, startedAt) ? other : best))
      if (price.effectiveAt <= startedAt) return { price, by: spelling.by }
      later ??= { price, by: spelling.by }
    }
    return later
  }

  private pricesOf({ key, by }: Spelling): readonly ProjectPrice[] {
    return (by === 'exact' ? this.byName : this.byLowerName).get(key) ?? []
  }

  private ofProject({ price, by }: FoundPrice): { price: Price; origin: Origin } {
    return {
      price: {
        prompt: price.promptTokenCost,
        completion: price.completionTokenCost,
        cacheRead: price.cacheReadInputTokenCost,
        cacheCreation: price.cacheCreationInputTokenCost,
        cacheCreationLong: price.cacheCreationInputTokenCost,
      },
      origin: {
        prompt_token_cost_unit: price.promptTokenCostUnit,
        completion_token_cost_unit: price.completionTokenCostUnit,
        effective_date: formatTime(price.effectiveAt),
        provider_id: price.providerId,
        pricing_level: 'project',
        pricing_level_id: this.projectId,
        created_by: price.createdBy,
        created_at: formatTime(price.createdAt),
        matched_llm_id: price.llmId,
        matched_by: by,
      },
    }
  }
}

function addTo(prices: Map<string, ProjectPrice[]>, key: string, price: ProjectPrice): void {
  const known = prices.get(key)
  if (known) known.push(price)
  else prices.set(key, [price])
}

/** Effective prices before future ones, then the newest; with equal dates, the one set last. */
function isBetter(a: ProjectPrice, b: ProjectPrice, startedAt: number): boolean {
  const inForce = (price: ProjectPrice) => price.effectiveAt <= startedAt
  if (inForce(a) !== inForce(b)) return inForce(a)
  return a.effectiveAt === b.effectiveAt ? a.createdAt >= b.createdAt : a.effectiveAt > b.effectiveAt
}

/** Price of a model without one, for usage that states its cost. */
const withoutPrice = (llmId: string): { price: Price; origin: Origin } => ({
  price: { prompt: 0, completion: 0, cacheRead: 0, cacheCreation: 0, cacheCreationLong: 0 },
  origin: {
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    effective_date: null,
    provider_id: 'default',
    pricing_level: 'default',
    pricing_level_id: 'default',
    created_by: null,
    created_at: null,
    matched_llm_id: llmId,
    matched_by: 'exact',
  },
})

function ofShipped(llmId: string, startedAt: number): { price: Price; origin: Origin } | undefined {
  const shipped = findShippedPrice(llmId, startedAt / 1000)
  if (shipped === undefined) return undefined
  return {
    price: shipped.price,
    origin: {
      prompt_token_cost_unit: 'USD',
      completion_token_cost_unit: 'USD',
      effective_date: shipped.effectiveDate === undefined ? null : `${shipped.effectiveDate}T00:00:00Z`,
      provider_id: shipped.providerId,
      pricing_level: 'default',
      pricing_level_id: 'default',
      created_by: 'system',
      created_at: null,
      matched_llm_id: shipped.llmId,
      matched_by: shipped.by,
    },
  }
}

/** Total cost of a cost entry. */
const totalOf = (entry: CostEntry): number =>
  entry.prompt_tokens_total_cost +
  entry.completion_tokens_total_cost +
  entry.cache_read_input_tokens_total_cost +
  entry.cache_creation_input_tokens_total_cost
