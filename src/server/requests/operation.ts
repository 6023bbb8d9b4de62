import type { TSchema } from '@sinclair/typebox'

/** What the `detail` of a route says about its operation, in addition to the schemas. */
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
