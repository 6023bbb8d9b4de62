import type { TSchema } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import type { DialectName } from '../../runtime/config/configuration.ts'
import { toVendorText } from './names.ts'
import { compileRename, type Rename } from './rename.ts'
import { toVendorLocation } from './rename-schema.ts'
import { answersOf, asSchema } from './schema-parts.ts'

/**
 * Elysia plugin that makes the routes added after it speak `dialect`; does nothing for `ext`. In
 * `weave`, it renames members of bodies and query strings between parsing and validation, and
 * members of responses after validation, following the schemas of the matched route. Handlers that
 * return a `Response` (streams, files) rename their own members.
 *
 * @param routes all routes with their schemas, known when the first request arrives
 * @param hasLongBody whether the body is so large that renaming must yield to other requests
 */
export function dialectCodec(
  dialect: DialectName,
  routes: readonly RouteWithSchemas[],
  hasLongBody: (request: Request) => boolean = () => false,
): <App extends AnyElysia>(app: App) => App {
  return (app) => {
    if (dialect === 'weave') speakVendor(app, routes, hasLongBody)
    return app
  }
}

interface RouteWithSchemas {
  readonly method: string
  readonly path: string
  readonly hooks: RouteSchemas
}

interface RouteNames {
  readonly body: Rename | undefined
  readonly query: Rename | undefined
  readonly answers: ReadonlyMap<number, Rename>
  readonly schemas: Readonly<Record<string, TSchema | undefined>>
}

interface RouteSchemas {
  readonly body?: unknown
  readonly query?: unknown
  readonly params?: unknown
  readonly response?: unknown
}

function speakVendor(
  app: AnyElysia,
  routes: readonly RouteWithSchemas[],
  hasLongBody: (request: Request) => boolean,
): void {
  // Routes are registered after the plugin, so the table is built at the first request.
  let table: ReadonlyMap<string, RouteNames> | undefined
  const namesOf = (method: string, route: string): RouteNames | undefined => {
    table ??= new Map(routes.map((known) => [`${known.method} ${known.path}`, compileRoute(known.hooks)]))
    return table.get(`${method} ${route}`)
  }
  app
    .onTransform(async (context) => {
      const { body, request, route } = context
      const names = namesOf(request.method, route)
      if (names?.body !== undefined)
        context.body = hasLongBody(request) ? await names.body.inTurns(body) : names.body(body)
      if (names?.query !== undefined) context.query = names.query(context.query)
    })
    .mapResponse(async ({ request, route, responseValue, set }) => {
      const names = namesOf(request.method, route)
      if (names === undefined) return undefined
      if (responseValue instanceof Response) return await renameRefusal(responseValue, names)
      const rename = names.answers.get(typeof set.status === 'number' ? set.status : 200)
      return rename === undefined ? undefined : Response.json(rename(responseValue))
    })
}

function compileRoute({ body, query, params, response }: RouteSchemas): RouteNames {
  const answers = new Map<number, Rename>()
  for (const [status, schema] of answersOf(response)) {
    const rename = schema && compileRename(schema, 'to vendor')
    if (rename !== undefined) answers.set(Number(status), rename)
  }
  const schemas = { body: asSchema(body), query: asSchema(query), path: asSchema(params) }
  return {
    body: schemas.body && compileRename(schemas.body, 'to neutral'),
    query: schemas.query && compileRename(schemas.query, 'to neutral'),
    answers,
    schemas,
  }
}

interface RefusalBody {
  readonly reason?: unknown
  readonly detail?:
    | readonly { readonly loc: readonly [string, ...(string | number)[]]; readonly msg: string }[]
    | string
}

/**
 * Error reasons mention members, and violations contain paths; both are translated to the vendor's
 * names.
 */
async function renameRefusal(response: Response, { schemas }: RouteNames): Promise<Response | undefined> {
  if (response.status < 400 || response.headers.get('content-type') !== 'application/json') return undefined
  const body: RefusalBody = JSON.parse(await response.clone().text())
  const { status, headers } = response
  if (typeof body.reason === 'string') {
    return Response.json({ ...body, reason: toVendorText(body.reason) }, { status, headers })
  }
  if (!Array.isArray(body.detail)) return undefined
  const detail = body.detail.map((violation) => {
    const [root, ...path] = violation.loc
    const schema = schemas[root]
    if (schema === undefined) return violation
    return { ...violation, msg: toVendorText(violation.msg), loc: [root, ...toVendorLocation(schema, path)] }
  })
  return Response.json({ ...body, detail }, { status, headers })
}
