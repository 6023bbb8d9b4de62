import type { CallsPlan } from './calls-plan.ts'
import type { ExpandedPath, Field, JsonField } from './catalog.ts'
import { mapValues, visitFields } from './walk.ts'

/** A place where refs are followed: a path inside a JSON column. */
export interface RefPlace {
  readonly column: string
  readonly path: readonly string[]
}

/** The condition and the order of a plan. */
export type Conditions = Pick<CallsPlan, 'where' | 'sort'>

/** The places whose refs the condition or the order looks behind, shallow ones first. */
export function expandedPathsUsedBy({ where, sort }: Conditions, places: readonly RefPlace[]): RefPlace[] {
  const fields: JsonField[] = []
  const note = (field: Field): void => {
    if (field.kind === 'json' && field.of === undefined) fields.push(field)
  }
  visitFields(where, note)
  for (const { field } of sort) note(field)
  return places
    .filter((place) => fields.some((field) => passesThrough(field, place)))
    .toSorted((a, b) => a.path.length - b.path.length)
}

/**
 * The condition and the order with fields that read what the refs at each place point to:
 * `inputs.model.size` => `inputs.model.size`, expanded at `inputs.model`.
 */
export function withExpandedFields(
  { where, sort }: Conditions,
  expansions: readonly (RefPlace & ExpandedPath)[],
): Conditions {
  const expand = (field: Field): Field => {
    if (field.kind !== 'json' || field.of !== undefined) return field
    const expanded = expansions.filter((expansion) => passesThrough(field, expansion))
    return expanded.length === 0 ? field : { ...field, expanded }
  }
  return {
    where: mapValues(where, (value) => (value.kind === 'field' ? { ...value, field: expand(value.field) } : value)),
    sort: sort.map((key) => ({ ...key, field: expand(key.field) })),
  }
}

/** Whether a field lies behind a place. At the place itself, the value is the ref. */
const passesThrough = (field: JsonField, { column, path }: RefPlace): boolean =>
  field.column === column &&
  field.path.length > path.length &&
  path.every((segment, index) => segment === field.path[index])
