import type { RolledUpRelation, TimeRange } from '../../../lib/relation.ts'
import type { CountableField } from '../../../query/catalog.ts'
import type { Parameters } from '../../../query/sql/parameters.ts'
import { type Buckets, bucketMicrosSql } from '../../../query/sql/stats/time-buckets.ts'
import { unionSql } from '../../../query/sql/table-rows.ts'
import { type CallGroups, type CallStatsScope, groupPlaceSql, scopeRowsSql } from './call-statistics.ts'

/** Calls of which those of whole steps are added up, except in some files. */
export interface RolledUpCalls extends RolledUpRelation {
  readonly whole: TimeRange
  /** Microseconds of a step. Some calls may be added up by shorter ones. */
  readonly stepMicros: number
}

/** A request for sums of them. Rollups have all columns of the scope's condition. */
export interface RolledUpRequest {
  readonly scope: CallStatsScope
  readonly calls: RolledUpCalls
  readonly buckets: Buckets
  readonly groups: CallGroups | undefined
}

/** SELECT of columns of the calls that are not added up; undefined if there are none. */
export function plainRowsSql(
  { scope, calls }: Pick<RolledUpRequest, 'scope' | 'calls'>,
  columns: readonly string[],
  parameters: Parameters,
  groupField?: CountableField,
): string | undefined {
  const { rest, before, after, whole } = calls
  const selects: string[] = []
  if (rest) selects.push(scopeRowsSql(scope, rest, columns, parameters, groupField))
  if (before) selects.push(scopeRowsSql({ ...scope, end: whole.from }, before, columns, parameters, groupField))
  if (after) selects.push(scopeRowsSql({ ...scope, start: whole.until }, after, columns, parameters, groupField))
  return selects.length === 0 ? undefined : unionSql(selects)
}

/** UNION ALL of SELECTs from the rows of `plainRowsSql`, if there are any, and from sums. */
export const withSumsSql = (rows: string | undefined, ofRows: (rows: string) => string, ofSums: string): string =>
  unionSql(rows === undefined ? [ofSums] : [ofRows(rows), ofSums])

/** SELECT of columns of rows that add up calls. `of`: with the lists of values or without. */
export function summedRowsSql(
  { scope, calls }: Pick<RolledUpRequest, 'scope' | 'calls'>,
  of: 'sums' | 'lists',
  columns: readonly string[],
  parameters: Parameters,
  groupField?: CountableField,
): string {
  const { from, until } = calls.whole
  return scopeRowsSql({ ...scope, start: from, end: until }, calls[of], columns, parameters, groupField)
}

/** The same rows as `plainRowsSql`, each with its bucket and the place of its group. */
export function placedRowsSql(
  request: RolledUpRequest,
  columns: readonly string[],
  parameters: Parameters,
): string | undefined {
  const { buckets, groups } = request
  const rows = plainRowsSql(request, ['started_at', ...columns], parameters, groups?.field)
  if (rows === undefined) return undefined
  const place = groupPlaceSql(groups, parameters)
  return `SELECT *, ${bucketMicrosSql('started_at', buckets, parameters)} AS bucket, ${place} AS place FROM (${rows}) g`
}

/** The same rows as `summedRowsSql`, each with its bucket and the place of its group. */
export function placedSumsSql(
  request: RolledUpRequest,
  of: 'sums' | 'lists',
  columns: readonly string[],
  parameters: Parameters,
): string {
  const { buckets, groups, calls } = request
  const rows = summedRowsSql(request, of, ['started_at', ...columns], parameters, groups?.field)
  const place = groupPlaceSql(groups, parameters)
  if (buckets.offsetSeconds !== undefined || buckets.isWhole) {
    const bucket = bucketMicrosSql('started_at', buckets, parameters)
    return `SELECT *, ${bucket} AS bucket, ${place} AS place FROM (${rows}) g`
  }
  // Computing local times is slow, so it is done once per step that has calls: a range of years has
  // millions of minutes. The sums are in memory, and of the same steps as the lists.
  const size = `${parameters.bind(BigInt(calls.stepMicros))}::BIGINT`
  const stepOf = (time: string) => `(epoch_us(${time}) - (epoch_us(${time}) % ${size} + ${size}) % ${size})`
  const sums = summedRowsSql(request, 'sums', ['started_at'], parameters)
  const steps = `SELECT epoch_us(step) AS step, ${bucketMicrosSql('step', buckets, parameters)} AS bucket
    FROM (SELECT DISTINCT make_timestamptz(${stepOf('started_at')}) AS step FROM (${sums}) t)`
  return `SELECT g.*, s.bucket, ${place} AS place
    FROM (${rows}) g JOIN (${steps}) s ON s.step = ${stepOf('g.started_at')}`
}
