import { isJsonObject, mapJson } from './json-value.ts'
import { splitRef } from './parsed-ref.ts'

/**
 * The value with the project of every ref in it given by its internal id: the form that digests are made of. Only whole texts are
 * refs; keys are not.
 *
 * @throws DomainError InvalidRequest where a text begins like a ref and names no project
 */
export const withInternalRefs = (value: unknown): unknown => (holdsRef(value) ? inForm(value, true) : value)

/** The value with the project of every ref in it given by its name: the form that is stored and answered. @throws DomainError InvalidRequest */
export const withOutsideRefs = (value: unknown): unknown => (holdsRef(value) ? inForm(value, false) : value)

function inForm(value: unknown, isInternal: boolean): unknown {
  if (typeof value !== 'string') return mapJson(value, (child) => inForm(child, isInternal))
  const ref = splitRef(value)
  return ref === undefined || ref.isInternal === isInternal ? value : ref.inOtherForm
}

function holdsRef(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(':///')
  if (Array.isArray(value)) return value.some(holdsRef)
  return isJsonObject(value) && Object.values(value).some(holdsRef)
}
