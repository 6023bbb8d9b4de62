import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { checkTime } from '../../engine/tables/call-members.ts'
import { costsTable } from '../../engine/tables/costs-table.ts'
import type { RecordsRequest } from '../../formats/schemas/records-request.ts'
import { DomainError, quoted, tooMany } from '../../lib/errors.ts'
import { providerLimits } from '../../lib/limits/providers.ts'
import { itemAt, keysOf } from '../../lib/present.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import { Records } from '../records/index.ts'
import { type BuiltinPrices, type CostCreateInput, CostQueryOutput } from './model/costs.ts'
import type { PriceBook, ProjectPrice } from './price-book.ts'

/** Members returned by default. */
const required: readonly string[] = CostQueryOutput.required ?? []
const usual = keysOf(CostQueryOutput.properties).filter((name) => required.includes(name))

/** Model prices set in projects, and costs of calls. */
export class Costs {
  private readonly clock: Clock
  private readonly store: Store
  private readonly records: Records<typeof costsTable.specs>

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.clock = clock
    this.store = store
    this.records = new Records({ store, clock, table: costsTable, usual })
  }

  /**
   * Adds prices without overwriting any. Returns id and model of each, in the order of the request.
   * @throws DomainError InvalidRequest
   */
  async create(writer: ProjectWriter, costs: Readonly<Record<string, CostCreateInput>>): Promise<[string, string][]> {
    const entries = Object.entries(costs)
    if (entries.length > providerLimits.pricesPerRequestMax) {
      throw new DomainError(
        'InvalidRequest',
        tooMany('prices', entries.length, providerLimits.pricesPerRequestMax, ' per request'),
      )
    }
    for (const [llmId] of entries) checkLlmId(llmId)
    const ids = await this.records.create(
      writer,
      entries.map(([llmId, cost]) => this.price(writer, llmId, cost)),
    )
    return entries.map(([llmId], index) => [itemAt(ids, index), llmId])
  }

  /**
   * Prices of the project, without shipped ones: JSON texts of `CostQueryOutput` in batches.
   *
   * @throws DomainError InvalidField, InvalidRequest; ValidationError
   */
  query(reader: ProjectReader, request: RecordsRequest, signal: AbortSignal): AsyncGenerator<string[]> {
    return this.records.query(reader, request, signal)
  }

  /** Models of the list that ships with the server, and how many match the search. */
  async queryShipped(
    _reader: ProjectReader,
    { search, limit, offset }: { search: string; limit: number; offset: number },
  ): Promise<BuiltinPrices> {
    // The list is large, so it is loaded on first use.
    const { searchShippedPrices } = await import('./shipped-price-list.ts')
    const found = searchShippedPrices(search)
    return { models: found.slice(offset, offset + limit), total: found.length }
  }

  /**
   * Deletes prices by id; unknown ids are ignored. @throws DomainError InvalidRequest if the query
   * selects by anything but ids
   */
  async purge(writer: ProjectWriter, query: unknown): Promise<void> {
    await this.records.purge(writer, query)
  }

  /** All prices that apply to a project now. */
  async currentPrices(reader: ProjectReader): Promise<PriceBook> {
    return await this.store.read([costsTable.name], reader, (snapshot) => this.priceBook(snapshot, reader))
  }

  /** All prices that apply to a project, from a snapshot that contains the table `costs`. */
  async priceBook(snapshot: Snapshot, reader: ProjectReader): Promise<PriceBook> {
    const rows = await this.records.selectIn(snapshot, reader, priceCells)
    // The list of shipped prices is large, so it is loaded on first use.
    const { PriceBook } = await import('./price-book.ts')
    return new PriceBook(reader.projectId, rows.map(projectPrice))
  }

  private price({ projectId, userId }: ProjectWriter, llmId: string, cost: CostCreateInput) {
    return {
      llm_id: llmId,
      provider_id: cost.provider_id ?? 'default',
      effective_date:
        cost.effective_date == null ? this.clock.nowMs() * 1000 : checkTime('effective_date', cost.effective_date),
      prompt_token_cost: cost.prompt_token_cost,
      completion_token_cost: cost.completion_token_cost,
      cache_read_input_token_cost: cost.cache_read_input_token_cost ?? 0,
      cache_creation_input_token_cost: cost.cache_creation_input_token_cost ?? 0,
      prompt_token_cost_unit: cost.prompt_token_cost_unit ?? 'USD',
      completion_token_cost_unit: cost.completion_token_cost_unit ?? 'USD',
      pricing_level: 'project',
      pricing_level_id: projectId,
      created_by: userId,
    }
  }
}

function checkLlmId(llmId: string): void {
  if (llmId.trim() !== '' && llmId.length <= providerLimits.llmIdCharsMax) return
  throw new DomainError(
    'InvalidRequest',
    `Invalid model name ${quoted(llmId)}: use 1 to ${providerLimits.llmIdCharsMax} characters`,
  )
}

/** The columns that prices are made of. */
export const priceCells = costsTable.select(
  'llm_id',
  'provider_id',
  'effective_date',
  'prompt_token_cost',
  'completion_token_cost',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
  'prompt_token_cost_unit',
  'completion_token_cost_unit',
  'created_by',
  'created_at',
)

/** A price as a price book takes it. */
export function projectPrice(row: ReturnType<typeof priceCells.read>): ProjectPrice {
  return {
    llmId: row.llm_id,
    providerId: row.provider_id,
    effectiveAt: row.effective_date,
    promptTokenCost: row.prompt_token_cost,
    completionTokenCost: row.completion_token_cost,
    cacheReadInputTokenCost: row.cache_read_input_token_cost,
    cacheCreationInputTokenCost: row.cache_creation_input_token_cost,
    promptTokenCostUnit: row.prompt_token_cost_unit,
    completionTokenCostUnit: row.completion_token_cost_unit,
    createdBy: row.created_by,
    createdAt: row.created_at,
  }
}
