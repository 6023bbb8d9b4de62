import { isJsonObject } from '../../lib/json-value.ts'
import { explorationLimits } from '../../lib/limits/exploration.ts'

/** Attributes of a span that are not fields of it, by type. */
export interface CustomAttributes {
  readonly string: Readonly<Record<string, string>>
  readonly int: Readonly<Record<string, number>>
  readonly float: Readonly<Record<string, number>>
  readonly bool: Readonly<Record<string, boolean>>
}

export const customTypes = ['string', 'int', 'float', 'bool'] as const
export type CustomType = (typeof customTypes)[number]

/** Attributes of one span that are shown by name. */
const namesMax = 512

/** First parts of the names of attributes that are fields. */
const ofFields: ReadonlySet<string> = new Set(['gen_ai', 'weave'])

/** The attributes of a span, which are nested at their dots, under their full names. */
export function customAttributes(attributes: Readonly<Record<string, unknown>>, isShort: boolean): CustomAttributes {
  const cut = (text: string) => (isShort ? text.slice(0, explorationLimits.valueCharsMax).toWellFormed() : text)
  const found = {
    string: Object.create(null) as Record<string, string>,
    int: Object.create(null) as Record<string, number>,
    float: Object.create(null) as Record<string, number>,
    bool: Object.create(null) as Record<string, boolean>,
  }
  let left = namesMax
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined || left-- <= 0) return
    if (typeof value === 'string') found.string[name] = cut(value)
    else if (typeof value === 'boolean') found.bool[name] = value
    else if (typeof value === 'number') found[Number.isSafeInteger(value) ? 'int' : 'float'][name] = value
    else if (isJsonObject(value)) for (const [member, inner] of Object.entries(value)) add(`${name}.${member}`, inner)
    else found.string[name] = cut(JSON.stringify(value))
  }
  for (const [name, value] of Object.entries(attributes)) if (!ofFields.has(name)) add(name, value)
  return found
}
