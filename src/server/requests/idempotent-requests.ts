import type { Begun, Idempotency, KeptAnswer } from '../../domains/requests/index.ts'
import { type IdScope, withIds } from '../../runtime/platform/new-id.ts'
import type { Operation } from './operation.ts'

/** The header that makes a request safe to retry. */
const idempotencyHeader = 'idempotency-key'

interface Parsed {
  readonly request: Request
  readonly operation: Operation | undefined
  readonly userId: string
  readonly body: unknown
}

interface Scope extends IdScope {
  begun: Begun | undefined
}

/** Transient statuses: the request should be retried unchanged. */
const passing = (status: number): boolean => status >= 500 || status === 429 || status === 499

/** Executes a request with an `Idempotency-Key` once and returns its response to all retries. */
export class IdempotentRequests {
  private readonly idempotency: Idempotency
  private readonly scopes = new WeakMap<Request, Scope>()

  constructor(idempotency: Idempotency) {
    this.idempotency = idempotency
  }

  /** Runs `answer` and stores its response if the request was begun meanwhile. */
  async run(request: Request, answer: () => Promise<Response>): Promise<Response> {
    if (!request.headers.has(idempotencyHeader)) return await answer()
    const scope: Scope = { ids: undefined, begun: undefined }
    this.scopes.set(request, scope)
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
  async begin({ request, operation, userId, body }: Parsed): Promise<Response | undefined> {
    const scope = this.scopes.get(request)
    if (scope === undefined || operation?.idempotencyKey !== true) return undefined
    const { pathname, search } = new URL(request.url)
    const begun = await this.idempotency.begin({
      userId,
      target: `${request.method} ${pathname}${search}`,
      key: request.headers.get(idempotencyHeader)!,
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
  const named = (body as { readonly project_id?: unknown } | null | undefined)?.project_id
  if (typeof named === 'string') return named
  const [, entity, project] = /^\/v2\/([^/]+)\/([^/]+)\//.exec(pathname) ?? []
  return entity === undefined || project === undefined
    ? null
    : `${decodeURIComponent(entity)}/${decodeURIComponent(project)}`
}

const repeated = ({ status, text }: KeptAnswer): Response =>
  new Response(text, { status, headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true' } })
