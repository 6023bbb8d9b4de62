import type { Parameters } from './parameters.ts'

/**
 * The text that says most about a JSON value (SQL of JSON text), cut to a number of characters: a
 * string itself, the text of the last message, that of the only member, else the JSON text.
 *
 * DuckDB plans this for every request, and each mention of a value once more: the places of the
 * text are looked up together, and handled by one expression.
 */
export function previewSql(json: string, chars: number, parameters: Parameters): string {
  const value = `nullif(${json}, 'null')::JSON`
  const only = `CASE WHEN len(json_keys(j)) = 1 THEN json_extract(j, '$.*')[1] END`
  const values = named('j', value, `[j, ${only}]`)
  const shown = `list_any_value(list_transform(w, lambda v: ${messageTextSql}))`
  const text = named('w', values, `coalesce(${shown}, w[2]::VARCHAR, w[1]::VARCHAR)`)
  return `left(${text}, ${parameters.bind(BigInt(chars))}::BIGINT)`
}

/**
 * Where the text of a message is: in the last of a list or of `messages`, in the message of a
 * completion, or in the value itself.
 */
const places = [
  '$[#-1].content',
  '$.messages[#-1].content',
  '$.choices[0].message.content',
  '$.message.content',
  '$.content',
]

/** Content is a text, or a list of parts of which some have a text. */
const contentSql = `CASE json_type(c) WHEN 'VARCHAR' THEN c ->> '$'
  WHEN 'ARRAY' THEN nullif(array_to_string(c ->> '$[*].text', chr(10)), '') END`

/** A string `v` itself, or the text of the message in it; null if there is neither. */
const messageTextSql = `CASE WHEN json_type(v) = 'VARCHAR' THEN v ->> '$' ELSE list_any_value(list_transform(
  json_extract(v, [${places.map((place) => `'${place}'`).join(', ')}]), lambda c: ${contentSql})) END`

/** `of` over a name for a value, which DuckDB would otherwise compute once per mention. */
const named = (name: string, value: string, of: string): string =>
  `list_transform([${value}], lambda ${name}: ${of})[1]`
