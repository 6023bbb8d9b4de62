import { DomainError, quoted } from '../errors.ts'
import { resolveField } from '../query/catalog.ts'
import type { CountableField } from '../query/sql/field-text.ts'
import { callsCatalog } from '../tables/calls-query.ts'

/**
 * The field at a path, if calls can be counted by its value.
 *
 * @param attempt beginning of the error message
 * @throws DomainError InvalidField, InvalidRequest for a field that is not of the call itself
 */
export function countableField(attempt: string, path: string): CountableField {
  const field = resolveField(callsCatalog, path)
  const isOfCall = (field.kind === 'json' && field.of === undefined) || field.kind === 'column'
  if (isOfCall && !(field.kind === 'column' && field.type === 'texts')) return field
  throw new DomainError(
    'InvalidRequest',
    `${attempt} ${quoted(path)}: only values of the call itself can be counted, not feedback, queues or lists of refs`,
  )
}
