import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { tableRowsSql } from '../../../query/sql/table-rows.ts'
import type { TrialScope } from '../plan/plan.ts'
import { trialsSql } from './trials.ts'

const stampShape = rowShape({ trace: 'text', calls: 'integer', written: 'integer', active: 'integer' })

/**
 * For each trace the number of its calls, when the last of them was written, and the last time that
 * they state (microseconds).
 */
export function stampsStatement(
  { children, projectId }: Pick<TrialScope, 'children' | 'projectId'>,
  traceIds: readonly string[],
): Sql<RowOfShape<typeof stampShape>> {
  const parameters = new Parameters()
  const calls = tableRowsSql(
    { relation: children, projectId },
    ['t."trace_id"', 't."written_at"', 'greatest(t."started_at", t."ended_at") AS active_at'],
    [`t."trace_id" IN (${traceIds.map((id) => parameters.bind(id)).join(', ') || 'NULL'})`],
    parameters,
  )
  return {
    text: `SELECT trace_id, count(*), epoch_us(max(written_at)), epoch_us(max(active_at)) FROM (${calls})
      GROUP BY trace_id`,
    values: parameters.values,
    shape: stampShape,
  }
}

const progressShape = rowShape({ evaluation: 'text', begun: 'integer', ended: 'integer', failed: 'integer' })

/**
 * For each evaluation how many of its rows have begun, ended in all trials begun, and failed in all
 * of them. @param table the table of kept trials, with scores and outcome
 */
export const progressStatement = (table: string): Sql<RowOfShape<typeof progressShape>> => ({
  text: `SELECT evaluation, count(*), count(*) FILTER (ended = trials), count(*) FILTER (failed = trials) FROM (
      SELECT evaluation, row_digest, count(*) AS trials, count(ended_at) AS ended,
        count(*) FILTER (status = 'error' OR (ended_at IS NOT NULL AND outcome = '{"output":null}' AND scores = '{}'))
          AS failed
      FROM "${table}" GROUP BY evaluation, row_digest) GROUP BY evaluation`,
  values: [],
  shape: progressShape,
})

const latencyShape = rowShape({ evaluation: 'text', seconds: 'number?' })

/** The median of the seconds that the model took, by evaluation. */
export function latencyStatement(scope: TrialScope): Sql<RowOfShape<typeof latencyShape>> {
  const parameters = new Parameters()
  const latency = `coalesce(TRY_CAST(json_extract(t."output", '/model_latency')::VARCHAR AS DOUBLE),
    TRY_CAST(json_extract(t."output", '/model_latency/mean')::VARCHAR AS DOUBLE)) AS latency`
  return {
    text: `SELECT evaluation, quantile_cont(latency, 0.5) FROM (${trialsSql(scope, [latency], parameters)})
      GROUP BY evaluation`,
    values: parameters.values,
    shape: latencyShape,
  }
}

const usageShape = rowShape({ trace: 'text', usage: 'json' })

/** The usage of each call of the traces that states one and has none below it. */
export function runUsageStatement(scope: TrialScope): Sql<RowOfShape<typeof usageShape>> {
  const parameters = new Parameters()
  const usage = `json_extract(t."summary", '/usage')::VARCHAR AS usage`
  const calls = tableRowsSql(
    { relation: scope.children, projectId: scope.projectId },
    ['t."trace_id"', usage],
    ['t."parent_id" IS NOT NULL', 'coalesce(t."usage_below", 0) = 0'],
    parameters,
  )
  return {
    text: `SELECT trace_id, usage FROM (${calls}) WHERE usage IS NOT NULL AND usage NOT IN ('{}', 'null')`,
    values: parameters.values,
    shape: usageShape,
  }
}
