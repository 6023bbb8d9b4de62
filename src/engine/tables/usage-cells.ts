import { countTokens, statedCost, statedTokens } from '../../lib/count-tokens.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { type CellOf, json, number, text } from './columns.ts'

const derived = { derived: true, nullable: true, exposed: 'server' } as const

/** Columns derived from the usage in a summary, so that statistics need not parse it. */
export const usageColumns = {
  usage_model: text('model of the usage in the summary; null if the usage names none, or several', derived),
  input_tokens: number('input tokens as the provider counts them; null if not reported', derived),
  output_tokens: number('output tokens; null if not reported', derived),
  total_tokens: number('total tokens as reported; null if not reported', derived),
  cache_read_tokens: number('input tokens read from a cache; null for 0', derived),
  cache_creation_tokens: number('input tokens written to a cache; null for 0', derived),
  cache_creation_long_tokens: number('those of them that are cached for an hour; null for 0', derived),
  uncached_tokens: number('input tokens that bypassed every cache; null if all did', derived),
  stated_cost: number('cost in US dollars, if the client stated it; null otherwise', derived),
  usage_requests: number('requests that the usage adds up; null for 1', derived),
  usage_by_model: json(
    'JSON array of objects with these members, one per model, if the usage names none or several models; null if ' +
      'it names one. If `usage_model` is null too, an earlier version wrote the file',
    derived,
  ),
} as const

/** Values of `usageColumns`. */
export type UsageCells = { readonly [Name in keyof typeof usageColumns]: CellOf<(typeof usageColumns)[Name]> }

/** The cells for a summary (JSON text). See docs/decisions/046-usage-in-columns.md. */
export function usageCells(summary: string | null): UsageCells {
  if (!summary?.includes('"usage"')) return none
  const { usage }: { usage?: unknown } = JSON.parse(summary)
  if (!isJsonObject(usage)) return none
  const cells = Object.entries(usage).flatMap(([model, stated]) =>
    isJsonObject(stated) ? [cellsOf(model, stated)] : [],
  )
  const [first, ...others] = cells
  return first !== undefined && others.length === 0 ? first : several(cells)
}

/** Omits null members from the JSON, where a missing member means the same. */
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
    stated_cost: statedCost(figures) ?? null,
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
  stated_cost: null,
  usage_requests: null,
  usage_by_model: null,
}
const none: UsageCells = { ...nothing, usage_by_model: '[]' }
