/**
 * SQL condition: none of the mask tables has the key of the row `alias`. Rows without a key are in
 * none.
 *
 * It is not a `NOT EXISTS` for each mask: if there are several, or other conditions, DuckDB would
 * first collect the distinct keys of all rows in a hash table. See
 * docs/decisions/310-masks-in-one-list.md.
 */
export function notMaskedSql(alias: string, key: readonly [string, string], masks: readonly string[]): string {
  const columns = key.map((name) => `"${name}"`).join(', ')
  const ofRow = key.map((name) => `${alias}."${name}"`).join(', ')
  const masked = masks.map((mask) => `SELECT ${columns} FROM "${mask}"`).join(' UNION ALL ')
  return `((${ofRow}) IN (${masked})) IS NOT TRUE`
}
