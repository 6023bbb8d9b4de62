import { formPaths } from '../../domains/files/operations/index.ts'
import { DomainError, quoted } from '../../lib/errors.ts'

const json = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i
const form = /^\s*multipart\/form-data\s*;/i

/**
 * Refuses bodies of the types that a form of another site can send without asking.
 *
 * @throws DomainError UnsupportedMediaType
 */
export function requireOwnType({ method, headers }: Request, path: string): void {
  if (method === 'GET' || method === 'HEAD' || method === 'DELETE') return
  const type = headers.get('content-type')
  if (type !== null && (formPaths.has(path) ? form : json).test(type)) return
  const expected = formPaths.has(path) ? 'multipart/form-data' : 'application/json'
  const given = type === null ? 'no content type' : `the content type ${quoted(type)}`
  throw new DomainError('UnsupportedMediaType', `The request has ${given}; send ${expected}`)
}
