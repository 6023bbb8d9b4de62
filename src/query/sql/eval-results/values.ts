import type { TrialValue } from '../../eval-results/plan.ts'
import { jsonPointer } from '../../field-path.ts'
import type { Parameters } from '../parameters.ts'

/** What a trial `t` says at a path inside its row, its output or its scores, as JSON text; null where missing or null. */
export function trialValueSql({ source, path }: TrialValue, parameters: Parameters): string {
  const [column, first] = source === 'inputs' ? ['inputs', 'example'] : ['output', source]
  const pointer = parameters.bind(jsonPointer([first, ...path]))
  return `nullif(json_extract(t."${column}", ${pointer})::VARCHAR, 'null')`
}
