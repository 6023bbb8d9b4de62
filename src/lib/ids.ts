import { v5 as uuid } from 'uuid'
import { DomainError, quoted } from './errors.ts'
import { operationLimits } from './limits/operations.ts'

/**
 * Deterministic id of something created by a job, so that a resumed job overwrites its earlier
 * results instead of duplicating them (UUIDv5, RFC 9562).
 *
 * @param jobId a UUID
 */
export const derivedId = (jobId: string, ...parts: readonly (string | number)[]): string =>
  uuid(parts.join('\n'), jobId)

const idForm = /^[A-Za-z0-9_.:-]+$/

/** Whether `id` is valid for anything that clients name. */
export const isId = (id: string): boolean => id.length <= operationLimits.idCharsMax && idForm.test(id)

/**
 * @throws DomainError InvalidField unless `id` is 1–128 characters of letters, digits, `_`, `.`,
 *   `:`, `-`
 */
export function requireId(member: string, id: string): string {
  if (isId(id)) return id
  throw new DomainError(
    'InvalidField',
    `Invalid ${member} ${quoted(id)}: an id has 1 to ${operationLimits.idCharsMax} characters of A-Z a-z 0-9 _ . : -`,
  )
}

/**
 * The same for an optional id.
 * @throws DomainError InvalidField
 */
export const checkId = (member: string, id: string | null | undefined): string | null =>
  id == null ? null : requireId(member, id)

const control = /\p{Cc}/u

/** Whether a text is a valid thread or turn name. These are free-form. */
export const isThreadName = (name: string): boolean =>
  name.length > 0 && isWithin(name, operationLimits.threadNameCharsMax) && !control.test(name)

/**
 * Validates an optional thread or turn name.
 *
 * @throws DomainError InvalidField if it is empty, too long or has control characters
 */
export function checkThreadName(member: string, name: string | null | undefined): string | null {
  if (name == null) return null
  if (isThreadName(name)) return name
  throw new DomainError(
    'InvalidField',
    `Invalid ${member} ${quoted(name)}: use 1 to ${operationLimits.threadNameCharsMax} characters without ` +
      'control characters',
  )
}

/**
 * Whether a text has at most `charsMax` characters. An emoji counts as one, though its `length` is
 * two.
 */
export const isWithin = (text: string, charsMax: number): boolean =>
  text.length <= charsMax || (text.length <= 2 * charsMax && [...text].length <= charsMax)
