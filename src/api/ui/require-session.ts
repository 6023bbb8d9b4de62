import { DomainError } from '../../errors.ts'
import type { Session, Sessions } from '../../foundation/sessions/sessions.ts'
import { sessionTokenOf } from './session-cookie.ts'

/**
 * The session that a request belongs to, by its cookie alone.
 *
 * @throws DomainError Unauthorized
 */
export async function requireSession(
  { headers }: Request,
  sessions: Sessions,
): Promise<Session & { readonly token: string }> {
  const token = sessionTokenOf(headers)
  const session = token === undefined ? undefined : await sessions.find(token)
  if (token === undefined || session === undefined) {
    throw new DomainError('Unauthorized', 'Not logged in; open the login page')
  }
  return { ...session, token }
}
