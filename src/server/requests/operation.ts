import type { TSchema } from '@sinclair/typebox'
import type { Caller } from '../../domains/access/index.ts'

/** Description of an operation in the `detail` of its route, in addition to the schemas. */
export interface Operation {
  readonly operationId?: string
  /** Changes nothing although it has a body: keys with the role `read` may call it. */
  readonly readOnly?: boolean
  /**
   * Accepts `Idempotency-Key`: an operation that writes and returns a short JSON text. Uploads,
   * tables and trace exports do not need it, because repeating them is harmless.
   */
  readonly idempotencyKey?: boolean
  readonly tags?: readonly string[]
  /**
   * Schema of a body that the operation checks itself: the route has none. Says where its numbers
   * are kept as they are written.
   */
  readonly checkedBody?: TSchema
  /** Omits the route from the API description. */
  readonly hide?: boolean
}

/** A route of Elysia with its schemas, from which the API description is generated. */
export interface DescribedRoute {
  readonly method: string
  readonly path: string
  readonly hooks: {
    readonly body?: unknown
    readonly query?: unknown
    readonly params?: unknown
    readonly response?: unknown
    readonly detail?: RouteDetail | undefined
  }
}

/** A response as a route states it; contents by media type. */
interface StatedResponse {
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>
}

/**
 * `detail` of a route: parts of an OpenAPI operation object that cannot be derived from schemas;
 * they override derived ones.
 */
export interface RouteDetail extends Operation {
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly unknown[]
  readonly deprecated?: boolean
  readonly requestBody?: unknown
  readonly responses?: Readonly<Record<string, StatedResponse>>
}

/**
 * Rejects a caller without permission for an operation before the body is read. The operation
 * checks the same again, and the projects named in the body.
 *
 * @param operation undefined for an unknown path
 * @param params path parameters
 * @throws DomainError Forbidden
 */
export function requireAccess(
  caller: Caller,
  operation: Operation | undefined,
  params: Readonly<Record<string, string>> = {},
): void {
  const { entity, project } = params
  if (entity !== undefined && project !== undefined) requireProjectAccess(caller, operation, `${entity}/${project}`)
  if (caller.role === 'read' && operation?.readOnly !== true) caller.requireRole('write')
}

/**
 * Rejects a caller without permission for an operation on a project that the request names.
 *
 * @throws DomainError Forbidden
 */
export function requireProjectAccess(caller: Caller, operation: Operation | undefined, projectId: string): void {
  caller.requireReach(projectId)
  // The role may differ between projects. `requireAccess` rejects one that is too low everywhere.
  if (caller.role !== 'read' && operation?.readOnly !== true) caller.write(projectId)
}
