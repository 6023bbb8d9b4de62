import { DomainError, quoted } from '../../../lib/errors.ts'
import { isJsonObject, mergeObjects } from '../../../lib/json-value.ts'
import type { ObjectVersion } from '../model/objects.ts'

/** Content of an object. */
export type Members = Readonly<Record<string, unknown>>

/** Members of a version's content; empty if it is not an object. */
export const membersOf = ({ val }: ObjectVersion): Members => (isJsonObject(val) ? val : {})

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * Name and description, which objects of all classes have; the name defaults to that of the object.
 */
export const described = (version: ObjectVersion): { name: string; description: string | null } => {
  const { name, description } = membersOf(version)
  return { name: textOrNull(name) ?? version.object_id, description: textOrNull(description) }
}

/**
 * Adds user-defined members to content.
 *
 * @throws DomainError InvalidRequest if a name is already a member of the content or starts with
 *   `_`
 */
export function withAttributes(what: string, content: Members, attributes: Members | null | undefined): Members {
  const taken = Object.keys(attributes ?? {}).find((name) => name.startsWith('_') || Object.hasOwn(content, name))
  if (taken !== undefined) {
    throw new DomainError('InvalidRequest', `Invalid attribute ${quoted(taken)} of ${what}: the name is reserved`)
  }
  return mergeObjects(content, attributes ?? {})
}
