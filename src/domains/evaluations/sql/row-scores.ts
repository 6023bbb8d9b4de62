import { jsonPointer } from '../../../lib/json-pointer.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { Parameters } from '../../../query/sql/parameters.ts'

/** Names of tables with the trials of evaluations, and with the rows that these belong to. */
export interface RowTables {
  /** With scores and outcome; see `trialsStatement`. */
  readonly trials: string
  /** See `rowsTableStatement`. */
  readonly rows: string
}

/**
 * The rows of evaluations, to be kept in a table: each with its `slot`, a number from 0 in the
 * order of evaluations and digests, the number of its trials, and of those that failed: with an
 * exception, or ended without output and scores, as a trial does whose model failed; the start of
 * the first in microseconds, and its id.
 */
export const rowsTableStatement = (trials: string): Sql<unknown> => ({
  text: `SELECT *, row_number() OVER (ORDER BY evaluation, row_digest) - 1 AS slot FROM (
    SELECT evaluation, row_digest, count(*) AS trials, count(*) FILTER (status = 'error' OR (ended_at IS NOT NULL AND
      outcome = '{"output":null}' AND scores = '{}')) AS failed, epoch_us(min(started_at)) AS begun_at,
      arg_min(id, (started_at, id)) AS first_trial
    FROM "${trials}" GROUP BY evaluation, row_digest)`,
  values: [],
})

const rowShapeOfRun = rowShape({
  evaluation: 'text',
  digest: 'text',
  trials: 'integer',
  failed: 'integer',
  startedAt: 'integer',
  firstTrial: 'text',
})

/** These rows in the order of their slots. */
export const rowsInOrder = ({ rows }: Pick<RowTables, 'rows'>): Sql<RowOfShape<typeof rowShapeOfRun>> => ({
  text: `SELECT evaluation, row_digest, trials, failed, begun_at, first_trial FROM "${rows}" ORDER BY slot`,
  values: [],
  shape: rowShapeOfRun,
})

const slotsShape = rowShape({ evaluation: 'text', first: 'integer', count: 'integer' })

/** The first slot of each evaluation, and how many it has. */
export const slotsStatement = ({ rows }: Pick<RowTables, 'rows'>): Sql<RowOfShape<typeof slotsShape>> => ({
  text: `SELECT evaluation, min(slot), count(*) FROM "${rows}" GROUP BY evaluation`,
  values: [],
  shape: slotsShape,
})

const firstTrialShape = rowShape({ evaluation: 'text', id: 'text' })

/** The first trials of the rows that each evaluation began first. */
export const firstTrialsStatement = (
  { rows }: Pick<RowTables, 'rows'>,
  rowsOfEach: number,
): Sql<RowOfShape<typeof firstTrialShape>> => ({
  text: `SELECT evaluation, first_trial FROM "${rows}"
    QUALIFY row_number() OVER (PARTITION BY evaluation ORDER BY begun_at, first_trial) <= ${rowsOfEach}`,
  values: [],
  shape: firstTrialShape,
})

/** What the values of a score in a row are: several may be. */
export const scoreKinds = { truth: 1, number: 2, infinite: 4 } as const

/**
 * The slot of each row, and for each path the mean of the numbers of its trials, with true as 1 and
 * false as 0, and its `scoreKinds`.
 */
export function rowScoresStatement({ trials, rows }: RowTables, paths: readonly (readonly string[])[]) {
  const parameters = new Parameters()
  const pointers = parameters.bind({ texts: paths.map(jsonPointer) })
  const each = (sql: (index: number) => string): string => paths.map((_, index) => sql(index)).join(', ')
  const number = (leaf: string): string =>
    `CASE ${leaf} WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE TRY_CAST(${leaf} AS DOUBLE) END`
  const { truth, number: finite, infinite } = scoreKinds
  const kinds = (index: number): string => `bit_or(CASE WHEN leaves[${index + 1}] IN ('true', 'false') THEN ${truth}
    WHEN n${index} IS NULL THEN 0 WHEN isfinite(n${index}) THEN ${finite} ELSE ${infinite} END)`
  return {
    text: `SELECT slot, ${each((index) => `avg(n${index}) FILTER (WHERE isfinite(n${index})), ${kinds(index)}`)}
      FROM (SELECT slot, leaves, ${each((index) => `${number(`leaves[${index + 1}]`)} AS n${index}`)}
        FROM (SELECT slot, json_extract(scores, ${pointers})::VARCHAR[] AS leaves
          FROM "${trials}" JOIN "${rows}" USING (evaluation, row_digest)))
      GROUP BY slot`,
    values: parameters.values,
    shape: rowShape(
      Object.fromEntries([
        ['slot', 'integer'],
        ...paths.flatMap((_, index) => [
          [`mean${index}`, 'number?'],
          [`kinds${index}`, 'integer'],
        ]),
      ]) as Record<'slot' | `kinds${number}`, 'integer'> & Record<`mean${number}`, 'number?'>,
    ),
  }
}
