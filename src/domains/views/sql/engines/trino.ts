import { textLiteral } from '../../../../runtime/duck/column-types.ts'
import type { SqlEngine } from '../sql-engine.ts'

const pathOf = (path: readonly string[]) =>
  textLiteral(`$${path.map((name) => `["${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"]`).join('')}`)
const at = (json: string, ...path: readonly string[]) =>
  `nullif(json_format(json_extract(${json}, ${pathOf(path)})), 'null')`

/** Trino's own quantiles are approximate. */
function quantile(value: string, share: number): string {
  const sorted = `array_sort(array_agg(${value}) FILTER (WHERE ${value} IS NOT NULL))`
  const place = `(${share}E0 * (cardinality(${sorted}) - 1))`
  const item = (round: string) => `element_at(${sorted}, CAST(${round}(${place}) AS BIGINT) + 1)`
  return `${item('floor')} + (${place} - floor(${place})) * (${item('ceiling')} - ${item('floor')})`
}

/** How its statements are checked: docs/decisions/306-trino-in-the-suite.md. */
export const trino: SqlEngine = {
  title: 'Trino',
  limits: [
    'Trino reads times of Delta tables in milliseconds: what is computed of microseconds is rounded to them.',
    'Numbers inside JSON members (scores, rows, outputs) may be written in another way.',
  ],
  literal: textLiteral,
  createSchema: (schema) => `CREATE SCHEMA IF NOT EXISTS ${schema};`,
  deltaTable: (folder) => {
    throw new Error(`Trino reads ${folder} by its registered name`)
  },
  at,
  textAt: (json, ...path) => `coalesce(json_extract_scalar(${json}, ${pathOf(path)}), ${at(json, ...path)})`,
  items: (json) =>
    `coalesce(transform(TRY(CAST(json_parse(${json}) AS ARRAY(JSON))), each -> json_format(each)),
      CAST(ARRAY[] AS ARRAY(VARCHAR)))`,
  unnestItems: (from) => `(SELECT i.*, u.item, u.item_number - 1 AS item_index
    FROM (${from}) i CROSS JOIN UNNEST(i.items) WITH ORDINALITY AS u (item, item_number))`,
  unnestMembers: (from) => `(SELECT m.*, u.member, json_format(u.member_value) AS member_json
    FROM (${from}) m CROSS JOIN UNNEST(CAST(json_parse(m.members) AS MAP(VARCHAR, JSON))) AS u (member, member_value))`,
  map: (list, body) => `transform(${list}, each -> ${body('each')})`,
  joined: (list) => `array_join(${list}, '')`,
  length: (list) => `cardinality(${list})`,
  contains: (list, text) => `coalesce(contains(${list}, ${text}), false)`,
  number: (text) => `TRY_CAST(${text} AS DOUBLE)`,
  matches: (text, pattern) => `regexp_like(${text}, ${textLiteral(pattern)})`,
  firstGroup: (text, pattern) => `nullif(regexp_extract(${text}, ${textLiteral(pattern)}, 1), '')`,
  without: (text, pattern) => `regexp_replace(${text}, ${textLiteral(pattern)}, '')`,
  urlDecoded: (text) => `coalesce(TRY(url_decode(replace(${text}, '+', '%2B'))), ${text})`,
  micros: (time) => `CAST(to_unixtime(${time}) * 1000000 AS BIGINT)`,
  quantile,
}
