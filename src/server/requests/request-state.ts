import type { Caller } from '../../domains/access/index.ts'
import type { PreparedCalls } from '../../domains/calls/index.ts'
import type { Begun, BodyRoom } from '../../domains/requests/index.ts'
import type { HttpClient } from '../../runtime/http/http-listener.ts'
import type { IdScope } from '../../runtime/platform/new-id.ts'
import type { OperationMetrics } from '../metrics/request-metrics.ts'
import type { AuditNote } from './audit-note.ts'
import type { ServedOperation } from './served-operation.ts'

/** An `Idempotency-Key`, and the ids that its request generates. */
export interface IdempotentScope extends IdScope {
  readonly key: string
  /** Set when the request is executed for the first time. */
  begun: Begun | undefined
}

/** Everything that the server keeps about one request while it answers it. */
export interface RequestState {
  readonly client: HttpClient
  /** Id that is logged and returned. */
  readonly id: string
  /** Address of the client, as trusted proxies report it. Slow on Bun the first time. */
  readonly address: () => string
  /** The metrics that the request is counted in: those of its operation, once that is known. */
  metrics: OperationMetrics
  /** The operation that the request matched; undefined before routing and for an unknown path. */
  operation: ServedOperation | undefined
  /** The sender of the request, and its entry for the audit log; undefined without a key. */
  access: { readonly caller: Caller; readonly note: AuditNote } | undefined
  /** The memory reserved for the body. */
  room: BodyRoom | undefined
  /** Whether the body is so large that renaming its members must yield to other requests. */
  hasLongBody: boolean
  /** The calls of the body, if a thread has read it. */
  prepared: PreparedCalls | undefined
  /** Undefined for a request without an idempotency key. */
  idempotent: IdempotentScope | undefined
  /** The cookie that extends the session of a browser. */
  cookie: string | undefined
  /** Id of the read-only link whose visitor sends the request. */
  linkId: string | undefined
  /**
   * Refuses a request that its sender may not make although the role allows the operation. Called
   * with what the operation will get.
   */
  narrow: ((asked: { readonly params: unknown; readonly body: unknown }) => Promise<void>) | undefined
}

/** The states of the requests in progress. */
export class RequestStates {
  private readonly states = new WeakMap<Request, RequestState>()

  /** Creates the state of a request that has arrived. */
  begin(request: Request, arrived: Pick<RequestState, 'client' | 'id' | 'address' | 'metrics'>): RequestState {
    const state: RequestState = {
      ...arrived,
      operation: undefined,
      access: undefined,
      room: undefined,
      hasLongBody: false,
      prepared: undefined,
      idempotent: undefined,
      cookie: undefined,
      linkId: undefined,
      narrow: undefined,
    }
    this.states.set(request, state)
    return state
  }

  /** The state of a request that `begin` was called for. */
  of(request: Request): RequestState {
    const state = this.states.get(request)
    if (state === undefined) throw new Error(`The state of ${request.method} ${request.url} was never created`)
    return state
  }
}
