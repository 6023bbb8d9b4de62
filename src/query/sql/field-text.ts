import type { CountableField, UsageField } from '../catalog.ts'
import { jsonTextSql } from './json-value.ts'
import { timeText } from './output-values.ts'
import type { Scope } from './scope.ts'
import { fieldSql } from './value.ts'

/** The value of a field as JSON text; null if there is none. */
export function fieldTextSql(field: CountableField | UsageField, scope: Scope): string {
  if (field.kind === 'json') {
    const text = `nullif(${jsonTextSql(field, scope)}, 'null')`
    return field.inSeveralCases ? `lower(${text})` : text
  }
  const value = fieldSql(field, scope)
  if (field.kind === 'usage' && field.type === 'texts') return `to_json(${eachTextSql(value)})::VARCHAR`
  if (field.type === 'time') return `'"' || ${timeText(value)} || '"'`
  const present = field.type === 'text' ? `nullif(${value}, '')` : value
  return `to_json(${present})::VARCHAR`
}

/** A row for each text of a list, and one for a missing list. */
const eachTextSql = (list: string): string => `unnest(coalesce(${list}, [NULL]))`
