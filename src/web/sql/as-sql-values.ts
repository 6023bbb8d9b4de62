/** A field of filters as SQL over `calls`. */
export interface SqlField {
  readonly type: 'text' | 'texts' | 'number' | 'time' | 'json'
  /** SQL of the value; of a value in JSON as a plain text: without quotes, null for JSON null. */
  readonly sql: string
  /** SQL of a value in JSON as JSON text. */
  readonly json?: string
  /** A missing text counts as empty, except in conditions on whether it exists. */
  readonly isEmptyIfMissing?: boolean
  /** Clients differ in the case of the values. */
  readonly inSeveralCases?: boolean
  /** Puts a condition on related rows into one on calls. */
  readonly within?: (condition: string, isPresenceTest: boolean) => string
}

/** A text as a literal of SQL. */
export const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

/**
 * The text of a field. `5.0` in JSON reads as `5`, which matters only beside what may be part of a
 * number.
 *
 * @param isWhole whether only equal texts, or parts of them, are looked for
 */
export function textOf({ sql, json, isEmptyIfMissing }: SqlField, beside: string, isWhole = true): string {
  const isPlain = json === undefined || (isWhole && /[^-+0-9.eE]/.test(beside))
  const value = isPlain ? sql : `case when ends_with(${json}, '.0') then ${json}[:-3] else ${sql} end`
  return isEmptyIfMissing ? `coalesce(${value}, '')` : value
}

const numberText = '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$'

/** The number that a text is, else null. */
export const numberOf = (sql: string): string => `try_cast(regexp_extract(${sql}, ${text(numberText)}) as double)`

/** Members of an object, items of a list, or characters of a text; null for all else. */
export function sizeOf({ type, sql, json }: SqlField): string {
  switch (type) {
    case 'text':
      return `length(${sql})`
    case 'texts':
      return `coalesce(len(${sql}), 0)`
    case 'json': {
      const value = `${json}::json`
      return `case json_type(${value}) when 'ARRAY' then json_array_length(${value})
    when 'OBJECT' then len(json_keys(${value})) when 'VARCHAR' then length(${sql}) end`
    }
    default:
      return 'null::bigint'
  }
}
