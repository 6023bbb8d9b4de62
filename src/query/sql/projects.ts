import type { Relation } from '../../lib/relation.ts'
import type { Sql } from '../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../lib/typed-rows.ts'
import { branchSourceSql, scopeRestriction } from './branch.ts'
import { Parameters } from './parameters.ts'
import { unionSql } from './table-rows.ts'

/** Which projects to list. */
export interface ProjectsWanted {
  /** Scopes that the caller may read: each `*`, `entity` or `entity/project`. */
  readonly scopes: readonly string[]
  /** Beginning of the project's id or of its name alone, in any case. */
  readonly prefix: string
  readonly limit: number
  readonly withBytes: boolean
}

/** Tables whose rows make a project exist. */
export interface ProjectRelations {
  readonly calls: Relation
  readonly objects: Relation
}

const projectShape = rowShape({ id: 'text', calls: 'integer', first: 'time?', last: 'time?', bytes: 'integer?' })

/**
 * One row per project: its id, the number of its calls, the first and the last start (microseconds;
 * null without calls), and the bytes of its calls (null unless requested). The newest activity
 * comes first, projects without calls last.
 */
export function compileProjects(
  wanted: ProjectsWanted,
  { calls, objects }: ProjectRelations,
): Sql<RowOfShape<typeof projectShape>> {
  const parameters = new Parameters()
  const bytes = wanted.withBytes ? 't.payload_bytes' : 'NULL::BIGINT'
  const ofCalls = rowsInScopeSql(
    calls,
    wanted.scopes,
    ['t.project_id', 't.started_at', `${bytes} AS bytes`],
    [],
    parameters,
  )
  const ofObjects = rowsInScopeSql(objects, wanted.scopes, ['t.project_id'], [], parameters)
  const found = `SELECT project_id, count(*) AS calls, min(started_at) AS first, max(started_at) AS last,
      sum(bytes)::BIGINT AS bytes FROM (${ofCalls}) GROUP BY project_id
    UNION ALL SELECT DISTINCT project_id, 0, NULL, NULL, ${wanted.withBytes ? '0' : 'NULL'} FROM (${ofObjects})`
  return {
    text: `SELECT project_id, sum(calls)::BIGINT, min(first), max(last) AS newest, sum(bytes)::BIGINT FROM (${found})
      WHERE ${prefixSql(wanted.prefix, parameters)} GROUP BY project_id
      ORDER BY newest DESC NULLS LAST, project_id LIMIT ${parameters.bind(BigInt(wanted.limit))}::BIGINT`,
    values: parameters.values,
    shape: projectShape,
  }
}

function prefixSql(prefix: string, parameters: Parameters): string {
  if (prefix === '') return 'true'
  const wanted = parameters.bind(prefix.toLowerCase())
  return `(starts_with(lower(project_id), ${wanted}) OR starts_with(lower(split_part(project_id, '/', 2)), ${wanted}))`
}

/** Whole hours back from `until`, in microseconds. */
export interface RecentHours {
  readonly since: number
  readonly until: number
}

const hourMicros = 3_600_000_000

const projectHourShape = rowShape({
  id: 'text',
  hour: 'integer',
  calls: 'integer',
  errors: 'integer',
  callsWithUsage: 'integer',
})

export type ProjectHour = RowOfShape<typeof projectHourShape>

/**
 * One row per project and hour with calls: the project, the number of the hour since `since`, its
 * calls, those that failed, and those that report usage.
 */
export function compileProjectHours(
  scopes: readonly string[],
  projectIds: readonly string[],
  { since, until }: RecentHours,
  calls: Relation,
): Sql<ProjectHour> {
  const parameters = new Parameters()
  const from = parameters.bind({ micros: since })
  const rows = rowsInScopeSql(
    calls,
    scopes,
    [
      't.project_id',
      `(epoch_us(t.started_at) - epoch_us(${from})) // ${hourMicros} AS hour`,
      't.status',
      `(t.usage_model IS NOT NULL OR coalesce(t.usage_by_model, '') <> '[]') AS has_usage`,
    ],
    [
      `t.started_at >= ${from}`,
      `t.started_at < ${parameters.bind({ micros: until })}`,
      `t.project_id IN (SELECT unnest(${parameters.bind({ texts: projectIds })}))`,
    ],
    parameters,
  )
  return {
    text: `SELECT project_id, hour, count(*), count(*) FILTER (status = 'error'), count(*) FILTER (has_usage)
      FROM (${rows}) GROUP BY project_id, hour`,
    values: parameters.values,
    shape: projectHourShape,
  }
}

/** Rows of one kind that state how many bytes they stand for. */
export interface MeasuredRows {
  readonly relation: Relation
  readonly column: string
}

/**
 * One row per project in scope, the largest first: its id, the number of rows of the first kind,
 * the sum of all bytes, the bytes of each kind, and for each kind those of all projects.
 */
export function compileProjectBytes(scopes: readonly string[], kinds: readonly MeasuredRows[], limit: number): Sql {
  const parameters = new Parameters()
  const selects = kinds.map(({ relation, column }, kind) => {
    const rows = rowsInScopeSql(relation, scopes, ['t.project_id', `t."${column}" AS bytes`], [], parameters)
    return `SELECT project_id, ${kind} AS kind, count(*) AS n, sum(bytes)::BIGINT AS bytes FROM (${rows})
      GROUP BY project_id`
  })
  const sums = kinds.map((_, kind) => `coalesce(sum(bytes) FILTER (kind = ${kind}), 0)`)
  const items = [...sums, ...sums.map((sum) => `sum(${sum}) OVER ()`)].map((item) => `(${item})::BIGINT`)
  return {
    text: `SELECT project_id, coalesce(sum(n) FILTER (kind = 0), 0)::BIGINT,
        coalesce(sum(bytes), 0)::BIGINT AS total, ${items.join(', ')}
      FROM (${selects.join(' UNION ALL ')}) GROUP BY project_id
      ORDER BY total DESC, project_id LIMIT ${parameters.bind(BigInt(limit))}::BIGINT`,
    values: parameters.values,
  }
}

const dayShape = rowShape({ day: 'integer', bytes: 'integer' })

/** Bytes of the calls of a day, which starts at `day` (microseconds). */
export type DayBytes = RowOfShape<typeof dayShape>

/** Day (microseconds) and bytes of the calls in the scopes that were written since a time. */
export function compileDailyBytes(scopes: readonly string[], calls: Relation, sinceMicros: number): Sql<DayBytes> {
  const parameters = new Parameters()
  const since = parameters.bind({ micros: sinceMicros })
  const items = ['t.written_at', 't.payload_bytes']
  const rows = rowsInScopeSql(calls, scopes, items, [`t.written_at >= ${since}`], parameters)
  return {
    text: `SELECT epoch_us(written_at) // ${dayMicros} * ${dayMicros} AS day, sum(payload_bytes)::BIGINT
      FROM (${rows}) GROUP BY day ORDER BY day`,
    values: parameters.values,
    shape: dayShape,
  }
}

const uploadShape = rowShape({ files: 'integer', bytes: 'integer' })

export type Uploads = RowOfShape<typeof uploadShape>

/** Number and bytes of the distinct contents of files in the scopes. */
export function compileUploads(scopes: readonly string[], files: Relation): Sql<Uploads> {
  const parameters = new Parameters()
  const rows = rowsInScopeSql(files, scopes, ['t.digest', 't.size_bytes'], [], parameters)
  return {
    text: `SELECT count(*), coalesce(sum(size_bytes), 0)::BIGINT
      FROM (SELECT digest, any_value(size_bytes) AS size_bytes FROM (${rows}) GROUP BY digest)`,
    values: parameters.values,
    shape: uploadShape,
  }
}

const dayMicros = 86_400_000_000

/** SELECT of items over the rows `t` of all projects in some scopes. */
function rowsInScopeSql(
  relation: Relation,
  scopes: readonly string[],
  items: readonly string[],
  where: readonly string[],
  parameters: Parameters,
): string {
  return unionSql(
    relation.branches.map((branch) => {
      const terms = [...scopeRestriction(relation, branch, 't', { scopes, parameters }), ...where]
      return `SELECT ${items.join(', ')} FROM ${branchSourceSql(branch, parameters)} t WHERE ${terms.join(' AND ')}`
    }),
  )
}
