import { countTokens, statedTokens } from '../kernel/count-tokens.ts'
import { isJsonObject } from '../kernel/json-value.ts'
import { type Column, column } from '../kernel/table.ts'

/** Derived columns that hold the usage of a call, so that statistics need not read it out of the summary. */
export const usageColumns: readonly Column[] = [
  column(
    'usage_model',
    'text',
    'the model of the usage in the summary, where it names one; null where it names none or several',
    'files',
  ),
  column(
    'input_tokens',
    'number',
    'input tokens of that model, as its provider counts them; null where they were not reported',
    'files',
  ),
  column('output_tokens', 'number', 'output tokens of that model; null where they were not reported', 'files'),
  column(
    'total_tokens',
    'number',
    'total tokens of that model as they were reported; null where they were not',
    'files',
  ),
  column('cache_read_tokens', 'number', 'input tokens read from a cache', 'files'),
  column('cache_creation_tokens', 'number', 'input tokens written to a cache', 'files'),
  column('cache_creation_long_tokens', 'number', 'those of them that are kept for an hour', 'files'),
  column('uncached_tokens', 'number', 'input tokens that went through no cache; null where all did so', 'files'),
  column('usage_requests', 'number', 'requests that the usage sums up, where they are more than one', 'files'),
  column(
    'usage_by_model',
    'json',
    'JSON array with an object of these columns for each model, where the usage names none or several; null where it names one',
    'files',
  ),
]

/** Values of `usageColumns`. */
export interface UsageCells {
  readonly usage_model: string | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly total_tokens: number | null
  readonly cache_read_tokens: number | null
  readonly cache_creation_tokens: number | null
  readonly cache_creation_long_tokens: number | null
  readonly uncached_tokens: number | null
  readonly usage_requests: number | null
  readonly usage_by_model: string | null
}

/** The cells for a summary (JSON text). */
export function usageCells(summary: string | null): UsageCells {
  if (!summary?.includes('"usage"')) return none
  const { usage } = JSON.parse(summary) as { usage?: unknown }
  if (!isJsonObject(usage)) return none
  const models = Object.keys(usage).filter((model) => isJsonObject(usage[model]))
  const cells = models.map((model) => cellsOf(model, usage[model] as Record<string, unknown>))
  return cells.length === 1 ? cells[0]! : several(cells)
}

/** What is null is left out of the JSON, where it would say the same. */
const several = (cells: readonly UsageCells[]): UsageCells => ({
  ...nothing,
  usage_by_model: JSON.stringify(cells, (_, value: unknown) => value ?? undefined),
})

function cellsOf(model: string, figures: Record<string, unknown>): UsageCells {
  const tokens = countTokens(figures)
  const stated = statedTokens(figures)
  return {
    usage_model: model,
    input_tokens: stated.prompt ? tokens.prompt : null,
    output_tokens: stated.completion ? tokens.completion : null,
    total_tokens: stated.total ? tokens.total : null,
    cache_read_tokens: stated.cacheRead ? tokens.cacheRead : null,
    cache_creation_tokens: stated.cacheCreation ? tokens.cacheCreation : null,
    cache_creation_long_tokens: tokens.cacheCreationLong || null,
    uncached_tokens: tokens.uncached === tokens.prompt ? null : tokens.uncached,
    usage_requests: tokens.requests > 1 ? tokens.requests : null,
    usage_by_model: null,
  }
}

const nothing: UsageCells = {
  usage_model: null,
  input_tokens: null,
  output_tokens: null,
  total_tokens: null,
  cache_read_tokens: null,
  cache_creation_tokens: null,
  cache_creation_long_tokens: null,
  uncached_tokens: null,
  usage_requests: null,
  usage_by_model: null,
}
const none: UsageCells = { ...nothing, usage_by_model: '[]' }
