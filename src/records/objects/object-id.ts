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
      `Name an object "${objectId.slice(0, 80)}": a name is made of letters, digits, "_", "." and "-"`,
      { extras: { field: 'object_id' } },
    )
  }
  if ([...objectId].length > limits.idCharsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Name an object "${objectId.slice(0, 80)}…": a name has up to ${limits.idCharsMax} characters`,
    )
  }
}
