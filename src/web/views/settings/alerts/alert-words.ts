import { isKeyOf } from '../../../../lib/present.ts'
import type { Condition, Sender } from '../../../api/alerts.ts'
import { textOfQuery } from '../../../filter/filter-text.ts'
import { formatDuration } from '../../../format/duration.ts'
import { formatCost, formatNumber, formatShare } from '../../../format/number.ts'
import { alertsText } from '../../../text/settings/alerts.ts'

/** A measured value in the unit of its metric. */
export function metricValue(metric: Condition['metric'], value: number): string {
  if (metric === 'error_rate') return formatShare(value)
  if (metric.endsWith('_ms')) return formatDuration(value)
  return metric === 'total_cost' ? formatCost(value) : formatNumber(value)
}

/** When it acts, in words: `Error rate above 5% in 5 minutes`. */
export function whenWords({ condition, query }: Sender): string {
  if (condition === null) return query === null ? alertsText.everyCall : alertsText.everyMatching(filterWords(query))
  const { metric, comparison, threshold, window_seconds } = condition
  return alertsText.condition(
    alertsText.metrics[metric],
    alertsText.comparisons[comparison],
    metricValue(metric, threshold),
    windowWords(window_seconds),
  )
}

/** A query as the filter bar writes it. */
export const filterWords = (query: unknown): string => textOfQuery(query) ?? alertsText.filterUnknown

const windowWords = (seconds: number): string =>
  isKeyOf(alertsText.windows, seconds) ? alertsText.windows[seconds] : formatDuration(seconds * 1_000)

/** Its state; an alert that fires is what matters most. */
export const stateOf = ({ status }: Sender): keyof typeof alertsText.states =>
  status.alert === 'firing' && status.state === 'active' ? 'firing' : status.state
