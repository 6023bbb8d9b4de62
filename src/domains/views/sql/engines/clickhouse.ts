import { ConfigError } from '../../../../runtime/config/config-error.ts'
import type { SqlEngine } from '../sql-engine.ts'

/** ClickHouse reads escapes in texts. */
const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** A local folder, or objects in a store that speaks the protocol of S3. */
function deltaTable(folder: string): string {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(folder) ?? []
  if (scheme === undefined) return `deltaLakeLocal(${literal(folder)})`
  if (/^(?:s3a?|gs|https?)$/i.test(scheme)) return `deltaLake(${literal(folder.replace(/^s3a:/i, 's3:'))})`
  throw new ConfigError(
    `--location "${folder}": ClickHouse reads a folder, s3://, gs:// or https://; for another place, name its table ` +
      'function with --tables, as in --tables "deltaLakeAzure(storage, blob_path = \'lake/{table}\')"',
  )
}

const keys = (path: readonly string[]) => path.map((name) => `, ${literal(name)}`).join('')
const at = (json: string, ...path: readonly string[]) =>
  `nullIf(nullIf(JSONExtractRaw(${json}${keys(path)}), 'null'), '')`

export const clickhouse: SqlEngine = {
  title: 'ClickHouse',
  limits: ['Numbers inside JSON members (scores, rows, outputs) are rewritten as 64-bit integers or doubles.'],
  literal,
  createSchema: (schema) => `CREATE DATABASE IF NOT EXISTS ${schema};`,
  deltaTable,
  at,
  textAt: (json, ...path) =>
    `if(JSONType(ifNull(${json}, '')${keys(path)}) = 'String', JSONExtractString(${json}${keys(path)}),
      ${at(json, ...path)})`,
  items: (json) => `JSONExtractArrayRaw(ifNull(${json}, ''))`,
  unnestItems: (from) => `(SELECT *, item, toInt64(item_number) - 1 AS item_index
    FROM (${from}) AS i ARRAY JOIN items AS item, arrayEnumerate(items) AS item_number)`,
  unnestMembers: (from) => `(SELECT *, tupleElement(pair, 1) AS member, tupleElement(pair, 2) AS member_json
    FROM (${from}) AS m ARRAY JOIN JSONExtractKeysAndValuesRaw(ifNull(members, '')) AS pair)`,
  map: (list, body) => `arrayMap(each -> ${body('each')}, ${list})`,
  joined: (list) => `arrayStringConcat(arrayMap(each -> ifNull(each, ''), ${list}))`,
  length: (list) => `toInt64(length(${list}))`,
  contains: (list, text) => `has(${list}, ${text})`,
  number: (text) => `toFloat64OrNull(${text})`,
  matches: (text, pattern) => `match(${text}, ${literal(pattern)})`,
  firstGroup: (text, pattern) => `nullIf(extract(${text}, ${literal(pattern)}), '')`,
  without: (text, pattern) => `replaceRegexpAll(${text}, ${literal(pattern)}, '')`,
  urlDecoded: (text) => `decodeURLComponent(${text})`,
  micros: (time) => `toUnixTimestamp64Micro(${time})`,
  quantile: (value, share) => `quantileExactInclusive(${share})(${value})`,
}
