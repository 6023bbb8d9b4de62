// For values that are there by the logic around them, where the type cannot say so: a fault of that
// logic is an error here, instead of an `undefined` that shows up elsewhere.

/** The item at an index of an array. @throws RangeError outside of it */
export function itemAt<T>(items: ArrayLike<T>, index: number): T {
  if (!(index >= 0 && index < items.length)) throw new RangeError(`No item ${index} among ${items.length}`)
  return items[index] as T
}

/** The value of a key that the map has. @throws RangeError without it */
export function valueAt<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key)
  if (value === undefined && !map.has(key)) throw new RangeError(`No value for the key ${String(key)}`)
  return value as V
}

/**
 * Asserts that a value is present, and returns it.
 *
 * @param what names it in the error
 * @throws TypeError if it is null or undefined
 */
export function present<T>(value: T, what: string): NonNullable<T> {
  if (value === undefined || value === null) throw new TypeError(`${what} is missing`)
  return value
}

/** Whether a table has a member of that name itself. */
export const isKeyOf = <Table extends object>(table: Table, name: PropertyKey): name is keyof Table =>
  Object.hasOwn(table, name)

/** The value of a name that a user chose, such as `__proto__`; undefined if there is none. */
export const ownValue = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined

/** A member of a JSON value; undefined if the value is no object, or has no such member. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** The names of the members of a table, as its type spells them. */
export const keysOf = <Table extends object>(table: Table): (keyof Table & string)[] =>
  Object.keys(table).filter((name) => isKeyOf(table, name))

/**
 * A stored text as one of the values that it may have.
 *
 * @param what names it in the error
 * @throws TypeError for any other text
 */
export function oneOf<T extends string>(values: readonly T[], text: string, what: string): T {
  const found = values.find((value) => value === text)
  if (found === undefined) throw new TypeError(`${what} is "${text}" instead of ${values.join(', ')}`)
  return found
}
