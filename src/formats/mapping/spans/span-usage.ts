import { isRawNumber } from '../../../lib/json-value.ts'
import type { UsageMember } from '../conventions/convention.ts'
import type { SpanValues } from './span-values.ts'

type Usage = Partial<Record<UsageMember | 'gross_input_tokens', unknown>>

/**
 * Token usage of a span as an entry of `summary.usage`; undefined if it reports none. If several
 * conventions report the same number, it counts once. OpenTelemetry's `input_tokens` include cached
 * tokens; the total is in `gross_input_tokens` (see docs/decisions/021).
 */
export function spanUsage(values: SpanValues): Usage | undefined {
  if (values.first(values.tables.usageElsewhere) !== undefined) return undefined
  const usage: Usage = {}
  for (const [member, names] of values.tables.usage) {
    const value = values.first(names)
    if (value !== undefined && (typeof value !== 'object' || isRawNumber(value))) usage[member] = tokens(value)
  }
  if (Object.keys(usage).length === 0) return undefined
  countUncached(usage)
  if (usage.input_tokens !== undefined) delete usage.prompt_tokens
  if (usage.output_tokens !== undefined) delete usage.completion_tokens
  const input = usage.input_tokens ?? usage.prompt_tokens
  const output = usage.output_tokens ?? usage.completion_tokens
  if (usage.total_tokens === undefined && typeof input === 'number' && typeof output === 'number') {
    usage.total_tokens = input + output
  }
  if (containsCached(usage)) usage.gross_input_tokens = usage.input_tokens
  return usage
}

/** Input that is counted without cached tokens: the total, by which that is told, counts all. */
function countUncached(usage: Usage): void {
  const { uncached_input_tokens: uncached, input_tokens } = usage
  delete usage.uncached_input_tokens
  if (uncached === undefined || input_tokens !== undefined) return
  usage.input_tokens = uncached
  const cached = count(usage.cache_read_input_tokens) + count(usage.cache_creation_input_tokens)
  usage.total_tokens ??= count(uncached) + count(usage.output_tokens) + cached
}

/** Whether `input_tokens` is the total input including cached tokens. */
function containsCached({ input_tokens, output_tokens, total_tokens, ...usage }: Usage): boolean {
  const cached = count(usage.cache_read_input_tokens) + count(usage.cache_creation_input_tokens)
  if (cached === 0 || typeof input_tokens !== 'number' || cached > input_tokens) return false
  return total_tokens !== input_tokens + count(output_tokens) + cached
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** An integer if the value is one, else the value as sent. */
function tokens(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value
}
