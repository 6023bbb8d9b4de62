import { refPrefixesOf } from '../../../formats/dialect/ref.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { columnField } from '../../../query/catalog.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { scopeRowsSql } from './call-statistics.ts'

/** Calls of a project that started at some time. */
interface UsesScope {
  readonly projectId: string
  /** Microseconds; `end` exclusive. */
  readonly start: number
  readonly end: number
  /** Names of objects; all of them without. */
  readonly names: readonly string[] | undefined
}

const useShape = rowShape({ name: 'text', digest: 'text?', calls: 'integer', errors: 'integer' })

/** A row a version, and one without a digest for all versions of an object together. */
export type ObjectUse = RowOfShape<typeof useShape>

/**
 * Counts the calls whose inputs have refs to objects of the project: a call once a version, and
 * once an object, however many refs it has. Names and digests are as in the refs, encoded.
 */
export function compileObjectUses(relation: Relation, { projectId, start, end, names }: UsesScope): Sql<ObjectUse> {
  const parameters = new Parameters()
  const prefixes = refPrefixesOf(projectId).map((prefix) => `${prefix}object/`)
  const where = { kind: 'listHolds', field: columnField('input_refs', 'texts'), texts: [], prefixes } as const
  const rows = scopeRowsSql({ projectId, where, start, end }, relation, ['input_refs', 'status'], parameters)
  const [texts, named] = [parameters.bind({ texts: prefixes }), names && parameters.bind({ texts: spelled(names) })]
  const inProject = `len(list_filter(${texts}, lambda p: starts_with(x, p))) > 0`
  // What follows the prefix: its name, a colon, its digest, and perhaps a path inside it.
  const parts = `regexp_extract(x, '/object/([^/:]+:[^/:]+)', 1)`
  const wanted = named === undefined ? '' : `AND list_contains(${named}, split_part(version, ':', 1))`
  const versionsMax = `${parameters.bind(BigInt(operationLimits.usedVersionsMax + 1))}::BIGINT`
  return {
    text: `WITH calls AS (
        SELECT row_number() OVER () AS call, status = 'error' AS failed,
          list_distinct([${parts} FOR x IN input_refs IF ${inProject}]) AS versions FROM (${rows})),
      used AS (SELECT call, failed, split_part(version, ':', 1) AS name, split_part(version, ':', 2) AS digest
        FROM (SELECT call, failed, unnest(versions) AS version FROM calls) WHERE version <> '' ${wanted}),
      versions AS (SELECT name, digest, count(*) AS calls, count(*) FILTER (failed) AS errors
        FROM used GROUP BY name, digest ORDER BY calls DESC, name, digest LIMIT ${versionsMax}),
      objects AS (SELECT name, NULL::VARCHAR AS digest, count(DISTINCT call) AS calls,
          count(DISTINCT call) FILTER (failed) AS errors
        FROM used SEMI JOIN versions USING (name) GROUP BY name)
      SELECT name, digest, calls, errors FROM (FROM versions UNION ALL FROM objects)
      ORDER BY calls DESC, name, digest`,
    values: parameters.values,
    shape: useShape,
  }
}

/** Names as they may be in refs: SDKs encode them. */
const spelled = (names: readonly string[]): string[] => names.flatMap((name) => [name, encodeURIComponent(name)])
