import { isOpRef, startsLikeRef } from '../../formats/dialect/ref.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { isWithin } from '../../lib/ids.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { parseTime } from '../../lib/time.ts'

/**
 * Checks of members of calls that are stored as they are sent. Each takes the name of the member,
 * for its message, and its value; each answers the cell, or throws DomainError InvalidRequest.
 */

type Optional<Value> = Value | null | undefined

/** Any short text, such as the name of a run. */
export function checkName(member: string, text: Optional<string>): string | null {
  if (text == null) return null
  if (text.length === 0 || text.length > operationLimits.opNameCharsMax) {
    throw invalid(`\`${member}\` must have 1 to ${operationLimits.opNameCharsMax} characters`)
  }
  return text
}

/** Text of any length. */
export const checkException = (_: string, text: Optional<string>): string | null => text ?? null

/** Refs of ops that are known to be right: they repeat from call to call. */
const knownOpRefs = new BoundedMap<string, true>(telemetryLimits.cachedKeysMax)

export function checkOpName(member: string, name: string): string {
  if (knownOpRefs.get(name)) return name
  if (startsLikeRef(name)) {
    if (name.length <= operationLimits.opNameCharsMax && isOpRef(name)) {
      knownOpRefs.set(name, true)
      return name
    }
    throw invalid(`Invalid ${member} ${quoted(name)}: a ref must be an op ref`)
  }
  if (name.length > 0 && isWithin(name, operationLimits.idCharsMax)) return name
  throw invalid(
    `Invalid ${member} ${quoted(name)}: a plain name must have 1 to ${operationLimits.idCharsMax} characters`,
  )
}

export function checkDisplayName(member: string, name: Optional<string>): string | null {
  if (name == null) return null
  if (isWithin(name, operationLimits.displayNameCharsMax)) return name
  throw invalid(`\`${member}\` must not exceed ${operationLimits.displayNameCharsMax} characters`)
}

export function checkStep(member: string, step: Optional<number>): number | null {
  if (step == null) return null
  if (step >= 0 && Number.isSafeInteger(step)) return step
  throw invalid(`\`${member}\` must be a non-negative integer, not ${step}`)
}

/** Microseconds. */
export function checkTime(member: string, time: string | number): number {
  const micros = parseTime(time)
  if (micros === undefined) throw invalid(`\`${member}\` is not a valid time`)
  return micros
}

const invalid = (message: string) => new DomainError('InvalidRequest', message)
