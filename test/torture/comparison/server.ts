import { connect } from 'node:net'
import process from 'node:process'
import type { Subprocess } from 'bun'

/** How a server is started, fed and read. `{data}`, `{port}` and `{trace}` are filled in. */
export interface ServerDescription {
  readonly command: string
  readonly otlp: string
  readonly ready: string
  readonly read: string
  /** The body of a POST in JSON; without it, a GET. */
  readonly readBody?: string
  readonly headers: Readonly<Record<string, string>>
}

const startMsMax = 180_000

/** A server in a process group of its own, which SIGKILL ends as a whole. */
export class ComparedServer {
  private readonly description: ServerDescription
  private readonly values: Readonly<Record<string, string>>
  private child: Subprocess | undefined

  constructor(description: ServerDescription, values: { data: string; port: string }) {
    this.description = description
    this.values = values
  }

  /** @returns seconds until it answers */
  async start(): Promise<number> {
    const { command, ready } = this.description
    // A long command may be given on several lines.
    const line = this.filled(command).replaceAll(/\s*\n\s*/g, ' ')
    const words = ['setsid', 'sh', '-c', `exec ${line}`]
    this.child = Bun.spawn(words, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    const begunMs = performance.now()
    while (!(await isReady(this.filled(ready)))) {
      if (this.child.exitCode !== null) throw new Error(`The server ended with ${this.child.exitCode}`)
      if (performance.now() - begunMs > startMsMax) throw new Error('The server does not become ready')
      await Bun.sleep(10)
    }
    return (performance.now() - begunMs) / 1000
  }

  async kill(): Promise<void> {
    if (this.child === undefined) return
    try {
      process.kill(-this.child.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
    await this.child.exited
  }

  /** Sends an export. @returns whether all of it was acknowledged; undefined without an answer */
  async send(body: Uint8Array<ArrayBuffer>): Promise<boolean | undefined> {
    const headers = { 'content-type': 'application/x-protobuf', ...this.description.headers }
    try {
      const response = await fetch(this.filled(this.description.otlp), { method: 'POST', headers, body })
      // An empty message: nothing was rejected.
      const answer = await response.arrayBuffer()
      return response.ok && answer.byteLength <= 2
    } catch {
      return undefined
    }
  }

  /** What the server returns for a trace, as text; empty if it has none. */
  async read(trace: string): Promise<string> {
    const url = this.filled(this.description.read).replaceAll('{trace}', trace)
    const { headers, readBody } = this.description
    const posted = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    const body = readBody?.replaceAll('{trace}', trace)
    const response = await fetch(url, body === undefined ? { headers } : { ...posted, body })
    const text = await response.text()
    return response.ok ? text : ''
  }

  private filled(text: string): string {
    return text.replaceAll(/\{(data|port)\}/g, (_, name: string) => this.values[name] ?? '')
  }
}

/** A URL that answers without a server error, or `tcp:PORT` that takes connections. */
async function isReady(address: string): Promise<boolean> {
  if (!address.startsWith('tcp:')) {
    const response = await fetch(address).catch(() => undefined)
    return response !== undefined && response.status < 500
  }
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(Number(address.slice(4)), '127.0.0.1', () => resolve(true))
  socket.once('error', () => resolve(false))
  const isOpen = await promise
  socket.destroy()
  return isOpen
}
