import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../domains/access/index.ts'
import { toErrorResponse } from '../../domains/requests/index.ts'
import { version } from '../../lib/version.ts'
import type { Config, DialectName } from '../../runtime/config/configuration.ts'
import type { Log } from '../../runtime/log.ts'
import { isLoopbackHost } from '../../runtime/platform/client-address.ts'
import { absolutePath } from '../../runtime/platform/files/paths.ts'
import { programCommand, shellWord } from '../../runtime/platform/program-command.ts'
import type { Services } from '../services.ts'
import type { BrowserOrigin } from './browser-origin.ts'
import { findSession, noSessionCookie, sessionCookie, sessionTokenOf } from './session-cookie.ts'
import { signInEntry } from './sign-in-api.ts'
import { smallBodies } from './small-bodies.ts'

/**
 * Where OpenTelemetry exporters reach the gRPC port, for example `http://127.0.0.1:4317`; null if
 * the server does not listen for gRPC.
 *
 * `TRACELAKE_GRPC_URL` states it where there is a proxy in front. Otherwise it is the port of this
 * server, which speaks no TLS, at the host by which the browser knows the server; at a loopback
 * address if the port can be reached from nowhere else.
 *
 * @param listening address with the port that the server listens on, for example `127.0.0.1:4317`
 */
export function grpcUrlOf(
  { grpcUrl }: Pick<Config, 'grpcUrl'>,
  listening: string | undefined,
  browserOrigin: string,
): string | null {
  if (listening === undefined) return null
  if (grpcUrl !== undefined) return grpcUrl
  const { hostname, port } = new URL(`http://${listening}`)
  const host = isLoopbackHost(hostname) ? loopbackName(hostname, browserOrigin) : new URL(browserOrigin).hostname
  return `http://${host}:${port || '80'}`
}

/** The browser's own name for this machine, such as `localhost`, if it uses one. */
function loopbackName(hostname: string, browserOrigin: string): string {
  const asked = new URL(browserOrigin).hostname
  return isLoopbackHost(asked) ? asked : hostname
}

const dialectNames = { ext: 'ext', weave: 'weave' } as const satisfies Readonly<Record<DialectName, DialectName>>

const SessionInfo = Type.Object({
  user_id: Type.String({ description: 'Id of the API key or of the account' }),
  user_name: Type.String({ description: 'Name of the API key or of the person' }),
  credential: Type.Union([Type.Literal('key'), Type.Literal('account')], {
    description: 'Credential of the session: an API key, or an account of the OpenID provider',
  }),
  provider: Type.Union([Type.String(), Type.Null()], { description: 'Name of the OpenID provider of the account' }),
  role: Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]),
  projects: Type.Array(Type.String(), {
    description: 'Accessible projects: `*`, `<entity>/*` or `<entity>/<project>`',
    examples: [['*']],
  }),
  version: Type.String({ description: 'Version of the server' }),
  public_url: Type.String({ description: 'Address of the server as the browser sees it, with the base path' }),
  grpc_url: Type.Union([Type.String(), Type.Null()], {
    description: 'Where OpenTelemetry exporters reach the server over gRPC; null if they cannot',
  }),
  command: Type.String({
    description: 'Command that starts tracelake on the machine of the server',
    examples: ['./scripts/tracelake', 'npx tracelake'],
  }),
  data_folder: Type.Union([Type.String(), Type.Null()], {
    description:
      'The data folder, as arguments of a shell command: what follows `--data`, with `--lake` and its address where ' +
      'the data is in an object store; null for all but admins',
  }),
  dialect: Type.Enum(dialectNames, {
    description: 'Names that the public API uses; the UI itself always gets the neutral ones',
  }),
})

const NoSession = Type.Object({
  user_id: Type.Null({ description: 'Nobody is logged in' }),
  ended: Type.Union([Type.Literal('key_revoked'), Type.Literal('ended'), Type.Null()], {
    description:
      'Why the session of the cookie has ended: its API key is not valid any more, or it ended otherwise. ' +
      'Null if there is no cookie',
  }),
  open_command: Type.String({
    description: 'Command that prints a login link on the machine of the server',
    examples: ['./scripts/tracelake open --data DATA_FOLDER'],
  }),
})

const fromElsewhere = { 403: { description: 'Cross-site request' } }

const common = { tags: ['Web UI'], security: [] }

const logInRoute = {
  body: Type.Union([
    Type.Object({ key: Type.String({ minLength: 1, maxLength: 1024, description: 'API key' }) }),
    Type.Object({ once: Type.String({ minLength: 1, maxLength: 1024, description: 'Secret of a login link' }) }),
  ]),
  response: { 200: SessionInfo },
  detail: {
    ...common,
    operationId: 'ui.log_in',
    summary: 'Log in to the web UI',
    description:
      'Sets the cookie `tracelake_session`, which is valid for the web UI and for `/ui/api/`, where every ' +
      'operation of this document is served in neutral names. The public API accepts no cookies. A session ' +
      'ends with its API key. Ten failures a minute are allowed per client address.',
    responses: {
      ...fromElsewhere,
      401: { description: 'The key or the link is not valid' },
      429: { description: 'Too many failed logins from this address' },
    },
  },
}

const readSessionRoute = {
  response: { 200: Type.Union([SessionInfo, NoSession]) },
  detail: {
    ...common,
    operationId: 'ui.read_session',
    summary: 'Read the current session',
    description: 'Without a session, the response says why the last one ended.',
    responses: fromElsewhere,
  },
}

const logOutRoute = {
  response: { 200: Type.Object({ logout_url: Type.String() }) },
  detail: {
    ...common,
    operationId: 'ui.log_out',
    summary: 'Log out of the web UI',
    description:
      'A session that was opened through the OpenID provider answers with the address at which the browser ends ' +
      'its session there too, if the provider has one.',
    responses: { ...fromElsewhere, 204: { description: 'The session has ended' } },
  },
}

/** What follows `--data` in a command on the data of this server. */
const placeWords = (folder: string, lake: string | undefined): string =>
  lake === undefined ? folder : `${folder} --lake ${lake}`

interface SessionApiOptions {
  readonly config: Config
  readonly services: Services
  readonly log: Log
  readonly clientAddressOf: (request: Request) => string
  readonly originOf: (request: Request) => BrowserOrigin
  /** Whether the browser runs on the machine of the server. */
  readonly isFromThisMachine: (request: Request) => boolean
  readonly grpcAddress: () => string | undefined
}

/**
 * `/ui/session`: log in, read the session, log out. See
 * docs/decisions/070-sessions-of-the-web-ui.md.
 */
export function sessionApi(options: SessionApiOptions) {
  const { config, services, log, clientAddressOf, originOf } = options
  const { basePath, dialect, publicUrl } = config
  const command = programCommand()
  const dataFolder = placeWords(shellWord(absolutePath(config.data)), config.lake && shellWord(config.lake.address))
  const { logins } = services
  const readBody = smallBodies('login')
  const cookieScope = (request: Request) => ({ basePath, isSecure: originOf(request).isSecure })
  const infoOf = (
    request: Request,
    { userId, userName, role, scopes, credential }: Caller,
  ): Static<typeof SessionInfo> => ({
    user_id: userId,
    user_name: userName,
    credential: credential === 'account' ? 'account' : 'key',
    provider: credential === 'account' ? (logins.openId?.name ?? null) : null,
    role,
    projects: scopes.map((scope) => (scope === '*' || scope.includes('/') ? scope : `${scope}/*`)),
    version,
    public_url: publicUrl ?? `${originOf(request).origin}${basePath}`,
    grpc_url: grpcUrlOf(config, options.grpcAddress(), originOf(request).origin),
    command,
    data_folder: role === 'admin' && scopes.includes('*') ? dataFolder : null,
    dialect,
  })
  const noSession = (request: Request): Static<typeof NoSession> => {
    const token = sessionTokenOf(request.headers)
    // Only a browser on this machine learns the path: everybody else here is a stranger.
    const hidden = placeWords('DATA_FOLDER', config.lake && 'ADDRESS')
    const folder = options.isFromThisMachine(request) ? dataFolder : hidden
    return {
      user_id: null,
      ended: token === undefined ? null : logins.sessions.whyEnded(token),
      open_command: `${command} open --data ${folder}`,
    }
  }
  return new Elysia({ normalize: false, strictPath: true, handler: { standardHostname: false } })
    .onParse(({ request }) => (request.method === 'DELETE' ? null : readBody(request)))
    .onError(({ error }) => toErrorResponse(error, log))
    .post(
      '/ui/session',
      async ({ request, body, set }) => {
        const address = clientAddressOf(request)
        const before = sessionTokenOf(request.headers)
        const opening = 'key' in body ? logins.withKey(body.key, address) : logins.withLink(body.once, address)
        const login = await opening.catch((cause: unknown) => {
          void services.audit.record(signInEntry('ui.log_in', 401, address))
          throw cause
        })
        if (before !== undefined) await logins.sessions.end(before)
        await services.audit.record(signInEntry('ui.log_in', 200, address, login.caller))
        set.headers['set-cookie'] = sessionCookie(login.token, cookieScope(request))
        return infoOf(request, login.caller)
      },
      logInRoute,
    )
    .get(
      '/ui/session',
      async ({ request, set }) => {
        const session = await findSession(request, logins.sessions)
        if (session === undefined) return noSession(request)
        // Every visit extends the session.
        set.headers['set-cookie'] = sessionCookie(session.token, cookieScope(request))
        return infoOf(request, session.caller)
      },
      readSessionRoute,
    )
    .delete(
      '/ui/session',
      async ({ request }) => {
        const token = sessionTokenOf(request.headers)
        const account = token === undefined ? undefined : await logins.sessions.end(token)
        const headers = { 'set-cookie': noSessionCookie(cookieScope(request)) }
        const returnTo = `${originOf(request).origin}${basePath}/ui/login`
        const logoutUrl = account && (await logins.openId?.logoutUrl(account, returnTo))
        if (logoutUrl !== undefined) return Response.json({ logout_url: logoutUrl }, { headers })
        return new Response(null, { status: 204, headers })
      },
      logOutRoute,
    )
}
