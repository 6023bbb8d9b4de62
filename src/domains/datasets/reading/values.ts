import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { isHolder } from '../../../formats/wire/marked-numbers.ts'
import { isDeeperThan, isJsonObject, isRawNumber, rawNumber } from '../../../lib/json-value.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import type { ColumnType } from '../model/datasets.ts'

/** Why a text is not a value of a type. */
export class Refused {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** More digits are lost by programs that read numbers as doubles. */
const safeDigits = 15

/** Whether a text is a JSON number that is within the range of numbers. */
export const isNumberText = (text: string): boolean => numberText.test(text) && Number.isFinite(Number(text))

/** The number with its spelling. */
function numberOf(text: string): unknown {
  const value = Number(text)
  if (String(value) === text && Number.isFinite(value)) return value
  if (!numberText.test(text)) return new Refused(`it is not a number${leadsWithZero(text) ? ': it starts with 0' : ''}`)
  if (!Number.isFinite(value)) return new Refused('it is outside the range of numbers')
  return rawNumber(text)
}

const leadsWithZero = (text: string): boolean => /^-?0\d+$/.test(text)

/**
 * JSON text as a value that keeps its spelling.
 *
 * @param levels how deep it may be nested; a cell has one less than the row around it
 */
export function jsonOf(text: string, levels = requestLimits.jsonDepthMax - 1): unknown {
  let value: unknown
  try {
    value = parseExactly(text)
  } catch {
    return new Refused('it is not JSON')
  }
  if (isDeeperThan(value, levels)) return new Refused(`it is nested deeper than ${requestLimits.jsonDepthMax} levels`)
  return holdsInfinite(value) ? new Refused('it has a number outside the range of numbers') : value
}

function holdsInfinite(value: unknown): boolean {
  if (!isHolder(value)) return typeof value === 'number' && !Number.isFinite(value)
  if (isRawNumber(value)) return !Number.isFinite(Number(value.rawJSON))
  for (const key in value) if (holdsInfinite(value[key])) return true
  return false
}

/** Whether a value is a list of messages: objects with a role and a content. */
export const isMessages = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => isJsonObject(item) && typeof item['role'] === 'string' && Object.hasOwn(item, 'content'))

const noMessages = new Refused('it is not a list of messages with role and content')

/** The value of a cell that is not empty, or why it is none of that type. */
export function valueOfText(text: string, type: ColumnType): unknown {
  switch (type) {
    case 'text':
    case 'auto':
      return text
    case 'number':
      return numberOf(text)
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : new Refused('it is neither true nor false')
    case 'json':
      return jsonOf(text)
    case 'messages': {
      const value = jsonOf(text)
      return value instanceof Refused || isMessages(value) ? value : noMessages
    }
  }
}

/** The same for a value that has a type already. */
export function valueOfJson(value: unknown, type: ColumnType): unknown {
  if (type === 'auto' || type === 'json' || value === null) return value
  if (type === 'messages') return isMessages(value) ? value : noMessages
  if (type === 'text') return typeof value === 'string' ? value : JSON.stringify(value)
  if (type === 'boolean' && typeof value === 'boolean') return value
  if (type === 'number' && (typeof value === 'number' || isRawNumber(value))) return value
  return valueOfText(typeof value === 'string' ? value : JSON.stringify(value), type)
}

/** Guesses the type of a column from its cells. */
export class TypeGuess {
  /** Cells with a value, and the first line on which a type is ruled out, with the value. */
  private values = 0
  private noNumber: string | undefined
  private noBoolean: string | undefined
  private noJson = false
  private noMessages = false
  empty = 0

  /** @param isEmpty whether the cell has no value */
  add(line: number, text: string, isEmpty: boolean): void {
    if (isEmpty) {
      this.empty++
      return
    }
    this.values++
    this.noNumber ??= whyNoNumber(text, line)
    if (this.noBoolean === undefined && text !== 'true' && text !== 'false') this.noBoolean = place(text, line)
    if (this.noJson) return
    const first = text.trimStart()[0]
    const value = first === '{' || first === '[' ? jsonOf(text) : undefined
    if (typeof value !== 'object' || value === null || value instanceof Refused) this.noJson = true
    else this.noMessages ||= !isMessages(value)
  }

  /** The type and why. */
  get result(): { readonly type: ColumnType; readonly why: string } {
    const { values } = this
    if (values === 0) return { type: 'text', why: 'All cells of the sample are empty.' }
    const all = values === 1 ? 'The only value of the sample is' : `All ${values} values of the sample are`
    if (this.noNumber === undefined) return { type: 'number', why: `${all} a number that keeps its spelling.` }
    if (this.noBoolean === undefined) return { type: 'boolean', why: `${all} true or false.` }
    if (!this.noJson && !this.noMessages) return { type: 'messages', why: `${all} a list of messages.` }
    if (!this.noJson) return { type: 'json', why: `${all} a JSON object or array.` }
    return { type: 'text', why: `${this.noNumber}.` }
  }
}

const place = (text: string, line: number): string =>
  `Line ${line} has “${text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text}”`

function whyNoNumber(text: string, line: number): string | undefined {
  if (!numberText.test(text)) {
    const why = leadsWithZero(text) ? ', whose zeros a number would lose' : ', which is not a number'
    return place(text, line) + why
  }
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  if (digits.length > safeDigits) return `${place(text, line)}, which has more digits than numbers keep`
  return Number.isFinite(Number(text)) ? undefined : `${place(text, line)}, which is too large for a number`
}
