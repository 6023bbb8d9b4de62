import { itemAt } from '../../../lib/present.ts'
import type { Sql } from '../../../lib/sql.ts'
import { lowerRows, type RowsWanted } from '../../../query/check/lower.ts'
import { Parameters } from '../../../query/sql/parameters.ts'
import { rowsSql } from '../../../query/sql/rows.ts'

/** Texts in which another one is searched. */
export interface SearchedTexts {
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
