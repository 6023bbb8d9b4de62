import { writeDuration } from './duration.ts'
import type { Condition, FilterNode, FilterValue } from './expression.ts'
import { type FieldKind, kindOfPath, nameOfPath, statusWords } from './fields.ts'
import { inQuotes } from './tokens.ts'

/** The text of a filter, which `parseFilter` reads as the same filter. */
export const formatFilter = (node: FilterNode | undefined): string => (node === undefined ? '' : write(node, 'any'))

/** Text of a value in a filter on `path`. */
export const formatValue = (path: string, value: FilterValue): string => writeValue(kindOfPath(path), value)

/** Text of a condition's field. */
export function formatField({ path, isSize }: Pick<Condition, 'path' | 'isSize'>): string {
  const name = nameOfPath(path)
  const isPlain = /^[^\s()",=<>“`!]+$/.test(name) && !keywords.test(name)
  const text = isPlain ? name : `\`${name.replaceAll('`', '``')}\``
  return isSize ? `size(${text})` : text
}

const keywords = /^(and|or|not|size)$/i

/** `inside` is the kind of the surrounding expression: `and` binds more tightly than `or`. */
function write(node: FilterNode, inside: 'any' | 'all' | 'not'): string {
  switch (node.kind) {
    case 'text':
      return inQuotes(node.text)
    case 'condition':
      return writeCondition(node)
    case 'not':
      return `not ${write(node.item, 'not')}`
    case 'all':
      return inParentheses(node.items.map((item) => write(item, 'all')).join(' and '), inside === 'not')
    case 'any':
      return inParentheses(node.items.map((item) => write(item, 'any')).join(' or '), inside !== 'any')
  }
}

const inParentheses = (text: string, isNeeded: boolean): string => (isNeeded ? `(${text})` : text)

function writeCondition({ path, isSize, comparator, values }: Condition): string {
  const field = formatField({ path, isSize })
  const isSearch = comparator.includes('contains') || comparator === 'has word'
  const kind = isSearch ? 'text' : isSize ? 'any' : kindOfPath(path)
  const written = values.map((value) => writeValue(kind, value))
  if (comparator === 'exists' || comparator === 'missing') return `${field} ${comparator}`
  if (comparator === 'in' || comparator === 'not in') return `${field} ${comparator} (${written.join(', ')})`
  return `${field} ${comparator} ${written[0]}`
}

function writeValue(kind: FieldKind, value: FilterValue): string {
  if (typeof value !== 'string') return kind === 'duration' ? writeDuration(Number(value)) : String(value)
  if (kind === 'time') return value
  if (kind !== 'status') return inQuotes(value)
  const word = Object.entries(statusWords).find(([, status]) => status === value)?.[0] ?? value
  return /^\w+$/.test(word) ? word : inQuotes(word)
}
