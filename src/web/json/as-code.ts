import { skipSpace } from './scan.ts'
import { unescapeJson } from './string-text.ts'

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[^"\d\-tfn]+|./gs

const pythonNames: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

/** JSON text as a Python literal: numbers to the letter, characters instead of escapes. */
export const asPython = (json: string): string =>
  json.replace(token, (part) => (part.startsWith('"') ? codeString(part) : (pythonNames[part] ?? part)))

/** JSON text as a JavaScript literal; integers that a number would round become BigInt. */
export const asJavaScript = (json: string): string =>
  json.replace(token, (part, at: number) => {
    if (part === '"__proto__"' && json[skipSpace(json, at + part.length)] === ':') return '["__proto__"]'
    if (part.startsWith('"')) return codeString(part)
    return /^-?\d+$/.test(part) && !Number.isSafeInteger(Number(part)) ? `${part}n` : part
  })

/** A string in double quotes with the escapes that both languages know. */
function codeString(spelling: string): string {
  const text = unescapeJson(spelling.slice(1, -1))
  const escaped = text.toWellFormed() === text ? text : undefined
  if (escaped === undefined) return spelling
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these need an escape.
  return `"${escaped.replace(/["\\\u0000-\u001f\u007f\u2028\u2029]/g, escapeChar)}"`
}

const named: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escapeChar = (char: string): string => named[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
