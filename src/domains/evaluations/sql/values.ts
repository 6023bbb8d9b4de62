import { jsonAtSql } from '../../../query/sql/json-value.ts'
import type { Parameters } from '../../../query/sql/parameters.ts'
import type { TrialValue } from '../plan/plan.ts'

/**
 * The value of a trial `t` at a path inside its row, output or scores, as JSON text; null if it is
 * missing or JSON null.
 */
export function trialValueSql({ source, path }: TrialValue, parameters: Parameters): string {
  const [column, first] = source === 'inputs' ? ['inputs', 'example'] : ['output', source]
  return jsonValueSql(`t."${column}"`, [first, ...path], parameters)
}

/** The same inside any JSON. */
export const jsonValueSql = (json: string, path: readonly string[], parameters: Parameters): string =>
  `nullif(${jsonAtSql(json, path, parameters)}::VARCHAR, 'null')`
