import { DomainError, quoted } from '../lib/errors.ts'
import { explorationLimits } from '../lib/limits/exploration.ts'

/**
 * The segments of a dotted path; `\.` is a dot inside a key.
 *
 * @throws DomainError InvalidField for an empty segment or a path that exceeds a bound
 */
export function parseFieldPath(text: string): string[] {
  const segments = text.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'))
  const isBounded =
    text.length <= explorationLimits.fieldPathCharsMax && segments.length <= explorationLimits.fieldPathSegmentsMax
  if (!isBounded || segments.some((segment) => segment === '')) {
    throw new DomainError(
      'InvalidField',
      `Invalid field ${quoted(text)}: a path is 1 to ${explorationLimits.fieldPathSegmentsMax} keys joined by dots`,
    )
  }
  return segments
}
