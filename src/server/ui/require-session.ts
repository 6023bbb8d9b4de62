import type { Session, Sessions } from '../../domains/access/index.ts'
import { DomainError } from '../../lib/errors.ts'
import { sessionTokenOf } from './session-cookie.ts'

/** A session, with the token that its browser holds. */
type OwnSession = Session & { readonly token: string }

/**
 * The session that a request belongs to, by its cookie alone.
 *
 * @throws DomainError Unauthorized
 */
export async function requireSession(request: Request, sessions: Sessions): Promise<OwnSession> {
  const session = await findSession(request, sessions)
  if (session === undefined) throw new DomainError('Unauthorized', 'Not logged in; open the login page')
  return session
}

/** The session that a request belongs to, by its cookie alone; undefined if there is none. */
export async function findSession({ headers }: Request, sessions: Sessions): Promise<OwnSession | undefined> {
  const token = sessionTokenOf(headers)
  const session = token === undefined ? undefined : await sessions.find(token)
  return token === undefined || session === undefined ? undefined : { ...session, token }
}
