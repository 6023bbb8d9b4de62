import { computed, effect, signal } from '@preact/signals'
import { Problem, reach, send, signOuts } from '../api/client.ts'
import { root } from '../base.ts'
import { forgetSnippetKeys } from './snippet-keys.ts'

/** The signed-in user and what they can access. */
export interface Session {
  /** Id and name of the key or the person. */
  readonly user_id: string
  readonly user_name: string
  readonly credential: 'key' | 'account'
  /** Name of the OpenID provider of an account. */
  readonly provider: string | null
  readonly role: 'read' | 'write' | 'admin'
  /** Accessible projects: `*`, or patterns such as `acme/*`. */
  readonly projects: readonly string[]
  readonly version: string
  /** Address that clients use, as the server knows it. */
  readonly public_url: string
  /** Where exporters reach the server over gRPC; null if they cannot. */
  readonly grpc_url: string | null
  /** Command that starts tracelake on the machine of the server. */
  readonly command: string
  /** The data folder as an argument of a shell command; null for all but admins. */
  readonly data_folder: string | null
  /** How the public API spells members: snippets depend on it. */
  readonly dialect: 'ext' | 'weave'
}

/** The server's response to a browser without a session. */
export interface NoSession {
  readonly user_id: null
  /** Why the session before is over; null if there was none. */
  readonly ended: 'key_revoked' | 'ended' | null
  /** Command that prints a login link on the machine of the server. */
  readonly open_command: string
}

/** The session; undefined until the server has answered, null if not signed in. */
export const session = signal<Session | null | undefined>(undefined)

/** Version of the server when this page was opened. */
export const pageVersion = signal<string | undefined>(undefined)

/** The server's last answer while nobody was signed in. */
export const noSession = signal<NoSession>()

/** Whether the session may write. Controls that write are not shown otherwise. */
export const canWrite = computed(() => session.value?.role === 'write' || session.value?.role === 'admin')

/** Whether the session may manage keys, secrets and the server. */
export const isAdmin = computed(() => session.value?.role === 'admin')

/** Whether the session may ask in SQL: all rows of all projects. */
export const isOperator = computed(() => isAdmin.value && session.value?.projects.includes('*') === true)

/** Asks the server who is signed in. @throws {Problem} if it cannot be reached */
export async function loadSession(): Promise<void> {
  const response = await reach(`${root}/session`, {})
  if (!response.ok)
    throw new Problem(response.status, `Cannot read the session: the server responded with ${response.status}`)
  const answer: Session | NoSession = await response.json()
  if (answer.user_id === null) leave(answer)
  else begin(answer)
}

/** Signs in with a key or a one-time code. @throws {Problem} */
export async function signIn(credential: { key: string } | { once: string }): Promise<void> {
  const response = await send(`${root}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credential),
  })
  begin(await response.json())
}

function begin(begun: Session): void {
  pageVersion.value ??= begun.version
  session.value = begun
}

/** Ends the session, here, on the server and with the OpenID provider. @throws {Problem} */
export async function signOut(): Promise<void> {
  const response = await send(`${root}/session`, { method: 'DELETE' })
  if (response.status !== 200) return await loadSession().catch(() => leave(undefined))
  const { logout_url }: { logout_url: string } = await response.json()
  location.assign(logout_url)
}

/** Asks for the session when any answer says that it has ended: the server also says why. */
export function watchSession(): void {
  effect(() => {
    if (signOuts.value > 0 && session.peek()) loadSession().catch(() => leave(undefined))
  })
}

function leave(why: NoSession | undefined): void {
  noSession.value = why
  forgetSnippetKeys()
  session.value = null
}
