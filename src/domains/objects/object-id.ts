import { DomainError, quoted } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'

/**
 * Validates an object name: up to 128 letters and digits of any script, `_`, `.` and `-`.
 *
 * @throws DomainError InvalidField for an empty name or other characters, InvalidRequest if it is
 *   too long
 */
export function checkObjectId(objectId: string): void {
  if (!/^[\p{L}\p{N}_.-]+$/u.test(objectId)) {
    throw new DomainError(
      'InvalidField',
      `Invalid object name ${quoted(objectId)}: use letters, digits, "_", "." and "-"`,
      { extras: { field: 'object_id' } },
    )
  }
  if ([...objectId].length > operationLimits.idCharsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Invalid object name "${objectId.slice(0, 80)}…": use up to ${operationLimits.idCharsMax} characters`,
    )
  }
}
