import { rawNumber } from '../../lib/json-value.ts'

/**
 * A place in a JSON text: whether a number there is kept as it is written, and which places are
 * below. Elsewhere numbers are JavaScript's. See docs/decisions/202-exact-numbers-by-schema.md.
 */
export interface NumberPlace {
  readonly isExact: boolean
  /** Of the members of an object, by name, if they differ from the others. */
  readonly members: ReadonlyMap<string, NumberPlace> | undefined
  /** Of all its other members. */
  readonly others: NumberPlace
  /** Of the elements of an array. */
  readonly elements: NumberPlace
}

const everywhere = (isExact: boolean): NumberPlace => {
  const place: { -readonly [member in keyof NumberPlace]?: NumberPlace[member] } = { isExact, members: undefined }
  place.others = place as NumberPlace
  place.elements = place as NumberPlace
  return place as NumberPlace
}

/** Numbers are kept as they are written, here and everywhere below. */
export const exactPlace: NumberPlace = everywhere(true)

/** Numbers are JavaScript's, here and everywhere below. */
export const plainPlace: NumberPlace = everywhere(false)

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
