/**
 * A time as in the API. Goes through TIMESTAMP, because formatting TIMESTAMPTZ needs time zone
 * tables.
 */
export const timeText = (sql: string): string =>
  `replace(strftime(make_timestamp(epoch_us(${sql})), '%Y-%m-%dT%H:%M:%S.%fZ'), '.000000Z', 'Z')`

/**
 * SQL of a stored feedback type as clients read it: built-in types begin with `prefix`, all others
 * are returned unchanged.
 */
export function feedbackTypeSql(column: string, prefix: string): string {
  if (prefix === 'ext') return column
  return `CASE WHEN regexp_full_match(${column}, '${builtInTypes}') THEN '${prefix}.' || substr(${column}, 5)
    ELSE ${column} END`
}

/** Built-in feedback types as they are stored, as a regular expression. */
const builtInTypes = 'ext[.](reaction[.]1|note[.]1|agent_monitor|agent_user_feedback|(annotation|runnable)[.].*)'
