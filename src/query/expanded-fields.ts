import type { CallsPlan } from './calls-plan.ts'
import type { ExpandedPath, Field } from './catalog.ts'
import { mapValues, visitFields } from './walk.ts'

type JsonField = Extract<Field, { kind: 'json' }>

/** A place at which refs are looked through: a JSON column and a path inside it. */
export interface RefPlace {
  readonly column: string
  readonly path: readonly string[]
}

/** What a plan selects rows by, and their order. */
export type Conditions = Pick<CallsPlan, 'where' | 'sort'>

/** Those of the places that conditions or the order lead through to something behind a ref, from the shallow to the deep. */
export function placesLedThrough({ where, sort }: Conditions, places: readonly RefPlace[]): RefPlace[] {
  const fields: JsonField[] = []
  const note = (field: Field): void => {
    if (field.kind === 'json' && field.of === undefined) fields.push(field)
  }
  visitFields(where, note)
  for (const { field } of sort) note(field)
  return places
    .filter((place) => fields.some((field) => leadsThrough(field, place)))
    .toSorted((a, b) => a.path.length - b.path.length)
}

/** Conditions and order that look through refs, by what each place's refs stand for. */
export function lookingThrough(
  { where, sort }: Conditions,
  expansions: readonly (RefPlace & ExpandedPath)[],
): Conditions {
  const expand = (field: Field): Field => {
    if (field.kind !== 'json' || field.of !== undefined) return field
    const expanded = expansions.filter((expansion) => leadsThrough(field, expansion))
    return expanded.length === 0 ? field : { ...field, expanded }
  }
  return {
    where: mapValues(where, (value) => (value.kind === 'field' ? { ...value, field: expand(value.field) } : value)),
    sort: sort.map((key) => ({ ...key, field: expand(key.field) })),
  }
}

/** Whether a field lies behind a place. At the place itself the ref is the value. */
const leadsThrough = (field: JsonField, { column, path }: RefPlace): boolean =>
  field.column === column &&
  field.path.length > path.length &&
  path.every((segment, index) => segment === field.path[index])
