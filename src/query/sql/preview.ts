import type { Parameters } from './parameters.ts'

/**
 * The text that says most about a JSON value (SQL of JSON text), cut to a number of characters: a
 * string itself, the text of the last message, that of the only member, else the JSON text.
 */
export function previewSql(json: string, chars: number, parameters: Parameters): string {
  const text = named('j', `nullif(${json}, 'null')::JSON`, (whole) => {
    const otherwise = `${whole}::VARCHAR`
    const only = named(
      'o',
      `json_extract(${whole}, '$.*')[1]`,
      (member) => `coalesce(${telling(member)}, ${member}::VARCHAR)`,
    )
    const isOnly = `json_type(${whole}) = 'OBJECT' AND len(json_keys(${whole})) = 1`
    return `coalesce(${telling(whole)}, CASE WHEN ${isOnly} THEN ${only} END, ${otherwise})`
  })
  return `left(${text}, ${parameters.bind(BigInt(chars))}::BIGINT)`
}

/** A string itself, or the text of the message in a value; null if there is neither. */
const telling = (value: string): string =>
  `CASE json_type(${value}) WHEN 'VARCHAR' THEN ${value} ->> '$'
    WHEN 'ARRAY' THEN ${named('m', `json_extract(${value}, '$[#-1]')`, messageText)}
    WHEN 'OBJECT' THEN ${named(
      'p',
      `json_extract(${value}, ${places})`,
      (found) =>
        // A value with content is a message itself.
        `coalesce(${[1, 2, 3].map((at) => named('m', `${found}[${at}]`, messageText)).join(', ')},
        ${contentText(`${found}[4]`)})`,
    )} END`

/** The last of a list of messages, the message of a completion, a message, and content. */
const places = `['$.messages[#-1]', '$.choices[0].message', '$.message', '$.content']`

const messageText = (message: string): string => {
  const text = named('c', `json_extract(${message}, '/content')`, contentText)
  return `CASE WHEN json_type(${message}) = 'OBJECT' THEN ${text} END`
}

/** Content is a text, or a list of parts of which some have a text. */
const contentText = (content: string): string =>
  `CASE json_type(${content}) WHEN 'VARCHAR' THEN ${content} ->> '$'
    WHEN 'ARRAY' THEN nullif(array_to_string(${content} ->> '$[*].text', chr(10)), '') END`

/** `of` over a name for a value, which DuckDB would otherwise compute once per mention. */
const named = (name: string, value: string, of: (name: string) => string): string =>
  `list_transform([${value}], lambda ${name}: ${of(name)})[1]`
