import { type RefInProject, splitRef } from '../../formats/dialect/parsed-ref.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { isJsonObject, mapJson } from '../../lib/json-value.ts'
import type { ProjectReader } from '../access/index.ts'

/**
 * Replaces project names in refs by internal ids: the form that digests are computed from. Only
 * whole strings are refs; keys are not.
 *
 * @throws DomainError InvalidRequest for a malformed ref
 */
export const withInternalRefs = (value: unknown): unknown => (holdsRef(value) ? inForm(value, true) : value)

/**
 * Replaces internal project ids in refs by project names: the form that is stored and returned.
 *
 * @throws DomainError InvalidRequest for a malformed ref, or an internal one whose project is out
 *   of the sender's scope
 */
export function withOutsideRefs(value: unknown, sender: Pick<ProjectReader, 'reaches'>): unknown {
  if (!holdsRef(value)) return value
  return inForm(value, false, ({ projectId }, text) => {
    if (sender.reaches(projectId)) return
    throw new DomainError(
      'InvalidRequest',
      `Invalid ref ${quoted(text, 200)}: this API key has no access to the project of that internal id`,
    )
  })
}

function inForm(value: unknown, isInternal: boolean, check?: (ref: RefInProject, text: string) => void): unknown {
  if (typeof value !== 'string') return mapJson(value, (child) => inForm(child, isInternal, check))
  const ref = splitRef(value)
  if (ref === undefined || ref.isInternal === isInternal) return value
  check?.(ref, value)
  return ref.inOtherForm
}

function holdsRef(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(':///')
  if (Array.isArray(value)) return value.some(holdsRef)
  return isJsonObject(value) && Object.values(value).some(holdsRef)
}
