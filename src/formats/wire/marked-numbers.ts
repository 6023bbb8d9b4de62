import { rawNumber } from '../../lib/json-value.ts'
import { itemAt } from '../../lib/present.ts'

/**
 * A place in a JSON text: whether a number there is kept as it is written, and which places are
 * below. Elsewhere numbers are JavaScript's. See docs/decisions/202-exact-numbers-by-schema.md.
 */
export interface NumberPlace {
  readonly isExact: boolean
  /** Marks of the members of an object, by name, where they differ from the others. */
  readonly members: ReadonlyMap<string, NumberPlace> | undefined
  /** Marks of all its other members. */
  readonly others: NumberPlace
  /** Marks of the elements of an array. */
  readonly elements: NumberPlace
}

/** The same place everywhere below. */
class Everywhere implements NumberPlace {
  readonly isExact: boolean
  readonly members = undefined
  readonly others: NumberPlace = this
  readonly elements: NumberPlace = this

  constructor(isExact: boolean) {
    this.isExact = isExact
  }
}

/** Numbers are kept as they are written, here and everywhere below. */
export const exactPlace: NumberPlace = new Everywhere(true)

/** Numbers are JavaScript's, here and everywhere below. */
export const plainPlace: NumberPlace = new Everywhere(false)

/** The place of a member. */
export const memberPlace = ({ members, others }: NumberPlace, name: string): NumberPlace => members?.get(name) ?? others

/** A number at a place, from its text. */
export const numberAt = ({ isExact }: NumberPlace, source: string): unknown => {
  const value = Number(source)
  return isExact ? exactNumber(value, source) : value
}

/** The number, or a raw token if it would print differently. */
export const exactNumber = (value: number, source: string): unknown =>
  String(value) === source ? value : rawNumber(source)

/**
 * Numbers that may print differently: minus zero, a trailing zero in the fraction, an exponent,
 * more digits than a double holds, or a value small enough to get an exponent. Delimited on both
 * sides, so that times and ids inside strings do not match. Matches valid JSON numbers only:
 * marking must not turn invalid text into valid text.
 */
const riskyNumber =
  /([:,[]\s*)(-0|-?(?:0|[1-9]\d*)(?:\.\d*0|(?:\.\d+)?[eE][+-]?\d+)|-?(?=[\d.]{16})(?:0|[1-9]\d*)(?:\.\d+)?|-?0\.0{6}\d+)(?=\s*[,}\]])/

const riskyNumbers = new RegExp(riskyNumber, 'g')

/**
 * The first marker. All 16-digit numbers are risky and therefore marked themselves, so no other
 * number of the text can be mistaken for a marker.
 */
const firstMark = 7_000_000_000_000_000
const markPrefix = '70000000'
const marksMax = 10_000_000
const markInText = /70000000\d{8}/g

/**
 * JSON text with risky numbers replaced by markers: integers that encode their index in `sources`.
 */
export interface MarkedJson {
  readonly text: string
  readonly sources: readonly string[]
}

/** Whether `JSON.parse` and `JSON.stringify` may change a number inside an array or an object. */
export const mayLoseNumbers = (text: string): boolean => riskyNumber.test(text)

/**
 * Marks the risky numbers of `text`; undefined if that could not be undone reliably. Without risky
 * numbers the text is unchanged.
 */
export function markNumbers(text: string): MarkedJson | undefined
/** The same; "too many" if there are more than `countMax`. */
export function markNumbers(text: string, countMax: number): MarkedJson | 'too many' | undefined
export function markNumbers(text: string, countMax = Number.POSITIVE_INFINITY): MarkedJson | 'too many' | undefined {
  const sources: string[] = []
  let marked: string
  try {
    marked = text.replace(riskyNumbers, (_, before: string, source: string) => {
      if (sources.length === countMax) throw new TooManyNumbers()
      sources.push(source)
      return `${before}${firstMark + sources.length - 1}`
    })
  } catch (cause) {
    if (cause instanceof TooManyNumbers) return 'too many'
    throw cause
  }
  // Markers are also set inside strings, where nothing else may look like one, even after
  // unescaping.
  const isCertain =
    sources.length === 0 || (sources.length < marksMax && !text.includes(markPrefix) && !text.includes('\\u003'))
  return isCertain ? { text: marked, sources } : undefined
}

/** Aborts a replacement: counting first would mean searching the text twice. */
class TooManyNumbers extends Error {}

/**
 * Replaces the markers in the parsed `value`, in place. Walks the value once or twice: several
 * times faster than parsing with a reviver.
 *
 * @param root place of `value`
 * @returns whether all markers were found; if not (one was in a key), the value is unusable
 */
export function restoreNumbers(value: unknown, { sources }: MarkedJson, root: NumberPlace): boolean {
  let found = 0
  const restored = (child: unknown, place: NumberPlace): unknown => {
    if (typeof child === 'number') {
      if (child < firstMark || child >= firstMark + sources.length) return child
      found++
      return numberAt(place, itemAt(sources, child - firstMark))
    }
    if (isHolder(child)) visitNumbers(child, place)
    return child
  }
  const visitNumbers = (holder: Holder, place: NumberPlace): void => {
    if (Array.isArray(holder)) {
      const { elements } = place
      eachElement(holder, (child) => restored(child, elements))
    } else eachMember(holder, (child, name) => restored(child, memberPlace(place, name)))
  }
  const visitTexts = (holder: Holder): void => {
    const visit = (child: unknown): unknown => {
      if (typeof child === 'string' && child.includes(markPrefix)) {
        return child.replace(markInText, (mark) => {
          found++
          return itemAt(sources, Number(mark) - firstMark)
        })
      }
      if (isHolder(child)) visitTexts(child)
      return child
    }
    if (Array.isArray(holder)) eachElement(holder, visit)
    else eachMember(holder, visit)
  }
  if (isHolder(value)) {
    visitNumbers(value, root)
    if (found < sources.length) visitTexts(value)
  }
  return found === sources.length
}

/** An object or an array of parsed JSON. */
type Holder = { [name: string]: unknown }

export const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

/** Replaces each element for which `map` returns another value. */
function eachElement(list: unknown[], map: (child: unknown) => unknown): void {
  for (let i = 0; i < list.length; i++) {
    const child = list[i]
    const mapped = map(child)
    if (mapped !== child) list[i] = mapped
  }
}

/** Replaces each member for which `map` returns another value. */
function eachMember(object: { [name: string]: unknown }, map: (child: unknown, name: string) => unknown): void {
  for (const name in object) {
    const child = object[name]
    const mapped = map(child, name)
    // Members of parsed JSON are own properties, even "__proto__", so assignment changes nothing
    // else.
    if (mapped !== child) object[name] = mapped
  }
}
