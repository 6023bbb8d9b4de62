import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Subprocess } from 'bun'
import { type ProcessStats, processStats } from '../bench-server.ts'
import type { Delivery, Launch, Peer, PeerRequest } from './peer.ts'
import { NotAvailable } from './peer.ts'

const startSecondsMax = 180

/** A running server of a peer, in a process of its own. */
export class PeerServer {
  /** Seconds until the server was ready. */
  readonly startSeconds: number
  readonly launch: Launch
  private readonly child: Subprocess

  private constructor(child: Subprocess, launch: Launch, startSeconds: number) {
    this.child = child
    this.launch = launch
    this.startSeconds = startSeconds
  }

  /** @throws Error if it exits, or is not ready after three minutes */
  static async start(peer: Peer, folder: string): Promise<PeerServer> {
    const launch = await peer.launch(folder)
    const startMs = performance.now()
    const child = Bun.spawn([...launch.command], {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...launch.env },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    for (;;) {
      const seconds = (performance.now() - startMs) / 1000
      if (child.exitCode !== null) throw new Error(`Start ${peer.name}: it ended with ${child.exitCode}`)
      const answer = await fetch(`${launch.url}${launch.ready}`).catch(() => undefined)
      await answer?.arrayBuffer()
      if (answer?.ok) return new PeerServer(child, launch, seconds)
      if (seconds > startSecondsMax) throw new Error(`Start ${peer.name}: it is not ready after ${startSecondsMax} s`)
      await Bun.sleep(10)
    }
  }

  stats(): Promise<ProcessStats> {
    return processStats(this.child.pid)
  }

  /** Waits until the process uses less than 2 % of a core for two seconds. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 4; ) {
      const before = await this.stats()
      await Bun.sleep(500)
      quiet = (await this.stats()).cpuSeconds - before.cpuSeconds <= 0.01 ? quiet + 1 : 0
    }
  }

  /** @throws Error unless the answer is 200 */
  async ask(request: PeerRequest): Promise<string> {
    const { path: place, body, headers } = request
    const init = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    const answer = await fetch(`${this.launch.url}${place}`, { ...init, headers: { ...init.headers, ...headers } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`Ask ${place}: answered ${answer.status}: ${text.slice(0, 300)}`)
    return text
  }

  /**
   * Ends the server, which writes what it has in memory.
   * @returns processor seconds of the whole life of the process
   */
  async stop(): Promise<number> {
    this.child.kill('SIGTERM')
    await this.child.exited
    const usage = this.child.resourceUsage()
    return Number(usage?.cpuTime.total ?? 0) / 1e6
  }
}

/** Bytes of all files below a folder. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(path.join(entry.parentPath, entry.name))).blocks * 512)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('Find a free port: there is none')
  return address.port
}

/** Runs a program that installs something. @throws NotAvailable with the end of what it printed */
export async function runTool(
  command: readonly string[],
  options: { readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: options.folder,
    env: { ...process.env, ...options.env },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const printed = await new Response(child.stderr).text()
  if ((await child.exited) !== 0)
    throw new NotAvailable(
      `"${command.slice(0, 3).join(' ')}" failed: ${printed.trim().split('\n').slice(-3).join(' ')}`,
    )
}

const retrySeconds = 0.2

/**
 * Sends requests over `connections` at a time. A server that has no room (429, 503) gets the same
 * request again a moment later.
 *
 * @throws Error if a request is refused
 */
export async function sendDeliveries(url: string, deliveries: Iterable<Delivery>, connections: number): Promise<void> {
  const queue = deliveries[Symbol.iterator]()
  const work = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await deliver(url, next.value)
  }
  await Promise.all(Array.from({ length: connections }, work))
}

async function deliver(url: string, { path, bytes, headers }: Delivery): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: bytes, headers: { ...headers } })
    const text = await answer.text()
    if (answer.ok) return
    if (answer.status !== 429 && answer.status !== 503)
      throw new Error(`Send to ${path}: answered ${answer.status}: ${text.slice(0, 300)}`)
    await Bun.sleep(retrySeconds * 1000)
  }
}
