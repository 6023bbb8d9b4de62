import { DomainError } from '../../lib/errors.ts'
import { isScope } from '../../lib/project-id.ts'
import type { Role } from './caller.ts'

/** Attributes of a key to be created. */
export interface NewKey {
  /** Name of the user, shown as `ext_username`; 1–128 characters. Need not be unique. */
  readonly name: string
  readonly role: Role
  /** `*`, `entity` or `entity/project`. */
  readonly scope: string
}

const roles: readonly Role[] = ['read', 'write', 'admin']
const nameForm = /^[^\p{Cc}\p{Cs}]{1,128}$/u

/**
 * Validates untrusted input.
 *
 * @throws DomainError InvalidRequest naming the invalid part and what is allowed
 */
export function checkNewKey(asked: { name: string; role: string; scope: string }): NewKey {
  const name = asked.name.trim()
  if (!nameForm.test(name)) refuse(`Invalid name ${JSON.stringify(asked.name)}: use 1 to 128 printable characters`)
  const role = roles.find((known) => known === asked.role)
  if (role === undefined) refuse(`Invalid role "${asked.role}": use one of ${roles.join(', ')}`)
  if (!isScope(asked.scope)) refuse(`Invalid scope "${asked.scope}": use "*", "<entity>" or "<entity>/<project>"`)
  return { name, role, scope: asked.scope }
}

function refuse(why: string): never {
  throw new DomainError('InvalidRequest', why)
}
