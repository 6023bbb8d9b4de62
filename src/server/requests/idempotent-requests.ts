import type { Idempotency, KeptAnswer } from '../../domains/requests/index.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { withIds } from '../../runtime/platform/new-id.ts'
import type { IdempotentScope, RequestState } from './request-state.ts'

/** The header that makes a request safe to retry. */
const idempotencyHeader = 'idempotency-key'

/** Transient statuses: the request should be retried unchanged. */
const passing = (status: number): boolean => status >= 500 || status === 429 || status === 499

/** Executes a request with an `Idempotency-Key` once and returns its response to all retries. */
export class IdempotentRequests {
  private readonly idempotency: Idempotency

  constructor(idempotency: Idempotency) {
    this.idempotency = idempotency
  }

  /** Runs `answer` and stores its response if the request was begun meanwhile. */
  async run(request: Request, state: RequestState, answer: () => Promise<Response>): Promise<Response> {
    const key = request.headers.get(idempotencyHeader)
    if (key === null) return await answer()
    const scope: IdempotentScope = { key, ids: undefined, begun: undefined }
    state.idempotent = scope
    const response = await withIds(scope, answer)
    // Work that continues after the response generates its own ids.
    scope.ids = undefined
    if (scope.begun === undefined) return response
    const { status, headers } = response
    const text = await response.text()
    await scope.begun.finish(passing(status) ? undefined : { status, text })
    return new Response(text, { status, headers })
  }

  /**
   * Called before a request is executed. Returns the stored response if this is a retry.
   *
   * @throws ValidationError, DomainError RepeatedTooEarly
   */
  async begin(
    { method, url }: Request,
    { operation, access, idempotent: scope }: RequestState,
    body: unknown,
  ): Promise<Response | undefined> {
    if (scope === undefined || access === undefined || operation?.detail.idempotencyKey !== true) return undefined
    const { pathname, search } = new URL(url)
    const begun = await this.idempotency.begin({
      userId: access.caller.userId,
      target: `${method} ${pathname}${search}`,
      key: scope.key,
      body,
      projectId: projectOf(pathname, body),
    })
    if ('text' in begun) return repeated(begun)
    scope.begun = begun
    scope.ids = begun.ids
    return undefined
  }
}

/** The project that a request names, in its body or its path. */
function projectOf(pathname: string, body: unknown): string | null {
  const named = isJsonObject(body) ? body['project_id'] : undefined
  if (typeof named === 'string') return named
  const [, entity, project] = /^\/v2\/([^/]+)\/([^/]+)\//.exec(pathname) ?? []
  return entity === undefined || project === undefined
    ? null
    : `${decodeURIComponent(entity)}/${decodeURIComponent(project)}`
}

const repeated = ({ status, text }: KeptAnswer): Response =>
  new Response(text, { status, headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true' } })
