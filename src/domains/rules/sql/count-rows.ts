import type { Sql } from '../../../lib/sql.ts'
import { rowShape } from '../../../lib/typed-rows.ts'

/** The number of rows of a statement. */
export const countRows = ({ text, values }: Sql) => ({
  text: `SELECT count(*) AS n FROM (${text})`,
  values,
  shape: rowShape({ n: 'number' }),
})
