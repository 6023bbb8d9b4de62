/** What the `detail` of a route says about its operation beside its schemas. */
export interface Operation {
  readonly operationId?: string
  /** Changes nothing, though it has a body: keys with the role `read` may call it. */
  readonly readOnly?: boolean
  /**
   * Takes the header `Idempotency-Key`: an operation that writes and answers with a short JSON text.
   * Uploads, tables and exports of traces need none, because repeating them changes nothing.
   */
  readonly idempotencyKey?: boolean
  /** Left out of the API description. */
  readonly hide?: boolean
}

interface Routed {
  readonly routes: readonly { readonly method: string; readonly path: string; readonly hooks: unknown }[]
}

/** The operations of an application by method and path pattern, such as `POST /call/read`. */
export const operationsOf = ({ routes }: Routed): ReadonlyMap<string, Operation> =>
  new Map(
    routes.map(({ method, path, hooks }) => [`${method} ${path}`, (hooks as { detail?: Operation }).detail ?? {}]),
  )
