import { signal } from '@preact/signals'
import { post } from '../../api/client.ts'

/** Tokens, cost and models of a call, with all calls below it in a table of traces. */
export interface RowUsage {
  readonly tokensIn: number
  readonly tokensOut: number
  readonly tokensCached: number
  /** US dollars; undefined if no model of it has a price. */
  readonly cost: number | undefined
  readonly models: readonly string[]
  /** Other calls state it, too, and totals count it there. */
  readonly isRepeated: boolean
}

interface ModelUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cache_read_input_tokens: number
  readonly prompt_tokens_total_cost: number | null
  readonly completion_tokens_total_cost: number | null
  readonly cache_read_input_tokens_total_cost: number | null
  readonly cache_creation_input_tokens_total_cost: number | null
}

interface UsageAnswer {
  readonly call_usage: Readonly<Record<string, Readonly<Record<string, ModelUsage>>>>
  /** Absent where usage includes that of the calls below. */
  readonly repeated_call_ids?: readonly string[]
}

const callsReadMax = 100_000

/** Usage of the rows of a project, read after the rows and kept by the id of the call. */
export class UsageOfRows {
  readonly byId = signal<ReadonlyMap<string, RowUsage | undefined>>(new Map())
  private readonly asked = new Set<string>()
  private readonly projectId: string
  private readonly rootsOnly: boolean

  constructor(projectId: string, rootsOnly: boolean) {
    this.projectId = projectId
    this.rootsOnly = rootsOnly
  }

  /** Reads the usage of those calls for which it has not been read yet. */
  async read(ids: readonly string[], signal?: AbortSignal): Promise<void> {
    const missing = ids.filter((id) => !this.asked.has(id))
    if (missing.length === 0) return
    for (const id of missing) this.asked.add(id)
    const body = {
      project_id: this.projectId,
      call_ids: missing,
      include_costs: true,
      with_descendants: this.rootsOnly,
      limit: callsReadMax,
    }
    try {
      const { call_usage, repeated_call_ids } = await post<UsageAnswer>('/calls/usage', body, { signal })
      const repeated = new Set(repeated_call_ids)
      const entries = missing.map((id) => [id, usageOf(call_usage[id] ?? {}, repeated.has(id))] as const)
      this.byId.value = new Map([...this.byId.peek(), ...entries])
    } catch {
      // The cells stay empty: rows are worth more than their costs. The next read asks again.
      for (const id of missing) this.asked.delete(id)
    }
  }
}

function usageOf(byModel: Readonly<Record<string, ModelUsage>>, isRepeated: boolean): RowUsage | undefined {
  const models = Object.values(byModel)
  if (models.length === 0) return undefined
  const sum = (read: (model: ModelUsage) => number | null) =>
    models.reduce((total, model) => total + (read(model) ?? 0), 0)
  const isPriced = models.some(({ prompt_tokens_total_cost }) => prompt_tokens_total_cost !== null)
  return {
    tokensIn: sum((model) => model.prompt_tokens),
    tokensOut: sum((model) => model.completion_tokens),
    tokensCached: sum((model) => model.cache_read_input_tokens),
    cost: isPriced ? sum(costOf) : undefined,
    models: Object.keys(byModel).sort(),
    isRepeated,
  }
}

const costOf = (model: ModelUsage): number =>
  (model.prompt_tokens_total_cost ?? 0) +
  (model.completion_tokens_total_cost ?? 0) +
  (model.cache_read_input_tokens_total_cost ?? 0) +
  (model.cache_creation_input_tokens_total_cost ?? 0)
