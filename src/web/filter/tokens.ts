import { isKeyOf } from '../../lib/present.ts'

/** A piece of a filter text. `from` and `to` are positions in it. */
export type Token = OperatorToken | OtherToken

interface OperatorToken extends TokenPlace {
  readonly kind: 'operator'
  readonly text: Exclude<(typeof operators)[number], '=='>
}

interface OtherToken extends TokenPlace {
  readonly kind: 'word' | 'quoted' | 'path' | 'open' | 'close' | 'comma' | 'end'
  /** Without quotes and escapes. */
  readonly text: string
}

interface TokenPlace {
  readonly from: number
  readonly to: number
  /** A quoted text or path without its closing quote. */
  readonly isOpen?: true
}

const operators = ['!=', '>=', '<=', '==', '=', '>', '<'] as const
const single = { '(': 'open', ')': 'close', ',': 'comma' } as const
const closing: Readonly<Record<string, string>> = { '"': '"', '“': '”', '`': '`' }
const wordEnd = /[\s()",=<>“`]|!=/g

/** Splits a filter text; the last token is always `end`. Every text can be split. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at += 1
      continue
    }
    const token = tokenAt(text, at)
    tokens.push(token)
    at = token.to
  }
  return [...tokens, { kind: 'end', text: '', from: text.length, to: text.length }]
}

function tokenAt(text: string, from: number): Token {
  const first = text.charAt(from)
  if (isKeyOf(single, first)) return { kind: single[first], text: first, from, to: from + 1 }
  const operator = operators.find((known) => text.startsWith(known, from))
  if (operator) return { kind: 'operator', text: operator === '==' ? '=' : operator, from, to: from + operator.length }
  if (closing[first]) return quotedAt(text, from, closing[first])
  wordEnd.lastIndex = from
  const to = wordEnd.exec(text)?.index ?? text.length
  return { kind: 'word', text: text.slice(from, to), from, to }
}

function quotedAt(text: string, from: number, close: string): Token {
  const kind = close === '`' ? 'path' : 'quoted'
  let content = ''
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text.charAt(at)
    const next = text[at + 1]
    if (kind === 'path' && character === close && next === close) {
      content += close
      at += 1
      continue
    }
    if (character === close) return { kind, text: content, from, to: at + 1 }
    if (character === '\\' && next !== undefined && kind === 'quoted') {
      content += escapes[next] ?? next
      at += 1
    } else content += character
  }
  return { kind, text: content, from, to: text.length, isOpen: true }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** A text in quotes, as `tokensOf` reads it. */
export const inQuotes = (text: string): string => `"${text.replace(/["\\\n\t\r]/g, (part) => written[part] ?? part)}"`

const written: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
}
