import { jsonPointer } from '../../../../lib/json-pointer.ts'
import { textLiteral } from '../../../../runtime/duck/column-types.ts'
import type { SqlEngine } from '../sql-engine.ts'

const pointer = (path: readonly string[]) => textLiteral(jsonPointer(path))

export const duckdb: SqlEngine = {
  title: 'DuckDB',
  limits: [],
  literal: textLiteral,
  createSchema: (schema) => `CREATE SCHEMA IF NOT EXISTS ${schema};`,
  deltaTable: (folder) => `delta_scan(${textLiteral(folder)})`,
  at: (json, ...path) => `nullif(CAST(json_extract(${json}, ${pointer(path)}) AS VARCHAR), 'null')`,
  textAt: (json, ...path) => `json_extract_string(${json}, ${pointer(path)})`,
  items: (json) =>
    `CASE WHEN substr(${json}, 1, 1) = '[' AND json_valid(${json}) THEN
      CAST(json_extract(${json}, '$[*]') AS VARCHAR[]) ELSE [] END`,
  unnestItems: (from) => `(SELECT *, unnest(items) AS item, unnest(range(len(items))) AS item_index FROM (${from}) i)`,
  unnestMembers: (from) => `(SELECT *, CAST(json_extract(members,
      '/' || replace(replace(member, '~', '~0'), '/', '~1')) AS VARCHAR) AS member_json
    FROM (SELECT *, unnest(json_keys(members)) AS member FROM (${from}) m) k)`,
  map: (list, body) => `[${body('each')} FOR each IN ${list}]`,
  joined: (list) => `array_to_string(${list}, '')`,
  length: (list) => `len(${list})`,
  contains: (list, text) => `coalesce(list_contains(${list}, ${text}), false)`,
  number: (text) => `TRY_CAST(${text} AS DOUBLE)`,
  matches: (text, pattern) => `regexp_matches(${text}, ${textLiteral(pattern)})`,
  firstGroup: (text, pattern) => `nullif(regexp_extract(${text}, ${textLiteral(pattern)}, 1), '')`,
  without: (text, pattern) => `regexp_replace(${text}, ${textLiteral(pattern)}, '')`,
  urlDecoded: (text) => `coalesce(TRY(url_decode(${text})), ${text})`,
  micros: (time) => `epoch_us(${time})`,
  quantile: (value, share) => `quantile_cont(${value}, ${share})`,
}
