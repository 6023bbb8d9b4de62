import type { Rule, RuleCondition } from '../../api/rules.ts'
import { formatCost } from '../../format/cost.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatNumber, formatShare } from '../../format/number.ts'
import { rulesText } from '../../text/rules.ts'

/** A condition in words: `Error rate above 5% in 5 min`. */
export function conditionWords(condition: RuleCondition | null): string {
  if (condition === null) return rulesText.everyCall
  const { metric, comparison, threshold, window_seconds } = condition
  return rulesText.condition(
    rulesText.metrics[metric],
    rulesText.comparisons[comparison],
    figure(metric, threshold),
    (rulesText.windows as Readonly<Record<number, string>>)[window_seconds] ?? formatDuration(window_seconds * 1_000),
  )
}

function figure(metric: RuleCondition['metric'], value: number): string {
  if (metric === 'error_rate') return formatShare(value)
  if (metric.endsWith('_ms')) return formatDuration(value)
  return metric === 'total_cost' ? formatCost(value) : formatNumber(value)
}

/** The state of a rule; an alert that fires is what matters most. */
export const ruleState = ({ status }: Rule): keyof typeof rulesText.states =>
  status.alert === 'firing' && status.state === 'active' ? 'firing' : status.state
