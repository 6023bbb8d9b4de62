/**
 * Numbers that may print differently: minus zero, a trailing zero in the fraction, an exponent, more digits than a double surely holds,
 * or a value so small that it would get an exponent. Bounded on both sides by what stands around a number, so that times and ids inside
 * strings do not look like one. Only what JSON takes for a number: a mark must not make wrong text right.
 */
const riskyNumber =
  /([:,[]\s*)(-0|-?(?:0|[1-9]\d*)(?:\.\d*0|(?:\.\d+)?[eE][+-]?\d+)|-?(?=[\d.]{16})(?:0|[1-9]\d*)(?:\.\d+)?|-?0\.0{6}\d+)(?=\s*[,}\]])/

const riskyNumbers = new RegExp(riskyNumber, 'g')

/** What marks begin with. All numbers of 16 digits are risky, and so marked themselves: no other number of the text is near. */
const firstMark = 7_000_000_000_000_000
const markPrefix = '70000000'
const marksMax = 10_000_000
const markInText = /70000000\d{8}/g

/** JSON text in which risky numbers are replaced by marks: integers that stand for their place in `sources`. */
export interface MarkedJson {
  readonly text: string
  readonly sources: readonly string[]
}

/** Whether `JSON.parse` and `JSON.stringify` may change a number inside an array or an object. */
export const mayLoseNumbers = (text: string): boolean => riskyNumber.test(text)

/** Marks the risky numbers of `text`, or says `undefined` where that cannot be undone without doubt; without risky numbers the text stays. */
export function markNumbers(text: string): MarkedJson | undefined
/** The same; "too many" where there are more than `countMax`. */
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
  // Marks are also made inside strings; there nothing else may look like one, not even once its escapes are undone.
  const isCertain =
    sources.length === 0 || (sources.length < marksMax && !text.includes(markPrefix) && !text.includes('\\u003'))
  return isCertain ? { text: marked, sources } : undefined
}

/** Breaks off a replacement: to count before would be to search the text twice. */
class TooManyNumbers extends Error {}

/** What becomes of a number, by where it stands. */
export interface NumberPlaces<Place> {
  /** The place of a member or element of what stands at `place`; `key` is empty for elements. */
  readonly below: (place: Place, key: string) => Place
  readonly number: (source: string, place: Place) => unknown
}

/**
 * Puts numbers back in place of their marks, everywhere in the parsed `value`, which is changed. Walks the value once or twice: several
 * times faster than parsing with a function for every value.
 *
 * @returns whether all marks were found; the value is of no use where they were not (one stood in a key)
 */
export function restoreNumbers<Place>(
  value: unknown,
  { sources }: MarkedJson,
  root: Place,
  { below, number }: NumberPlaces<Place>,
): boolean {
  let found = 0
  const isMark = (child: unknown): child is number =>
    typeof child === 'number' && child >= firstMark && child < firstMark + sources.length
  const visitNumbers = (holder: unknown, place: Place): void => {
    eachChild(holder, (child, key) => {
      if (isMark(child)) {
        found++
        return number(sources[child - firstMark]!, below(place, key))
      }
      if (typeof child === 'object' && child !== null) visitNumbers(child, below(place, key))
      return child
    })
  }
  const visitTexts = (holder: unknown): void => {
    eachChild(holder, (child) => {
      if (typeof child === 'string' && child.includes(markPrefix)) {
        return child.replace(markInText, (mark) => {
          found++
          return sources[Number(mark) - firstMark]!
        })
      }
      if (typeof child === 'object' && child !== null) visitTexts(child)
      return child
    })
  }
  visitNumbers(value, root)
  if (found < sources.length) visitTexts(value)
  return found === sources.length
}

/** Replaces each element or member that `map` makes another value of. */
function eachChild(holder: unknown, map: (child: unknown, key: string) => unknown): void {
  if (Array.isArray(holder)) {
    for (let i = 0; i < holder.length; i++) {
      const child: unknown = holder[i]
      const mapped = map(child, '')
      if (mapped !== child) holder[i] = mapped
    }
    return
  }
  const object = holder as Record<string, unknown>
  for (const key in object) {
    const child = object[key]
    const mapped = map(child, key)
    // Members of parsed JSON are its own, "__proto__" too, so assigning changes them and nothing else.
    if (mapped !== child) object[key] = mapped
  }
}
