import { unnamedModel } from '../../lib/count-tokens.ts'
import type { Relation } from '../../lib/relation.ts'
import type { Sql } from '../../lib/sql.ts'
import type { UsageField } from '../catalog.ts'
import { Parameters } from './parameters.ts'
import type { Scope } from './scope.ts'
import { tableRowsSql } from './table-rows.ts'
import {
  countsUsageSql,
  pricedCostSql,
  pricesJoinSql,
  tokenColumns,
  totalTokensSql,
  usageByModelSql,
} from './usage-prices.ts'

/** The column of a call that usage is joined on. */
export const usageKey = ({ over }: UsageField): 'id' | 'trace_id' => (over === 'call' ? 'id' : 'trace_id')

const tokens = `sum(coalesce(${totalTokensSql}, 0))`

/** Rounded, because the order in which threads add up differs from one query to the next. */
const cost = `round(sum(coalesce(u.stated_cost, CASE WHEN r.model IS NOT NULL THEN ${pricedCostSql} END)), 12)`

const figureSql: Readonly<Record<UsageField['figure'], string>> = {
  tokens: `${tokens}::BIGINT`,
  cost,
  models: `list_sort(list_distinct(list(u.model) FILTER (u.model <> '${unnamedModel}')))`,
}

/**
 * SQL for one value of the usage of a row or of its trace; null without usage. See
 * docs/decisions/121-usage-as-a-field.md.
 */
export function usageFieldSql(field: UsageField, { alias, parameters, projectId, usage }: Scope): string {
  if (usage === undefined) throw new Error('A usage field is used where no usage is in scope')
  const key = usageKey(field)
  // The usage that a call states is added to that of others only if it counts.
  const isSum = field.over === 'trace' && field.figure !== 'models'
  const rows = usageRowsSql(usage.calls, projectId, key, parameters, isSum)
  const within = ['epoch_us(u.started_at) >= r."from"', 'epoch_us(u.started_at) < r."until"']
  const prices =
    field.figure === 'cost' ? pricesJoinSql(usage.rates, parameters, { columns: ['from', 'until'], terms: within }) : ''
  const figures = `SELECT u.key, ${figureSql[field.figure]} AS figure FROM (${rows}) u${prices} GROUP BY u.key`
  return `(SELECT g.figure FROM (${figures}) g WHERE g.key = ${alias}."${key}")`
}

/** The models of a project with the first and the last start of their calls, in microseconds. */
export function compileUsedModels(calls: Relation, projectId: string): Sql {
  const parameters = new Parameters()
  const rows = usageRowsSql(calls, projectId, 'id', parameters)
  return {
    text: `SELECT u.model, epoch_us(min(u.started_at))::DOUBLE, epoch_us(max(u.started_at))::DOUBLE FROM (${rows}) u
      WHERE u.model IS NOT NULL GROUP BY u.model`,
    values: parameters.values,
  }
}

/**
 * SELECT of one row per model in the usage of each call, or of each whose usage counts, with its
 * start and its key.
 */
function usageRowsSql(
  relation: Relation,
  projectId: string,
  key: 'id' | 'trace_id',
  parameters: Parameters,
  isCounting = false,
): string {
  const columns = [...new Set(['id', key]), 'started_at', 'usage_model', 'usage_by_model', ...tokenColumns]
  const calls = tableRowsSql(
    { relation, projectId },
    columns.map((name) => `t."${name}"`),
    [`(t.usage_model IS NOT NULL OR t.usage_by_model <> '[]')`, ...(isCounting ? [countsUsageSql] : [])],
    parameters,
  )
  return usageByModelSql(calls, { key, started_at: 'started_at' }, tokenColumns)
}
