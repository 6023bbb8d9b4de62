import { DomainError } from '../../errors.ts'
import type { ProjectReader, ProjectWriter } from '../../foundation/access/caller.ts'
import type { Cell, Row } from '../../kernel/table.ts'
import { formatTime } from '../../kernel/time.ts'
import { limits } from '../../limits.ts'
import { type CostCreateInput, CostQueryOutput } from '../../model/costs.ts'
import type { RecordsRequest } from '../../model/records-request.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/new-id.ts'
import { ascendingBy, type SortRules } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import type { Store } from '../../store/store.ts'
import { checkTime } from '../../tables/call-members.ts'
import { costsTable } from '../../tables/costs-table.ts'
import { TableRows } from '../table-rows.ts'
import type { PriceBook, ProjectPrice } from './price-book.ts'

const answered: readonly string[] = Object.keys(CostQueryOutput.properties)
/** Columns returned by default. */
const usual: readonly string[] = CostQueryOutput.required ?? []

/** The fields of prices. */
export const costRules: SortRules = {
  catalog: tableCatalog({ columns: costsTable.columns.filter(({ name }) => answered.includes(name)) }),
  otherwise: [],
  tieBreaker: ascendingBy('id'),
}

/** Model prices set in projects, and costs of calls. */
export class Costs {
  private readonly store: Store
  private readonly clock: Clock
  private readonly rows: TableRows

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.store = store
    this.clock = clock
    this.rows = new TableRows({
      store,
      table: costsTable,
      rules: costRules,
    })
  }

  /**
   * Adds prices without overwriting any. Returns id and model of each, in the order of the request.
   * @throws DomainError InvalidRequest
   */
  async create(writer: ProjectWriter, costs: Readonly<Record<string, CostCreateInput>>): Promise<[string, string][]> {
    const entries = Object.entries(costs)
    if (entries.length > limits.pricesPerRequestMax) {
      throw new DomainError(
        'InvalidRequest',
        `Too many prices: ${entries.length}; at most ${limits.pricesPerRequestMax} are allowed per request`,
      )
    }
    const created = entries.map(([llmId, cost]) => ({ llmId, id: newId(), cost }))
    for (const { llmId } of created) checkLlmId(llmId)
    await this.store.write(
      costsTable.name,
      created.map(({ llmId, id, cost }) => this.row(writer, id, llmId, cost)),
    )
    return created.map(({ id, llmId }) => [id, llmId])
  }

  /**
   * Prices of the project, without shipped ones: JSON texts of `CostQueryOutput` in batches.
   *
   * @throws DomainError InvalidField, InvalidRequest; ValidationError
   */
  async *query(
    reader: ProjectReader,
    { fields, ...question }: RecordsRequest,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    const names = fields && fields.length > 0 ? fields : usual
    const empty = Object.fromEntries(usual.map((name) => [name, null]))
    for await (const rows of this.rows.selectInTurn(reader, names, question, signal)) {
      yield rows.map((cells) => {
        const members = names.map((name, index) => [name, readable(name, cells[index]!)])
        return JSON.stringify({ ...empty, ...Object.fromEntries(members) })
      })
    }
  }

  /**
   * Deletes prices by id; unknown ids are ignored. @throws DomainError InvalidRequest if the query
   * selects by anything but ids
   */
  async purge(writer: ProjectWriter, query: unknown): Promise<void> {
    const ids = await this.rows.existingIds(writer, query, { allowsIn: true })
    const nowMicros = this.clock.nowMs() * 1000
    const rows = ids.map((id) => costsTable.tombstone(writer.projectId, id, nowMicros))
    await this.store.write(costsTable.name, rows)
  }

  /** All prices that apply to a project, from a snapshot that contains the table `costs`. */
  async priceBook(snapshot: Snapshot, reader: ProjectReader): Promise<PriceBook> {
    const rows = await this.rows.selectIn(snapshot, reader, priceCells, {})
    // The list of shipped prices is large, so it is loaded on first use.
    const { PriceBook } = await import('./price-book.ts')
    return new PriceBook(reader.projectId, rows.map(projectPrice))
  }

  private row({ projectId, userId }: ProjectWriter, id: string, llmId: string, cost: CostCreateInput): Row {
    const nowMicros = this.clock.nowMs() * 1000
    return costsTable.row({
      project_id: projectId,
      id,
      llm_id: llmId,
      provider_id: cost.provider_id ?? 'default',
      effective_date: cost.effective_date == null ? nowMicros : checkTime('effective_date', cost.effective_date),
      prompt_token_cost: cost.prompt_token_cost,
      completion_token_cost: cost.completion_token_cost,
      cache_read_input_token_cost: cost.cache_read_input_token_cost ?? 0,
      cache_creation_input_token_cost: cost.cache_creation_input_token_cost ?? 0,
      prompt_token_cost_unit: cost.prompt_token_cost_unit ?? 'USD',
      completion_token_cost_unit: cost.completion_token_cost_unit ?? 'USD',
      pricing_level: 'project',
      pricing_level_id: projectId,
      created_by: userId,
      created_at: nowMicros,
    })
  }
}

function readable(name: string, cell: Cell): Cell {
  const isTime = name === 'effective_date' || name === 'created_at'
  return isTime && typeof cell === 'number' ? formatTime(cell) : cell
}

function checkLlmId(llmId: string): void {
  if (llmId.trim() !== '' && llmId.length <= limits.llmIdCharsMax) return
  throw new DomainError(
    'InvalidRequest',
    `Invalid model name "${llmId.slice(0, 80)}": use 1 to ${limits.llmIdCharsMax} characters`,
  )
}

const priceCells = costsTable.select(
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

function projectPrice(row: ReturnType<typeof priceCells.read>): ProjectPrice {
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
