import { kindOfPath, namedFields, pathOfName, statusWords } from './fields.ts'
import { inQuotes, type Token, tokensOf } from './tokens.ts'

/** A possible continuation of a filter text. `from` is where the piece that it replaces begins. */
export interface CompletionPlace {
  readonly kind: 'field' | 'comparator' | 'value' | 'joiner'
  /** The part of the piece that is already typed. */
  readonly prefix: string
  readonly from: number
  /** Field of the value. */
  readonly path?: string
}

/** Operators offered after a field, by what its values are. */
export function comparatorsOf(path: string): readonly string[] {
  switch (kindOfPath(path)) {
    case 'duration':
    case 'amount':
      return ['>', '<', '>=', '<=']
    case 'time':
      return ['>=', '<']
    case 'status':
      return ['=', '!=']
    case 'model':
      return ['=', '!=', 'in', 'exists', 'missing']
    case 'op':
      return ['=', '!=', 'contains', 'in']
    case 'text':
      return ['=', '!=', 'contains', 'not contains', 'exists', 'missing', 'in']
    default:
      return ['=', '!=', '>', '<', 'contains', 'not contains', 'exists', 'missing', 'in']
  }
}

/** Possible continuations of `text`. */
export function completionPlace(text: string): CompletionPlace {
  const tokens = tokensOf(text)
  const end = text.length
  const last = tokens.at(-2)
  const isTouching = last !== undefined && last.to === end && last.kind !== 'operator'
  const before = isTouching ? tokens.slice(0, -2) : tokens.slice(0, -1)
  const prefix = isTouching && last.kind !== 'open' && last.kind !== 'comma' ? last.text : ''
  const from = isTouching && last.kind !== 'open' && last.kind !== 'comma' ? last.from : end
  if (isTouching && (last.kind === 'open' || last.kind === 'comma')) before.push(last)
  return { ...expectedAfter(before), prefix, from }
}

/** A value as it is written in a filter on `path`. */
export const writtenValue = (path: string, value: unknown): string => {
  if (kindOfPath(path) === 'status') {
    const word = Object.entries(statusWords).find(([, status]) => status === value)?.[0] ?? String(value)
    return /^\w+$/.test(word) ? word : inQuotes(word)
  }
  return typeof value === 'string' ? inQuotes(value) : String(value)
}

/** Short names of fields that begin with `prefix`. */
export const namedFieldsLike = (prefix: string): readonly string[] =>
  namedFields.map(({ name }) => name).filter((name) => name.startsWith(prefix.toLowerCase()))

const joins = new Set(['and', 'or', 'not'])
const valueless = new Set(['exists', 'missing'])

function expectedAfter(tokens: readonly Token[]): { kind: CompletionPlace['kind']; path?: string } {
  const last = tokens.at(-1)
  if (!last) return { kind: 'field' }
  const word = last.kind === 'word' ? last.text.toLowerCase() : undefined
  if (word !== undefined && valueless.has(word) && tokens.length > 1) return { kind: 'joiner' }
  const comparison = openComparison(tokens)
  if (comparison) return comparison
  if (last.kind === 'open' || (word !== undefined && joins.has(word))) return { kind: 'field' }
  return { kind: 'joiner' }
}

/** A comparison whose value is not there yet: a field alone, or a field and an operator. */
function openComparison(tokens: readonly Token[]): { kind: 'comparator' | 'value'; path?: string } | undefined {
  const at = tokens.findLastIndex((token, index) => isField(token) && !isValuePlace(tokens, index))
  const field = tokens[at]
  const path = field && pathOfName(field.text)
  if (!field || path === undefined) return undefined
  const rest = tokens.slice(at + 1)
  if (rest.length === 0) return { kind: 'comparator', path }
  const words = rest.map(({ text }) => text.toLowerCase()).join(' ')
  const isOperator = /^(!?=|[<>]=?|is( not)?|(not )?contains( exactly)?|has word)$/.test(words)
  const isOpenList = /^(not )?in \(/.test(words) && !words.includes(')') && /[(,]$/.test(words)
  return isOperator || isOpenList ? { kind: 'value', path } : undefined
}

const isField = ({ kind, text }: Token): boolean =>
  (kind === 'word' || kind === 'path') && !joins.has(text.toLowerCase()) && pathOfName(text) !== undefined

/** Whether a token is in the place of a value: directly after an operator. */
function isValuePlace(tokens: readonly Token[], index: number): boolean {
  const previous = tokens[index - 1]
  return previous?.kind === 'operator' || previous?.kind === 'comma' || previous?.text.toLowerCase() === 'contains'
}
