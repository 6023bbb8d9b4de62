import type { HttpClient } from '../../runtime/http/http-listener.ts'
import type { Caller } from '../access/index.ts'

/** Derived by the application for every request before its handler runs. */
export type RequestContext = {
  caller: Caller
  client: HttpClient | undefined
  /** The caller as of now, for answers that outlive a key. @throws DomainError Unauthorized */
  authenticateAgain: () => Promise<Caller>
}
