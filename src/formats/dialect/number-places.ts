import { type TSchema, Type } from '@sinclair/typebox'
import { passedOnMark } from '../schemas/members.ts'
import { exactPlace, type NumberPlace, plainPlace } from '../wire/marked-numbers.ts'
import { toVendorName } from './names.ts'
import { elementsOf, membersOf, otherMembersOf, partsOf, schemasById, variantsOf } from './schema-parts.ts'

/**
 * Where in a value of `schema` numbers are kept as they are written: in the user's own JSON, which
 * is where the schema allows any value (`Type.Unknown`), any object (`FreeObject`), or members that
 * are passed on (`passedOn`). Members have these places under their names in either dialect.
 *
 * @throws Error if a member is a number in one variant of a union and the user's JSON in another
 */
export const numberPlaces = (schema: TSchema): NumberPlace => new Places(schema).of([schema], [])

/** A place that is still being filled in: a recursive schema contains itself. */
type OpenPlace = { -readonly [member in keyof NumberPlace]: NumberPlace[member] }

/** Makes one place for all schemas that a value may have, so that no variant has to be chosen. */
class Places {
  private readonly byId: ReadonlyMap<string, TSchema>
  private readonly numbers = new Map<TSchema, number>()
  private readonly known = new Map<string, NumberPlace>()

  constructor(root: TSchema) {
    this.byId = schemasById(root)
  }

  of(schemas: readonly TSchema[], path: readonly string[]): NumberPlace {
    const variants = [...new Set(schemas.flatMap((schema) => this.variants(schema)))]
    if (variants.length === 0) return plainPlace
    if (variants.some(isAnything)) {
      if (variants.some(isNumber)) throw ambiguous(path)
      return exactPlace
    }
    const key = variants.map((variant) => this.numberOf(variant)).join()
    const known = this.known.get(key)
    if (known !== undefined) return known
    const place: OpenPlace = { isExact: false, members: undefined, others: plainPlace, elements: plainPlace }
    this.known.set(key, place)
    place.elements = this.of(variants.flatMap(elementsOf), [...path, '[]'])
    place.others = this.of(variants.flatMap(othersOf), [...path, '*'])
    const names = new Set(variants.flatMap((variant) => Object.keys(membersOf(variant) ?? {})))
    if (names.size > 0) place.members = new Map([...names].flatMap((name) => this.member(variants, name, path)))
    return place
  }

  private member(variants: readonly TSchema[], name: string, path: readonly string[]): [string, NumberPlace][] {
    const schemas = variants.flatMap((variant) => membersOf(variant)?.[name] ?? othersOf(variant))
    const place = this.of(schemas, [...path, name])
    return [name, toVendorName(name)].map((spelled) => [spelled, place])
  }

  /** The schemas of which a value matches one or all, without references. */
  private variants(schema: TSchema): readonly TSchema[] {
    const reference: unknown = schema['$ref']
    const target = typeof reference === 'string' ? this.byId.get(reference) : undefined
    const alternatives = target === undefined ? (variantsOf(schema) ?? partsOf(schema)) : [target]
    return alternatives?.flatMap((alternative) => this.variants(alternative)) ?? [schema]
  }

  private numberOf(schema: TSchema): number {
    const number = this.numbers.get(schema) ?? this.numbers.size
    this.numbers.set(schema, number)
    return number
  }
}

/** Whether the schema is `Type.Unknown` or `Type.Any`. */
const isAnything = (schema: TSchema): boolean =>
  ['type', 'const', 'enum', 'not', '$ref'].every((keyword) => schema[keyword] === undefined)

const isNumber = ({ type }: TSchema): boolean => type === 'number' || type === 'integer'

/** Schema of the members of a free object. */
const anything: TSchema = Type.Unknown()

/** Schemas of the members that an object does not name. Those that are ignored have none. */
function othersOf(schema: TSchema): readonly TSchema[] {
  const described = otherMembersOf(schema)
  if (described !== undefined) return [described]
  if (schema['type'] !== 'object') return []
  const isFree = Object.keys(membersOf(schema) ?? {}).length === 0 && schema['additionalProperties'] !== false
  return isFree || schema[passedOnMark] === true ? [anything] : []
}

const ambiguous = (path: readonly string[]): Error =>
  new Error(
    `Cannot keep numbers as written: \`${path.join('.')}\` is a number in one variant and any JSON in another; ` +
      'give the two different names',
  )
