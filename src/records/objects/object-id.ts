import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'

/**
 * Checks the name of an object: letters and digits of any script, `_`, `.` and `-`, up to 128 of them.
 *
 * @throws DomainError InvalidField for other characters or none, InvalidRequest for too many
 */
export function checkObjectId(objectId: string): void {
  if (!/^[\p{L}\p{N}_.-]+$/u.test(objectId)) {
    throw new DomainError(
      'InvalidField',
      `Invalid object name "${objectId.slice(0, 80)}": use letters, digits, "_", "." and "-"`,
      { extras: { field: 'object_id' } },
    )
  }
  if ([...objectId].length > limits.idCharsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Invalid object name "${objectId.slice(0, 80)}…": use up to ${limits.idCharsMax} characters`,
    )
  }
}
