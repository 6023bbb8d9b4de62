import { itemAt } from '../../../lib/present.ts'
import type { Relation } from '../../../lib/relation.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../../lib/typed-rows.ts'
import { startedWithin, type TimeWindow } from '../../../query/calls-plan.ts'
import { lowerRows, type RowsWanted } from '../../../query/check/lower.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { rowsSql } from '../../../query/sql/rows.ts'

/** Texts in which another one is searched. */
interface SearchedTexts {
  /** Columns that are returned as they are. */
  readonly shown: readonly string[]
  readonly columns: readonly string[]
  /** The search text for each column, in lower case and in the spelling of the column. */
  readonly needles: readonly string[]
  /** For longer texts, only the surroundings of the first occurrence are returned. */
  readonly charsMax: number
  readonly charsAround: number
}

/**
 * Calls with some of their columns, followed by the texts of the columns that contain the search
 * text; other texts are null. A truncated text begins with a null character.
 */
export function compileSearchedTexts(
  wanted: Omit<RowsWanted, 'columns'>,
  { shown, columns, needles, charsMax, charsAround }: SearchedTexts,
): Sql {
  const parameters = new Parameters()
  const rows = rowsSql(lowerRows({ ...wanted, columns: [...new Set([...shown, ...columns])] }), parameters)
  const [longest, around] = [charsMax, charsAround].map((chars) => `${parameters.bind(BigInt(chars))}::BIGINT`)
  const texts = columns.map((column, at) => {
    const [text, needle] = [`r."${column}"`, parameters.bind(itemAt(needles, at))]
    const place = `strpos(lower(${text}), ${needle})`
    return `CASE WHEN NOT contains(lower(${text}), ${needle}) THEN NULL WHEN strlen(${text}) <= ${longest} THEN ${text}
      ELSE chr(0) || substr(${text}, greatest(1, ${place} - ${around}), 2 * ${around} + length(${needle})) END`
  })
  const items = [...shown.map((name) => `r."${name}"`), ...texts]
  return { text: `SELECT ${items.join(', ')} FROM (${rows}) r`, values: parameters.values }
}

/** How finely the starts of a project's calls are counted: at least this long, at most so many. */
const tickMicros = 10_000_000
const buckets = 2000

const bucketShape = rowShape({ through: 'integer', calls: 'integer' })

/**
 * The starts of all calls of a project in a window, counted in buckets of equal length, the newest
 * first: rows of the latest possible start in the bucket (microseconds), and calls.
 */
export function compileStartHistogram(
  relation: Relation,
  projectId: string,
  window: TimeWindow,
): Sql<RowOfShape<typeof bucketShape>> {
  const parameters = new Parameters()
  const wanted = { relation, projectId, where: startedWithin(window), columns: ['started_at'] }
  const rows = rowsSql(lowerRows(wanted), parameters)
  return {
    // Counted twice, so that the rows are read only once.
    text: `WITH ticks AS MATERIALIZED (
        SELECT epoch_us(started_at) // ${tickMicros} AS tick, count(*) AS calls FROM (${rows}) GROUP BY tick),
      bounds AS (SELECT min(tick) AS low, (max(tick) - min(tick)) // ${buckets} + 1 AS width FROM ticks)
      SELECT (any_value(low) + (bucket + 1) * any_value(width)) * ${tickMicros} - 1, sum(calls)::BIGINT
      FROM (SELECT low, width, calls, (tick - low) // width AS bucket FROM ticks, bounds)
      GROUP BY bucket ORDER BY bucket DESC`,
    values: parameters.values,
    shape: bucketShape,
  }
}
