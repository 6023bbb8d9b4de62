import process from 'node:process'
import { Project } from '../../conformance/support/project.ts'
import { type ServerProcess, startServer } from '../../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../../conformance/support/temp-folder.ts'
import { type Visit, visiting } from './visit.ts'
import { signIn } from './world.ts'

/** What the browser itself says of requests without an answer. */
const refused = [/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|Failed to fetch/, /dynamically imported module/]

/**
 * A port that is free, and that no program is given by chance while the server is gone: systems
 * give those from 32,768 up.
 */
function ownPort(): number {
  for (let port = 20_000 + (process.pid % 10_000); ; port++) {
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data: () => {} } }).stop()
      return port
    } catch {
      // Another program has it.
    }
  }
}

/** A server of a test's own that stops and comes back, at the same address and with its data. */
export class StoppingServer implements AsyncDisposable {
  readonly address: string
  private readonly data: string
  private readonly port: number
  private readonly adminKey: string
  private readonly cookie: string
  private server: ServerProcess | undefined

  private constructor(server: ServerProcess, cookie: string) {
    this.server = server
    this.address = server.client.address
    this.data = server.data
    this.port = Number(new URL(this.address).port)
    this.adminKey = server.adminKey
    this.cookie = cookie
  }

  static async start(): Promise<StoppingServer> {
    const server = await startServer({ data: await makeTempFolder(), port: ownPort() })
    return new StoppingServer(server, await signIn(server.client.address, server.adminKey))
  }

  /** A project of the server, while it runs. */
  project(name: string): Project {
    if (!this.server) throw new Error(`Open the project ${name}: the server is stopped`)
    return new Project(this.server.client, 'acme', name)
  }

  async stop(): Promise<void> {
    await this.server?.stop()
    this.server = undefined
  }

  async comeBack(): Promise<void> {
    const { data, adminKey, port } = this
    this.server = await startServer({ data, adminKey, port })
  }

  /** Runs `look` with a page on which the admin is signed in. */
  visit(look: (visit: Visit) => Promise<void>): Promise<void> {
    return visiting({ address: this.address, cookie: this.cookie, expected: refused }, look)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await removeFolder(this.data)
  }
}
