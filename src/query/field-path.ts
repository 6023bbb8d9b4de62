import { DomainError } from '../errors.ts'
import { limits } from '../limits.ts'

/**
 * Segments of a dotted path; `\.` is a dot inside a key.
 *
 * @throws DomainError InvalidField for an empty segment or a path beyond the bounds
 */
export function parseFieldPath(text: string): string[] {
  const segments = text.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'))
  const isBounded = text.length <= limits.fieldPathCharsMax && segments.length <= limits.fieldPathSegmentsMax
  if (!isBounded || segments.some((segment) => segment === '')) {
    throw new DomainError(
      'InvalidField',
      `Read the field "${text.slice(0, 80)}": a path is 1 to ${limits.fieldPathSegmentsMax} keys joined by dots`,
    )
  }
  return segments
}

/**
 * JSON Pointer (RFC 6901) of a path inside a JSON value. A segment that is an integer indexes arrays and names members of objects,
 * which is how pointers read.
 */
export const jsonPointer = (segments: readonly string[]): string =>
  segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
