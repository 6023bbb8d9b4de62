import { join } from 'node:path'
import process from 'node:process'
import type { Subprocess } from 'bun'
import { Client } from '../conformance/support/client.ts'
import { programFile } from '../conformance/support/program-file.ts'

const repository = join(import.meta.dir, '../..')
const startMsMax = 180_000

/** `plain` is the product's own command; `flushing` flushes continuously after a signal. */
export type ServerKind = 'plain' | 'flushing'

const commands: Readonly<Record<ServerKind, readonly string[]>> = {
  plain: [programFile, 'serve'],
  flushing: ['test/crash/server.ts'],
}

export interface ChildOptions {
  readonly kind: ServerKind
  readonly data: string
  readonly adminKey: string
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>
  /** A module that is loaded before the server. */
  readonly preload?: string
}

/** A server in a separate process that the test may kill at any moment. */
export class ServerChild {
  readonly kind: ServerKind
  /** `host:port` for gRPC, once the server listens. */
  grpcAddress = ''
  private readonly child: Subprocess<'ignore', 'pipe', 'pipe'>
  private readonly adminKey: string
  private readonly errors: Promise<string>
  private output = ''
  private hasEnded = false
  /** Ends the wait for more output. */
  private announce: () => void = () => {}

  constructor({ kind, data, adminKey, env = {}, preload }: ChildOptions) {
    this.kind = kind
    this.adminKey = adminKey
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TRACELAKE_'))
    const before = preload === undefined ? [] : ['--preload', preload]
    this.child = Bun.spawn([process.execPath, ...before, ...commands[kind]], {
      cwd: repository,
      env: {
        ...Object.fromEntries(inherited),
        TRACELAKE_LOG_LEVEL: 'warn',
        TRACELAKE_ADMIN_KEY: adminKey,
        TRACELAKE_DATA: data,
        TRACELAKE_HOST: '127.0.0.1',
        TRACELAKE_PORT: '0',
        TRACELAKE_MEMORY_MB: '256',
        ...env,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    this.errors = new Response(this.child.stderr).text()
    void this.readOutput()
  }

  get pid(): number {
    return this.child.pid
  }

  /** Its exit code, once it has exited by itself. */
  get exited(): Promise<number> {
    return this.child.exited
  }

  /**
   * Waits until the server listens and serves.
   * @throws Error if it exits first
   */
  async listening(): Promise<Client> {
    const [, address = '', grpc = ''] = await this.printed(/listening on (http:\S+)(?: · gRPC on (\S+))? ·/)
    this.grpcAddress = grpc
    return new Client(address, this.adminKey)
  }

  /**
   * Waits until a node of a lake listens as a standby.
   * @throws Error if it exits first
   */
  async waiting(): Promise<Client> {
    const [, address = '', grpc = ''] = await this.printed(/waiting on (http:\S+)(?: · gRPC on (\S+))? ·/)
    this.grpcAddress = grpc
    return new Client(address, this.adminKey)
  }

  private async readOutput(): Promise<void> {
    for await (const piece of this.child.stdout) {
      this.output += new TextDecoder().decode(piece)
      this.announce()
    }
    this.hasEnded = true
    this.announce()
  }

  private async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const late = setTimeout(() => this.child.kill('SIGKILL'), startMsMax)
    try {
      for (;;) {
        const found = pattern.exec(this.output)
        if (found !== null) return found
        if (this.hasEnded) break
        await new Promise<void>((resolve) => {
          this.announce = resolve
        })
      }
    } finally {
      clearTimeout(late)
    }
    throw new Error(`Start a server: it ended with ${await this.child.exited}: ${this.output}${await this.errors}`)
  }

  /** Makes a `flushing` server flush continuously. */
  beginFlushing(): void {
    if (this.kind === 'flushing') this.child.kill('SIGUSR2')
  }

  /** Kills the process, like a power cut, and waits until it is gone. Returns its log. */
  async kill(): Promise<string> {
    this.child.kill('SIGKILL')
    await this.child.exited
    return await this.errors
  }

  /** Stops the server gracefully and returns its exit code. */
  async stop(): Promise<number> {
    this.child.kill('SIGTERM')
    return await this.child.exited
  }
}
