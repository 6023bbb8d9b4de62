/**
 * JSON values that preserve their source text. `JSON.parse` turns `1.0` into 1, rounds integers
 * beyond 2^53, and moves keys that look like array indexes to the front. Here such a number is a
 * raw token (TC39 "JSON.parse source text access"), and an object with such keys keeps its order.
 * `JSON.stringify` prints both unchanged.
 */
type RawNumber = { readonly rawJSON: string }

declare global {
  interface JSON {
    rawJSON(text: string): RawNumber
    isRawJSON(value: unknown): value is RawNumber
    parse(
      text: string,
      revive: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

/** A number that prints as `text`. */
export const rawNumber = (text: string): RawNumber => JSON.rawJSON(text)

export const isRawNumber = (value: unknown): value is RawNumber =>
  typeof value === 'object' && value !== null && JSON.isRawJSON(value)

/** Whether a value is a JSON object: not an array, null or a raw number. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)

/**
 * Whether a key looks like an array index. JavaScript lists such keys first, so if the first key of
 * an object does not, its order equals that of its text.
 */
export const looksLikeIndex = (key: string): boolean => {
  const code = key.charCodeAt(0)
  return code >= 48 && code <= 57
}

/**
 * A plain object whose keys are listed in the order of `entries`, whatever they look like. Of equal
 * keys, the last value and the first position count. Members added later come last.
 */
export function objectInOrder(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  // Not by assignment: a member may be named "__proto__".
  const object: Record<string, unknown> = Object.fromEntries(entries)
  const first = firstKey(object)
  if (first === undefined || !looksLikeIndex(first)) return object
  const keys = [...new Set(entries.map(([key]) => key))]
  return isListedAs(object, keys) ? object : inOrder(object, keys)
}

/** Whether JavaScript's own key order is the wanted one. */
function isListedAs(object: object, keys: readonly string[]): boolean {
  let place = 0
  for (const key in object) if (key !== keys[place++]) return false
  return true
}

/** Deleted members are left out and new ones are appended; the key list is rebuilt only then. */
function inOrder(object: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  let listed: (string | symbol)[] | undefined = [...keys]
  return new Proxy(object, {
    ownKeys(target) {
      if (listed === undefined) {
        const present = new Set(Reflect.ownKeys(target))
        listed = [...keys.filter((key) => present.delete(key)), ...present]
      }
      return listed
    },
    defineProperty(target, key, descriptor) {
      if (!Object.hasOwn(target, key)) listed = undefined
      return Reflect.defineProperty(target, key, descriptor)
    },
    deleteProperty(target, key) {
      listed = undefined
      return Reflect.deleteProperty(target, key)
    },
  })
}

/**
 * Merges objects. Members keep their order; of equal names, the last value and the first position
 * count.
 */
export const mergeObjects = (...objects: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> =>
  objectInOrder(objects.flatMap((object) => Object.entries(object)))

/** A copy of an object without the named members, in the same order. */
export function withoutMembers(
  object: Readonly<Record<string, unknown>>,
  ...names: readonly string[]
): Readonly<Record<string, unknown>> {
  if (!names.some((name) => Object.hasOwn(object, name))) return object
  return objectInOrder(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** Maps every member of an object, in order. */
export const mapMembers = (
  object: Readonly<Record<string, unknown>>,
  map: (member: unknown, key: string) => unknown,
): Record<string, unknown> => objectInOrder(Object.entries(object).map(([key, member]) => [key, map(member, key)]))

/** Maps every element or member of an array or object, in order; returns other values unchanged. */
export function mapJson(value: unknown, map: (child: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => map(item, ''))
  return isJsonObject(value) ? mapMembers(value, map) : value
}

/** The named members of an object. */
export const pick = <T extends object, Name extends keyof T>(object: T, names: readonly Name[]): Pick<T, Name> =>
  Object.fromEntries(names.map((name) => [name, object[name]])) as Pick<T, Name>

/** An empty object without a prototype: any text may be a key, even `__proto__`. */
export const bareRecord = <Value>(): Record<string, Value> => Object.create(null)

/** A deep copy. */
export const copyJson = (value: unknown): unknown => mapJson(value, copyJson)

/** Replaces lone surrogates in texts and keys by U+FFFD. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  if (Array.isArray(value)) return value.map(wellFormed)
  return objectInOrder(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]))
}

/** Whether a JSON value is nested deeper than `levels` arrays and objects. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return false
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1))
}

function firstKey(object: object): string | undefined {
  for (const key in object) return key
  return undefined
}

/** The same value with plain JavaScript numbers, for checks and arithmetic. */
export function plainNumbers(value: unknown): unknown {
  return isRawNumber(value) ? Number(value.rawJSON) : mapJson(value, plainNumbers)
}

/**
 * JSON text of a value for storage. Lone surrogates become U+FFFD, because DuckDB rejects JSON that
 * escapes one. Request bodies have none left, but model responses and JSON inside span attributes
 * may.
 */
export function storedJson(value: unknown): string {
  const text = JSON.stringify(value)
  // Pairs are printed literally, so an escape is either a lone surrogate or part of a text that
  // spells it out.
  return text.includes('\\ud') ? JSON.stringify(wellFormed(value)) : text
}
