import type { HttpClient } from '../../runtime/http/http-listener.ts'
import type { Caller } from '../access/index.ts'

/** Derived by the application for every request before its handler runs. */
type RequestContext = {
  caller: Caller
  client: HttpClient | undefined
  /** The caller as of now, for answers that outlive a key. @throws DomainError Unauthorized */
  authenticateAgain: () => Promise<Caller>
}

/**
 * Declares the members of `RequestContext` to a group of operations, which decorates itself with
 * it: the application sets them for each request.
 */
export const requestContext = {} as RequestContext
