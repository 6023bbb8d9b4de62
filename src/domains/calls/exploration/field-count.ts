import { callsCatalog } from '../../../engine/tables/calls-query.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { clientColumns } from '../../../engine/tables/define-table.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { itemAt, present } from '../../../lib/present.ts'
import type { Cell } from '../../../lib/table.ts'
import { formatTime } from '../../../lib/time.ts'
import { numberIn, textIn } from '../../../lib/typed-rows.ts'
import { type Catalog, type CountableField, resolveField, type UsageField } from '../../../query/catalog.ts'
import { TimeSlice } from '../../../runtime/platform/event-loop.ts'
import type { jsonTypes } from '../model/exploration.ts'

/**
 * The field at a path, if calls can be counted by its value.
 *
 * @param attempt beginning of the error message
 * @throws DomainError InvalidField, InvalidRequest for a field that is not of the call itself
 */
export function countableField(attempt: string, path: string): CountableField
export function countableField(attempt: string, path: string, catalog: Catalog): CountableField | UsageField
export function countableField(attempt: string, path: string, catalog = callsCatalog): CountableField | UsageField {
  const field = resolveField(catalog, path)
  if (field.kind === 'usage') return field
  const isOfCall = (field.kind === 'json' && field.of === undefined) || field.kind === 'column'
  if (isOfCall && !(field.kind === 'column' && field.type === 'texts')) return field
  throw new DomainError(
    'InvalidRequest',
    `${attempt} ${quoted(path)}: only values of the call itself can be counted, not feedback, queues or lists of refs`,
  )
}

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

/** Columns that are fields, by their path. */
export const fieldColumns = clientColumns(callsTable)
  .filter(({ exposed, type }) => exposed !== 'query' && type !== 'texts')
  .map(({ name, type, exposed }) => ({ path: exposed === 'summary' ? `summary.ext.${name}` : name, name, type }))

/**
 * Adds the fields of some calls, given as cells by column in the order of `columns`.
 *
 * @returns how many calls they are
 */
export async function countFields(
  count: FieldCount,
  columns: typeof fieldColumns,
  batches: readonly Cell[][][],
): Promise<number> {
  const slice = new TimeSlice()
  let calls = 0
  for (const cells of batches) {
    calls += cells[0]?.length ?? 0
    for (const [at, { path, type }] of columns.entries()) {
      for (const cell of itemAt(cells, at)) {
        if (cell === null || cell === '') continue
        count.add(path, valueIn(cell, type))
        if (slice.expired) await slice.yield()
      }
    }
  }
  return calls
}

function valueIn(cell: Cell, type: (typeof fieldColumns)[number]['type']): unknown {
  if (type === 'json') return parseExactly(textIn(cell))
  return type === 'time' ? formatTime(present(numberIn(cell), 'A time')) : cell
}
