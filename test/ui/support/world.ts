import type { Client } from '../../conformance/support/client.ts'
import { Project } from '../../conformance/support/project.ts'
import { type ServerProcess, startServer } from '../../conformance/support/server-process.ts'
import { Browser } from '../../conformance/ui/browser.ts'
import { seedOdd } from './odd-project.ts'
import { sharedInRun } from './run-wide.ts'
import { seedBoards } from './seed-boards.ts'
import { type SeededRuns, seedLeaderboard, seedRuns } from './seed-runs.ts'
import { type SupportSeed, seedSupport } from './seed-support.ts'
import { type Visit, type VisitOptions, visiting } from './visit.ts'

export type Role = 'read' | 'write' | 'admin'

/** A server with the seeded data, and people who may use it. */
export class World implements AsyncDisposable {
  readonly server: ServerProcess
  readonly support: SupportSeed
  /** In the project acme/runs. */
  readonly runs: SeededRuns
  /** Paths of two read-only links: one that works, and one that was revoked. */
  readonly links: { readonly open: string; readonly revoked: string }
  private readonly cookies = new Map<Role, Promise<string>>()
  private readonly keys = new Map<Role, Promise<string>>()

  constructor(server: ServerProcess, support: SupportSeed, runs: SeededRuns, links: World['links']) {
    this.server = server
    this.support = support
    this.runs = runs
    this.links = links
  }

  get address(): string {
    return this.server.client.address
  }

  /** Runs `look` with a page on which a key of `role` is signed in; null for no session. */
  async visit(
    look: (visit: Visit) => Promise<void>,
    { role = 'admin', ...options }: Omit<VisitOptions, 'address' | 'cookie'> & { role?: Role | null } = {},
  ): Promise<void> {
    const cookie = role === null ? undefined : await this.cookieOf(role)
    await visiting({ ...options, address: this.address, cookie }, look)
  }

  keyOf(role: Role): Promise<string> {
    const key =
      this.keys.get(role) ??
      (role === 'admin'
        ? Promise.resolve(this.server.adminKey)
        : this.server.createKey({ name: `ui-${role}`, role, scope: '*' }))
    this.keys.set(role, key)
    return key
  }

  private cookieOf(role: Role): Promise<string> {
    const cookie = this.cookies.get(role) ?? this.keyOf(role).then((key) => signIn(this.address, key))
    this.cookies.set(role, cookie)
    return cookie
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop()
  }
}

/** The server that all browser tests share: they may add to it but not change it. */
export const sharedWorld = (): Promise<World> =>
  sharedInRun('world', async () => {
    const server = await startServer()
    try {
      // The start page of an empty project would make this key at its first visit only.
      await server.createKey({ name: 'snippet-acme-new', role: 'write', scope: 'acme/new' })
      await seedOdd(server.client)
      const runs = await seedRuns(new Project(server.client, 'acme', 'runs'))
      await seedLeaderboard(new Project(server.client, 'acme', 'runs'), runs.evaluation)
      const support = await seedSupport(server.client, (key) => server.createKey(key))
      await seedBoards(server.client, support.project.id)
      return new World(server, support, runs, await seedLinks(server.client, support))
    } catch (cause) {
      await server.stop()
      throw cause
    }
  })

/** Makes two links to a trace, and revokes one. */
async function seedLinks(client: Client, { trace }: SupportSeed): Promise<World['links']> {
  const project_id = 'acme/support'
  const make = async () => {
    const body = { project_id, trace_id: trace[0]?.start.trace_id, expires_in_seconds: 90 * 86_400 }
    return (await client.post<{ id: string; path: string }>('/shared_links/create', body)).json
  }
  const [open, revoked] = [await make(), await make()]
  await client.post('/shared_links/revoke', { project_id, id: revoked.id })
  return { open: open.path, revoked: revoked.path }
}

/** Signs in with a key. @returns the cookie, `name=value` */
export async function signIn(address: string, key: string): Promise<string> {
  const { cookie } = await new Browser(address).logIn(key)
  if (cookie === undefined) throw new Error(`Sign in at ${address}: the server set no cookie`)
  return cookie
}
