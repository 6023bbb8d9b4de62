import { filterText } from '../text/filter.ts'
import { readDuration } from './duration.ts'
import type { FilterValue } from './expression.ts'
import { type FieldKind, statusWords } from './fields.ts'

const numeral = /^-?\$?(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)$/i

/** Form of the values of a field, for messages. */
export const expectedOf = (kind: FieldKind): string =>
  kind === 'duration' || kind === 'amount'
    ? filterText.aNumber
    : kind === 'time'
      ? filterText.aTime
      : kind === 'status'
        ? filterText.aStatus
        : filterText.aValue

/** Value of a word or a quoted text for a field of that kind; undefined if it is none. */
export function readValue(kind: FieldKind, text: string, isQuoted: boolean): FilterValue | undefined {
  switch (kind) {
    case 'duration':
      return readDuration(text)
    case 'status':
      return readStatus(text)
    case 'time':
      return readTime(text)
    case 'amount': {
      const amount = readWord(text)
      return typeof amount === 'number' ? amount : undefined
    }
    case 'any':
      return isQuoted ? text : readWord(text)
    default:
      return text
  }
}

function readStatus(text: string): string | undefined {
  const word = text.toLowerCase().replaceAll('_', ' ')
  const statuses: readonly string[] = Object.values(statusWords)
  if (statuses.includes(text)) return text
  return Object.entries(statusWords).find(([known]) => known === word)?.[1]
}

/** Times without a zone are UTC, so that a link means the same everywhere. */
function readTime(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined
  const hasZone = /(z|[+-]\d\d:?\d\d)$/i.test(text)
  const date = new Date(text.length === 10 || hasZone ? text : `${text}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

function readWord(text: string): FilterValue {
  if (text === 'true' || text === 'false') return text === 'true'
  return numeral.test(text) ? readNumber(text.replace('$', '')) : text
}

function readNumber(text: string): number | bigint {
  const value = Number(text)
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value
}
