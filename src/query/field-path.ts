import { DomainError, quoted } from '../lib/errors.ts'
import { limits } from '../lib/limits.ts'

/**
 * The segments of a dotted path; `\.` is a dot inside a key.
 *
 * @throws DomainError InvalidField for an empty segment or a path that exceeds a bound
 */
export function parseFieldPath(text: string): string[] {
  const segments = text.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'))
  const isBounded = text.length <= limits.fieldPathCharsMax && segments.length <= limits.fieldPathSegmentsMax
  if (!isBounded || segments.some((segment) => segment === '')) {
    throw new DomainError(
      'InvalidField',
      `Invalid field ${quoted(text)}: a path is 1 to ${limits.fieldPathSegmentsMax} keys joined by dots`,
    )
  }
  return segments
}
