import type { SqlEngine } from '../sql-engine.ts'

/** Spark reads escapes in texts. */
const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const pathOf = (path: readonly string[]) => path.map((name) => `['${name}']`).join('')

export const spark: SqlEngine = {
  title: 'Spark',
  limits: ['Numbers inside scores may be written in another way. The views need Spark 4.'],
  literal,
  createSchema: (schema) => `CREATE SCHEMA IF NOT EXISTS ${schema};`,
  deltaTable: (folder) => `delta.\`${folder.replaceAll('`', '``')}\``,
  // Below a wildcard, strings keep their quotes, so that the text is JSON.
  at: (json, ...path) => `get_json_object(concat('[', ${json}, ']'), ${literal(`$[*]${pathOf(path)}`)})`,
  textAt: (json, ...path) => `get_json_object(${json}, ${literal(`$${pathOf(path)}`)})`,
  items: (json) =>
    `coalesce(CASE WHEN substr(${json}, 1, 1) = '[' THEN from_json(${json}, 'array<string>') END, array())`,
  unnestItems: (from) => `(SELECT i.*, u.item, CAST(u.item_number AS BIGINT) AS item_index
    FROM (${from}) i LATERAL VIEW posexplode(i.items) u AS item_number, item)`,
  unnestMembers: (from) => `(SELECT m.*, u.member, to_json(u.member_value) AS member_json
    FROM (${from}) m LATERAL VIEW explode(from_json(m.members, 'map<string,variant>')) u AS member, member_value)`,
  map: (list, body) => `transform(${list}, each -> ${body('each')})`,
  joined: (list) => `array_join(${list}, '')`,
  length: (list) => `CAST(size(${list}) AS BIGINT)`,
  contains: (list, text) => `coalesce(array_contains(${list}, ${text}), false)`,
  number: (text) => `try_cast(${text} AS DOUBLE)`,
  matches: (text, pattern) => `${text} RLIKE ${literal(pattern)}`,
  firstGroup: (text, pattern) => `nullif(regexp_extract(${text}, ${literal(pattern)}, 1), '')`,
  without: (text, pattern) => `regexp_replace(${text}, ${literal(pattern)}, '')`,
  urlDecoded: (text) => `coalesce(try_url_decode(replace(${text}, '+', '%2B')), ${text})`,
  micros: (time) => `unix_micros(${time})`,
  quantile: (value, share) => `percentile(${value}, ${share})`,
}
