import { failedStatus } from '../../lib/failed-calls.ts'
import { statusName, statusOf } from '../components/display/statuses.ts'
import { filterText } from '../text/filter.ts'
import type { Condition, FilterNode } from './expression.ts'
import { kindOfPath } from './fields.ts'
import { formatField, formatFilter, formatValue } from './format-filter.ts'

/** A part of a filter in the words of a chip. */
export interface ChipWords {
  readonly field: string
  readonly comparator: string
  readonly value: string
}

/** The words of a chip. An expression of several conditions is shown as text. */
export function chipWords(node: FilterNode): ChipWords {
  if (node.kind === 'text') return { field: '', comparator: filterText.contains, value: node.text }
  if (node.kind !== 'condition') return { field: '', comparator: '', value: formatFilter(node) }
  const values = node.values.map((value) => spoken(node, value)).join(', ')
  return { field: formatField(node), comparator: filterText.comparators[node.comparator], value: values }
}

function spoken({ path, isSize, comparator }: Condition, value: Condition['values'][number]): string {
  if (typeof value === 'string' && kindOfPath(path) === 'status') return statusWords(value)
  if (typeof value === 'string' || isSize || comparator === 'contains') return String(value)
  return formatValue(path, value)
}

/** Words for a status in a filter. */
export const statusWords = (value: string): string =>
  value === failedStatus ? filterText.failed : statusName(statusOf(value))
