import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Subprocess } from 'bun'
import type { Target } from './http/requests.ts'

const repository = path.join(import.meta.dir, '../..')
/** What `scripts/serve` runs. */
const program = path.join(repository, 'dist/tracelake.js')
const adminKey = 'bench-key-of-the-admin'
const checkMs = 500
const quietChecks = 4

export interface BenchServerOptions {
  readonly data: string
  /** Folder for a CPU profile of the server, written when it stops. */
  readonly profileFolder?: string | undefined
  /** Folder of another built checkout, to compare with. */
  readonly checkout?: string | undefined
  /** Further settings, such as the address of a provider. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** The product as run by `serve`, in a separate process. */
export class BenchServer implements Target, AsyncDisposable {
  readonly url: string
  readonly key = adminKey
  /** The command line that starts the program. */
  readonly command: readonly string[]
  private readonly child: Subprocess<'ignore', 'pipe', 'inherit'>

  private constructor(child: Subprocess<'ignore', 'pipe', 'inherit'>, url: string, command: readonly string[]) {
    this.child = child
    this.url = url
    this.command = command
  }

  /**
   * Starts a server and waits until it listens.
   * @throws Error if it exits first
   */
  static async start({ data, profileFolder, checkout, env = {} }: BenchServerOptions): Promise<BenchServer> {
    const profile = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TRACELAKE_'))
    const started = checkout === undefined ? program : path.join(checkout, 'dist/tracelake.js')
    const child = Bun.spawn([process.execPath, ...profile, started, 'serve', '--port', '0', '--data', data], {
      cwd: checkout ?? repository,
      env: {
        ...Object.fromEntries(inherited),
        TRACELAKE_ADMIN_KEY: adminKey,
        TRACELAKE_LOG_LEVEL: 'warn',
        TRACELAKE_PRIVATE_HOSTS: '127.0.0.1',
        ...env,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    return new BenchServer(child, await addressOf(child), [process.execPath, started])
  }

  get pid(): number {
    return this.child.pid
  }

  stats(): Promise<ProcessStats> {
    return processStats(this.child.pid)
  }

  /** User and system time of each thread, by id; those of a pool share a name. Linux only. */
  threads(): Promise<ReadonlyMap<string, ThreadTime>> {
    return threadTimes(this.child.pid)
  }

  /**
   * Stops the server, which flushes everything to Parquet.
   * @throws Error if it fails
   */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return
    this.child.kill('SIGTERM')
    const exitCode = await this.child.exited
    if (exitCode !== 0) throw new Error(`Stop the server: it ended with exit code ${exitCode}`)
  }

  /** The folder's keys are created with the command line, as operators do. */
  async createKey(data: string, role: 'read' | 'write', scope: string): Promise<string> {
    const words = ['keys', 'create', '--name', 'bench', '--role', role, '--scope', scope, '--data', data]
    const child = Bun.spawn([...this.command, ...words], { stdout: 'pipe', stderr: 'inherit' })
    const key = /\b[0-9a-f]{40}\b/.exec(await new Response(child.stdout).text())?.[0]
    if (key === undefined) throw new Error(`Create a key: it ended with ${await child.exited}`)
    return key
  }

  /** Waits until it does nothing but what it does at rest. */
  async untilIdle(): Promise<void> {
    let last = (await this.stats()).cpuSeconds
    for (let quiet = 0; quiet < quietChecks; ) {
      await Bun.sleep(checkMs)
      const now = (await this.stats()).cpuSeconds
      quiet = now - last < 0.06 ? quiet + 1 : 0
      last = now
    }
  }

  /** Kills the process, like a power cut. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.child.exited
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}

/**
 * Runs a command of the program to its end.
 * @throws Error if it fails
 */
export async function runProgram(words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const command = [process.execPath, program, ...words]
  const exitCode = await Bun.spawn(command, { env: { ...process.env, ...env }, stdout: 'ignore', stderr: 'inherit' })
    .exited
  if (exitCode !== 0) throw new Error(`Run "tracelake ${words.join(' ')}": it ended with exit code ${exitCode}`)
}

/** Builds what `scripts/serve` runs if a source is newer. */
export async function buildProgram(checkout = repository): Promise<void> {
  const exitCode = await Bun.spawn([path.join(checkout, 'scripts/build')], { stdout: 'ignore', stderr: 'inherit' })
    .exited
  if (exitCode !== 0) throw new Error(`Build the program: scripts/build ended with ${exitCode}`)
}

async function addressOf(child: Subprocess<'ignore', 'pipe', 'inherit'>): Promise<string> {
  const decoder = new TextDecoder()
  let output = ''
  for await (const piece of child.stdout) {
    output += decoder.decode(piece, { stream: true })
    const address = /listening on (http:\S+)/.exec(output)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`Start the server: it ended with ${await child.exited}: ${output}`)
}

/** System statistics of a running process. Linux only; elsewhere all of them are 0. */
export interface ProcessStats {
  readonly rssBytes: number
  /** Largest resident size so far. */
  readonly rssBytesMax: number
  /** User and system time of all threads. */
  readonly cpuSeconds: number
  /** User and system time of the main thread, which runs JavaScript. */
  readonly mainThreadSeconds: number
}

/**
 * Linux reports CPU time to user space in hundredths of a second, whatever the kernel's clock rate
 * (proc(5)).
 */
const ticksPerSecond = 100

const noStats: ProcessStats = { rssBytes: 0, rssBytesMax: 0, cpuSeconds: 0, mainThreadSeconds: 0 }

export async function processStats(pid: number): Promise<ProcessStats> {
  if (process.platform !== 'linux') return noStats
  const [stat, status, thread] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'),
  ])
  // The second field is the program's name in parentheses, which may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
  return {
    rssBytes: kibibytes('VmRSS') * 1024,
    rssBytesMax: kibibytes('VmHWM') * 1024,
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    // In nanoseconds, followed by the time spent waiting.
    mainThreadSeconds: Number(thread.split(' ')[0]) / 1e9,
  }
}

/** A thread, and the processor time that it has used. */
interface ThreadTime {
  readonly name: string
  readonly seconds: number
}

async function threadTimes(pid: number): Promise<Map<string, ThreadTime>> {
  const times = new Map<string, ThreadTime>()
  if (process.platform !== 'linux') return times
  for (const id of await readdir(`/proc/${pid}/task`)) {
    const [name, used] = await Promise.all(
      ['comm', 'schedstat'].map((file) => readFile(`/proc/${pid}/task/${id}/${file}`, 'utf8').catch(() => undefined)),
    )
    // It may have ended meanwhile.
    if (name === undefined || used === undefined) continue
    const ofPool = name.trim().replace(/ \d+$/, '')
    times.set(id, { name: id === String(pid) ? 'main thread' : ofPool, seconds: Number(used.split(' ')[0]) / 1e9 })
  }
  return times
}
