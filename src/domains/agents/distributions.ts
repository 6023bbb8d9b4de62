import { DomainError, quoted } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { itemAt } from '../../lib/present.ts'
import type { AgentSpan, CustomType } from './agent-span.ts'
import type { SpanDistribution } from './model/agent-filters.ts'
import type { SpanGroup } from './model/agent-spans.ts'
import { customValue } from './span-values.ts'

type Answer = SpanGroup['distributions'][string]
type Value = string | number | boolean

/** @throws DomainError InvalidRequest for two distributions of one name */
export function checkAliases(specs: readonly SpanDistribution[]): void {
  const seen = new Set<string>()
  for (const { alias } of specs) {
    if (seen.has(alias)) throw new DomainError('InvalidRequest', `Two distributions have the alias ${quoted(alias)}`)
    seen.add(alias)
  }
}

/** How the values of attributes are distributed among the spans of a group. */
export const distributionsOf = (
  spans: readonly AgentSpan[],
  specs: readonly SpanDistribution[],
): Record<string, Answer> => Object.fromEntries(specs.map((spec) => [spec.alias, distributionOf(spans, spec)]))

const typeOf = {
  custom_attrs_string: 'string',
  custom_attrs_int: 'int',
  custom_attrs_float: 'float',
  custom_attrs_bool: 'bool',
} as const satisfies Record<SpanDistribution['value']['source'], CustomType>

function distributionOf(spans: readonly AgentSpan[], spec: SpanDistribution): Answer {
  const { alias, value } = spec
  const type = typeOf[value.source]
  const present = spans.flatMap(({ custom }) => customValue(custom[type], value.key) ?? [])
  const numbers = present.filter((one) => typeof one === 'number')
  const isNumeric = type === 'int' || type === 'float'
  const values = isNumeric ? [] : mostFrequent(present, spec.top_n ?? operationLimits.agentDistributionValuesDefault)
  return {
    alias,
    source: value.source,
    key: value.key,
    value_type: type,
    total_count: spans.length,
    present_count: present.length,
    missing_count: spans.length - present.length,
    other_count: isNumeric ? 0 : values.reduce((left, { count }) => left - count, present.length),
    bins: binsOf(numbers, spec.bins ?? operationLimits.agentDistributionBinsDefault),
    values,
  }
}

/** Ranges of equal width from the least to the greatest number; the last one includes its end. */
function binsOf(numbers: readonly number[], count: number): Answer['bins'] {
  if (numbers.length === 0) return []
  const least = numbers.reduce((a, b) => Math.min(a, b))
  const greatest = numbers.reduce((a, b) => Math.max(a, b))
  if (least === greatest) return [{ index: 0, min: least, max: greatest, count: numbers.length }]
  // Halves and shares, because the difference of two numbers may be no number.
  const shareOf = (number: number) => (number / 2 - least / 2) / (greatest / 2 - least / 2)
  const edge = (index: number) => least * (1 - index / count) + greatest * (index / count)
  const counts = new Array<number>(count).fill(0)
  for (const number of numbers) {
    const place = Math.min(count - 1, Math.floor(shareOf(number) * count))
    counts[place] = itemAt(counts, place) + 1
  }
  return counts.map((inside, index) => ({ index, min: edge(index), max: edge(index + 1), count: inside }))
}

function mostFrequent(values: readonly Value[], most: number): Answer['values'] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  const found = [...counts].map(([value, count]) => ({ value, count }))
  return found.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, most)
}
