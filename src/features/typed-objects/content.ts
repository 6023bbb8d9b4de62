import { DomainError } from '../../errors.ts'
import { isJsonObject, mergeObjects } from '../../kernel/json-value.ts'
import type { ObjectVersion } from '../../model/objects.ts'
import type { Members } from './members.ts'

/** Members of a version's content; of content that is no object none. */
export const membersOf = ({ val }: ObjectVersion): Members => (isJsonObject(val) ? val : {})

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Name and description, which every object of a class has; without a name that of the object. */
export const described = (version: ObjectVersion): { name: string; description: string | null } => {
  const { name, description } = membersOf(version)
  return { name: textOrNull(name) ?? version.object_id, description: textOrNull(description) }
}

/**
 * Content with further members of the user's choosing.
 *
 * @throws DomainError InvalidRequest where one of them has the name of a member that the content has already, or begins with `_`
 */
export function withAttributes(what: string, content: Members, attributes: Members | null | undefined): Members {
  const taken = Object.keys(attributes ?? {}).find((name) => name.startsWith('_') || Object.hasOwn(content, name))
  if (taken !== undefined) {
    throw new DomainError(
      'InvalidRequest',
      `Invalid attribute "${taken.slice(0, 80)}" of ${what}: the name is reserved`,
    )
  }
  return mergeObjects(content, attributes ?? {})
}
