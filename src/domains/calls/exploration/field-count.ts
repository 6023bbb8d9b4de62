import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import type { jsonTypes } from '../model/exploration.ts'

type JsonType = (typeof jsonTypes)[number]

interface Field {
  calls: number
  readonly types: Set<JsonType>
  /** By their JSON text. */
  readonly examples: Map<string, unknown>
}

/** A field with its number of calls, its types and examples of its values. */
export interface CountedField {
  readonly path: string
  readonly calls: number
  readonly types: readonly JsonType[]
  readonly examples: readonly unknown[]
}

const examplesMax = 3

/** Counts in how many calls each path occurs, and collects types and examples of its values. */
export class FieldCount {
  private readonly fields = new Map<string, Field>()
  /** Some paths were not counted, because there are too many. */
  hasLeftOut = false

  /** Whether a path was counted. */
  has(path: string): boolean {
    return this.fields.has(path)
  }

  /** Adds a value of one call, or several, and everything in it. */
  add(path: string, value: unknown, calls = 1, depth = 0): void {
    if (path.length > explorationLimits.fieldPathCharsMax) return
    const field = this.fieldAt(path)
    if (field === undefined) return
    field.calls += calls
    field.types.add(typeOf(value))
    if (isJsonObject(value)) {
      if (depth === explorationLimits.fieldDepthMax) return
      // An empty segment cannot be queried.
      for (const key in value) if (key !== '') this.add(`${path}.${escapedSegment(key)}`, value[key], calls, depth + 1)
    } else if (Array.isArray(value)) {
      if (value.length > 0 && depth < explorationLimits.fieldDepthMax) this.add(`${path}.0`, value[0], calls, depth + 1)
    } else if (field.examples.size < examplesMax) {
      const example = typeof value === 'string' ? cut(value) : value
      field.examples.set(JSON.stringify(example), example)
    }
  }

  /** Adds the counts, types and examples of the same field in other calls. */
  addCounted({ path, calls, types, examples }: CountedField): void {
    const field = this.fieldAt(path)
    if (field === undefined) return
    field.calls += calls
    for (const type of types) field.types.add(type)
    for (const example of examples)
      if (field.examples.size < examplesMax) field.examples.set(JSON.stringify(example), example)
  }

  /** The fields by path. */
  *counted(): Generator<CountedField> {
    for (const [path, { calls, types, examples }] of this.fields) {
      yield { path, calls, types: [...types], examples: [...examples.values()] }
    }
  }

  private fieldAt(path: string): Field | undefined {
    const known = this.fields.get(path)
    if (known !== undefined) return known
    if (this.fields.size >= explorationLimits.fieldPathsCounted) {
      this.hasLeftOut = true
      return undefined
    }
    const field = { calls: 0, types: new Set<JsonType>(), examples: new Map<string, unknown>() }
    this.fields.set(path, field)
    return field
  }
}

/** A key as a segment of a field path. */
export const escapedSegment = (key: string): string => (key.includes('.') ? key.replaceAll('.', '\\.') : key)

/** Truncation may split a character. */
const cut = (text: string): string =>
  text.length <= explorationLimits.exampleCharsMax
    ? text
    : `${text.slice(0, explorationLimits.exampleCharsMax).toWellFormed()}…`

function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isRawNumber(value)) return 'number'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object'
}
