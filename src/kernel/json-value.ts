/**
 * JSON values that stand for their text exactly. `JSON.parse` turns `1.0` into 1, rounds integers beyond 2^53, and moves keys that look
 * like array indexes to the front; here such a number is a raw token (TC39 "JSON.parse source text access"), and an object with
 * such keys keeps the order it was given. `JSON.stringify` prints both as they came.
 */
interface RawJson {
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}

const json = JSON as unknown as RawJson

/** A number that prints as `text`. */
export const rawNumber = (text: string): unknown => json.rawJSON(text)

export const isRawNumber = (value: unknown): value is { readonly rawJSON: string } =>
  typeof value === 'object' && value !== null && json.isRawJSON(value)

/** Whether a value is a JSON object: no array, no null, no raw number. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !json.isRawJSON(value)

/**
 * Whether an object has keys that look like array indexes, and others: only then may its order differ from the order of its text.
 * JavaScript lists such keys first, so one look is enough. `key` is the first of an object.
 */
export const looksLikeIndex = (key: string): boolean => {
  const code = key.charCodeAt(0)
  return code >= 48 && code <= 57
}

/**
 * A plain object whose keys are listed in the order of `entries`, whatever they look like; of equal keys the last value counts and
 * the first place. Members that are added later come last.
 */
export function objectInOrder(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  // Not by assignment: a member may be called "__proto__".
  const object: Record<string, unknown> = Object.fromEntries(entries)
  const first = firstKey(object)
  if (first === undefined || !looksLikeIndex(first)) return object
  const keys = [...new Set(entries.map(([key]) => key))]
  return isListedAs(object, keys) ? object : inOrder(object, keys)
}

/** Whether JavaScript lists the members in the wanted order by itself. */
function isListedAs(object: object, keys: readonly string[]): boolean {
  let place = 0
  for (const key in object) if (key !== keys[place++]) return false
  return true
}

/** Members that go are left out, and new ones follow behind: the list is made again only then. */
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

/** Objects put together into one, members in the order in which they come; of equal names the last value counts and the first place. */
export const joinObjects = (...objects: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> =>
  objectInOrder(objects.flatMap((object) => Object.entries(object)))

/** An object without the members of these names, the others in their order. */
export function withoutMembers(
  object: Readonly<Record<string, unknown>>,
  ...names: readonly string[]
): Readonly<Record<string, unknown>> {
  if (!names.some((name) => Object.hasOwn(object, name))) return object
  return objectInOrder(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** The same array or object with every element or member mapped, in the same order; other values as they are. */
export function mapJson(value: unknown, map: (child: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => map(item, ''))
  if (!isJsonObject(value)) return value
  return objectInOrder(Object.entries(value).map(([key, member]) => [key, map(member, key)]))
}

/** The same value in arrays and objects of its own. */
export const copyJson = (value: unknown): unknown => mapJson(value, copyJson)

/** The same value with U+FFFD in the place of lone surrogates, in texts and in keys. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  if (Array.isArray(value)) return value.map(wellFormed)
  return objectInOrder(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]))
}

/** Whether a JSON value has more than so many levels of arrays and objects. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return false
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1))
}

function firstKey(object: object): string | undefined {
  for (const key in object) return key
  return undefined
}

/** The same value with numbers as JavaScript has them, for checks and arithmetic. */
export function plainNumbers(value: unknown): unknown {
  return isRawNumber(value) ? Number(value.rawJSON) : mapJson(value, plainNumbers)
}
