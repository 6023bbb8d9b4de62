import { callsCatalog } from '../../../engine/tables/calls-query.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { type Catalog, type CountableField, resolveField, type UsageField } from '../../../query/catalog.ts'

/**
 * The field at a path, if calls can be counted by its value.
 *
 * @param attempt beginning of the error message
 * @throws DomainError InvalidField, InvalidRequest for a field that is not of the call itself
 */
export function countableField(attempt: string, path: string): CountableField
export function countableField(attempt: string, path: string, catalog: Catalog): CountableField | UsageField
export function countableField(attempt: string, path: string, catalog = callsCatalog): CountableField | UsageField {
  const field = resolveField(catalog, path)
  if (field.kind === 'usage') return field
  const isOfCall = (field.kind === 'json' && field.of === undefined) || field.kind === 'column'
  if (isOfCall && !(field.kind === 'column' && field.type === 'texts')) return field
  throw new DomainError(
    'InvalidRequest',
    `${attempt} ${quoted(path)}: only values of the call itself can be counted, not feedback, queues or lists of refs`,
  )
}
