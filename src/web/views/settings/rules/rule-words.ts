import type { CallRule } from '../../../api/rules.ts'
import { textOfQuery } from '../../../filter/filter-text.ts'
import { formatCost, formatShare } from '../../../format/number.ts'
import { rulesText } from '../../../text/settings/rules.ts'

/** A scorer by its ref. */
export interface ScorerChoice {
  readonly name: string
  /** Digest, or `latest`. */
  readonly version: string
}

/** The scorer that a ref names. */
export function scorerIn(ref: string): ScorerChoice {
  const [, name = ref, version = ''] = /\/object\/([^/:]+):([^/:]+)$/.exec(ref) ?? []
  return { name: decodeURIComponent(name), version }
}

/** Ref of a scorer of the project. */
export const scorerRef = (projectId: string, { name, version }: ScorerChoice): string =>
  `ext:///${projectId}/object/${encodeURIComponent(name)}:${version}`

/** The calls that a rule is for: `every trace, 10% of the traces`. */
export function callsWords({ filter, query, sample_rate }: CallRule): string {
  const all = filter?.trace_roots_only ? rulesText.everyTrace : rulesText.everyCall
  const conditions = query == null ? '' : (textOfQuery(query) ?? JSON.stringify(query))
  const which = conditions === '' ? all : `${all}, ${conditions}`
  return sample_rate < 1 ? `${which}, ${rulesText.sampled(formatShare(sample_rate))}` : which
}

/** What a rule does: the names of its scorers. */
export function actionWords({ action }: CallRule): string {
  if (action.kind === 'add_to_queue') return rulesText.actions.add_to_queue
  const scorers = action.scorer_refs.map(scorerIn)
  return `${rulesText.actions.score}: ${scorers
    .map(({ name, version }) => (version === 'latest' ? `${name} (${rulesText.latest})` : name))
    .join(', ')}`
}

/** What a rule has cost today, and what it may. */
export function costWords({ action, daily_cost_max, status }: CallRule): string {
  if (action.kind !== 'score') return ''
  const cost = formatCost(status.cost_today)
  return daily_cost_max === null ? cost : rulesText.costOf(cost, formatCost(daily_cost_max))
}
