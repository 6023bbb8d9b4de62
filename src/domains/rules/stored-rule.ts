import { rulesPartition, rulesTable } from '../../engine/tables/rules-tables.ts'
import type { CallsFilter } from '../../formats/schemas/calls.ts'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import type { Row } from '../../lib/table.ts'
import type { Rule, RuleAction } from './model/rules.ts'

/** Action and condition of a rule, as stored in `definition`. */
export interface RuleDefinition {
  readonly filter: CallsFilter | null
  /** As sent: a query expression, or null. */
  readonly query: unknown
  readonly sample_rate: number
  /** In US dollars; null for none. */
  readonly daily_cost_max: number | null
  readonly condition: Rule['condition']
  readonly action: RuleAction
  readonly is_paused: boolean
}

/** A rule as stored; times in microseconds. */
export interface StoredRule extends RuleDefinition {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly createdAt: number
  readonly createdBy: string
  readonly createdByName: string
  readonly updatedAt: number
}

export const ruleCells = rulesTable.select(
  'id',
  'target_project_id',
  'name',
  'definition',
  'created_at',
  'created_by',
  'created_by_name',
  'updated_at',
)

export const ruleOf = (cells: ReturnType<typeof ruleCells.read>): StoredRule => ({
  ...definitionIn(cells.definition),
  id: cells.id,
  projectId: cells.target_project_id,
  name: cells.name,
  createdAt: cells.created_at,
  createdBy: cells.created_by,
  createdByName: cells.created_by_name,
  updatedAt: cells.updated_at,
})

/**
 * Rules that were stored by older versions have no limit. A query keeps numbers that JavaScript
 * would round.
 */
const definitionIn = (text: string): RuleDefinition =>
  Object.assign({ daily_cost_max: null }, parseExactly(text) as RuleDefinition)

export function ruleRow(rule: StoredRule): Row {
  const { filter, query, sample_rate, daily_cost_max, condition, action, is_paused } = rule
  const definition: RuleDefinition = { filter, query, sample_rate, daily_cost_max, condition, action, is_paused }
  return rulesTable.row({
    project_id: rulesPartition,
    id: rule.id,
    target_project_id: rule.projectId,
    name: rule.name,
    definition: JSON.stringify(definition),
    created_at: rule.createdAt,
    created_by: rule.createdBy,
    created_by_name: rule.createdByName,
    updated_at: rule.updatedAt,
  })
}
