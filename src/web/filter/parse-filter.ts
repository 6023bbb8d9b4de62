import { itemAt } from '../../lib/present.ts'
import { filterText } from '../text/filter.ts'
import {
  allOf,
  anyOf,
  type Comparator,
  condition,
  FilterError,
  type FilterNode,
  type FilterValue,
  negated,
} from './expression.ts'
import { type FieldKind, kindOfPath, namedFields, openFields, pathOfName } from './fields.ts'
import { expectedOf, readValue } from './read-value.ts'
import { type Token, tokensOf } from './tokens.ts'

/** The name that a misspelt one most likely means: at most two edits away. */
function similarName(misspelt: string, names: readonly string[]): string | undefined {
  const close = names
    .map((name) => ({ name, edits: editsBetween(misspelt.toLowerCase(), name) }))
    .filter(({ name, edits }) => edits <= Math.min(2, name.length - 2))
  return close.sort((a, b) => a.edits - b.edits)[0]?.name
}

/** Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length }, (_, index) => index + 1)
  let last = b.length
  for (const [i, letter] of [...a].entries()) {
    // Edits for one letter less of `b`: in this row, and in the row above.
    last = i + 1
    let diagonal = i
    row = row.map((above, j) => {
      last = Math.min(above + 1, last + 1, diagonal + (letter === b[j] ? 0 : 1))
      diagonal = above
      return last
    })
  }
  return last
}

/** Longest filter that is read. */
const filterCharsMax = 8_000
const depthMax = 20

/**
 * Reads a filter text such as `latency > 5s and inputs.user = "ann"`. Undefined for an empty one.
 * @throws {FilterError}
 */
export function parseFilter(text: string): FilterNode | undefined {
  if (text.length > filterCharsMax) {
    throw new FilterError(filterText.tooLong(filterCharsMax), filterCharsMax, text.length)
  }
  return text.trim() === '' ? undefined : new Parser(text).whole()
}

const keywords = new Set(['and', 'or', 'not'])
const symbols = new Set<string>(['=', '!=', '>', '>=', '<', '<='])

class Parser {
  private readonly text: string
  private readonly tokens: readonly Token[]
  private at = 0
  private depth = 0

  constructor(text: string) {
    this.text = text
    this.tokens = tokensOf(text)
  }

  whole(): FilterNode {
    const node = this.anyOfThem()
    if (this.peek().kind !== 'end') throw this.expected(filterText.aCondition)
    return node
  }

  private anyOfThem(): FilterNode {
    const first = this.allOfThem()
    const others: FilterNode[] = []
    while (this.skipWord('or')) others.push(this.allOfThem())
    return anyOf([first, ...others]) ?? first
  }

  /** `and` may be left out between conditions. */
  private allOfThem(): FilterNode {
    const first = this.one()
    const items = [first]
    for (;;) {
      if (this.skipWord('and')) items.push(this.one())
      else if (this.peek().kind === 'end' || this.peek().kind === 'close' || this.isWord(this.peek(), 'or')) break
      else items.push(this.one())
    }
    return allOf(items) ?? first
  }

  private one(): FilterNode {
    this.depth += 1
    if (this.depth > depthMax) throw this.fail(filterText.tooDeep, this.peek())
    try {
      if (this.skipWord('not')) return negated(this.one())
      if (this.peek().kind !== 'open') return this.comparison()
      this.take()
      const inside = this.anyOfThem()
      if (this.peek().kind !== 'close') throw this.expected(filterText.closing)
      this.take()
      return inside
    } finally {
      this.depth -= 1
    }
  }

  private comparison(): FilterNode {
    const token = this.peek()
    if (token.isOpen) throw this.fail(this.expectation(filterText.closingQuote, this.endToken), this.endToken)
    if (token.kind === 'quoted') return { kind: 'text', text: this.take().text }
    if ((token.kind !== 'word' && token.kind !== 'path') || keywords.has(token.text.toLowerCase())) {
      throw this.expected(filterText.aCondition)
    }
    const sized = this.sizeOf()
    if (sized) return this.rest(sized, true, token.from)
    const colon = this.colon(token)
    if (colon) return colon
    // A word alone is searched for, a word before an operator is a field.
    if (token.kind === 'word' && this.comparatorAt(this.at + 1) === undefined) {
      return { kind: 'text', text: this.take().text }
    }
    return this.rest(this.take(), false, token.from)
  }

  /** `size(inputs.messages)`. */
  private sizeOf(): Token | undefined {
    const [name, open, field, close] = this.tokens.slice(this.at, this.at + 4)
    if (!name || !this.isWord(name, 'size') || open?.kind !== 'open' || open.from !== name.to) return undefined
    if (!field || close?.kind !== 'close') return undefined
    this.at += 4
    return field
  }

  /** `status:error`, as other search fields have it. */
  private colon(token: Token): FilterNode | undefined {
    const [, name, value] = token.kind === 'word' ? (/^([a-z_]+):(?!\/)(.*)$/i.exec(token.text) ?? []) : []
    const path = name === undefined ? undefined : pathOfName(name.toLowerCase())
    if (name === undefined || path === undefined) return undefined
    if (value !== '') {
      this.take()
      const from = token.from + name.length + 1
      return condition(path, '=', [
        this.valueOf(kindOfPath(path), { kind: 'word', text: value ?? '', from, to: token.to }, name),
      ])
    }
    const follows = this.tokens[this.at + 1]
    if (follows?.kind !== 'quoted' || follows.from !== token.to) return undefined
    this.at += 2
    return condition(path, '=', [this.valueOf(kindOfPath(path), follows, name)])
  }

  private rest(field: Token, isSize: boolean, from: number): FilterNode {
    const path = pathOfName(field.text)
    if (path === undefined) {
      const names = [...namedFields.map(({ name }) => name), ...openFields]
      throw this.fail(filterText.unknownField(field.text, similarName(field.text, names)), field)
    }
    const found = this.comparatorAt(this.at)
    if (!found) throw this.expected(filterText.aComparator)
    this.at += found.length
    const { comparator } = found
    if (comparator === 'exists' || comparator === 'missing') return condition(path, comparator, [], isSize)
    const kind = isSize ? 'any' : kindOfPath(path)
    const after = this.text.slice(from, itemAt(this.tokens, this.at - 1).to)
    if (comparator === 'in' || comparator === 'not in') {
      return condition(path, comparator, this.list(kind, after), isSize)
    }
    if (this.isWord(this.peek(), 'null') && (comparator === '=' || comparator === '!=')) {
      this.take()
      return condition(path, comparator === '=' ? 'missing' : 'exists', [], isSize)
    }
    const isSearch = comparator.includes('contains') || comparator === 'has word'
    const value = this.valueOf(isSearch ? 'text' : kind, this.peek(), after)
    const isBound = symbols.has(comparator) && comparator !== '=' && comparator !== '!='
    if (isSize && typeof value !== 'number') throw this.fail(this.expectation(filterText.aNumber, this.peek(), after))
    if (isBound && typeof value === 'boolean') throw this.fail(this.expectation(filterText.aNumber, this.peek(), after))
    this.take()
    return condition(path, comparator, [value], isSize)
  }

  private list(kind: FieldKind, after: string): FilterValue[] {
    if (this.peek().kind !== 'open') throw this.expected(filterText.aList, after)
    this.take()
    const values: FilterValue[] = []
    for (;;) {
      values.push(this.valueOf(kind, this.peek(), after))
      this.take()
      if (this.peek().kind === 'close') break
      if (this.peek().kind !== 'comma') throw this.expected(filterText.closing)
      this.take()
    }
    this.take()
    return values
  }

  private valueOf(kind: FieldKind, token: Token, after: string): FilterValue {
    const isQuoted = token.kind === 'quoted'
    if (token.isOpen) throw this.fail(this.expectation(filterText.closingQuote, this.endToken), this.endToken)
    const isValue = isQuoted || token.kind === 'word'
    const value = isValue && (isQuoted || token.text !== '') ? readValue(kind, token.text, isQuoted) : undefined
    if (value === undefined) throw this.fail(this.expectation(expectedOf(kind), token, after), token)
    return value
  }

  /** The operator that begins at a token, and how many tokens it takes. */
  private comparatorAt(index: number): { comparator: Comparator; length: number } | undefined {
    const words = this.tokens.slice(index, index + 2)
    const [first, second] = words.map((token) => (token.kind === 'word' ? token.text.toLowerCase() : undefined))
    if (words[0]?.kind === 'operator') return { comparator: words[0].text, length: 1 }
    const one = (comparator: Comparator) => ({ comparator, length: 1 })
    const two = (comparator: Comparator) => ({ comparator, length: 2 })
    switch (first) {
      case 'is':
        return second === 'not' ? two('!=') : second === 'missing' ? two('missing') : one('=')
      case 'not':
        return second === 'contains' ? two('not contains') : second === 'in' ? two('not in') : undefined
      case 'contains':
        return second === 'exactly' && this.tokens[index + 2]?.kind === 'quoted' ? two('contains exactly') : one(first)
      case 'has':
        return second === 'word' ? two('has word') : undefined
      case 'in':
        return words[1]?.kind === 'open' ? one('in') : undefined
      case 'exists':
      case 'missing':
        return one(first)
      default:
        return undefined
    }
  }

  private peek(): Token {
    return itemAt(this.tokens, this.at)
  }

  private get endToken(): Token {
    return itemAt(this.tokens, this.tokens.length - 1)
  }

  private take(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.at += 1
    return token
  }

  private isWord = (token: Token, word: string): boolean => token.kind === 'word' && token.text.toLowerCase() === word

  private skipWord(word: string): boolean {
    const isThere = this.isWord(this.peek(), word)
    if (isThere) this.at += 1
    return isThere
  }

  private expected(what: string, after?: string): FilterError {
    return this.fail(this.expectation(what, this.peek(), after))
  }

  private expectation(what: string, token: Token, after?: string): string {
    const previous = this.tokens[this.tokens.indexOf(token) - 1]
    return filterText.expected(what, after ?? previous?.text ?? '', this.text.slice(token.from, token.to))
  }

  private fail(message: string, token = this.peek()): FilterError {
    return new FilterError(message, token.from, token.to)
  }
}
