import { join } from 'node:path'
import process from 'node:process'
import type { Subprocess } from 'bun'
import { documentLimits } from '../../../src/lib/limits/objects.ts'
import { Client } from './client.ts'
import { clickHouseSettings, rememberAdminKey } from './in-clickhouse.ts'
import { isInLake, lakeOf, placeOf } from './lake-place.ts'
import { programFile } from './program-file.ts'
import { makeTempFolder, removeFolder } from './temp-folder.ts'

const startMsMax = 180_000
const repository = join(import.meta.dir, '../../..')

export interface ServerOptions {
  /** Further `TRACELAKE_…` variables. */
  env?: Record<string, string>
  /**
   * Folder to serve; it is left alone when the server stops. Without it the server gets a fresh one
   * that goes with it.
   */
  data?: string
  adminKey?: string
  /** Port to listen on, such as that of a server before; any free one without it. */
  port?: number
}

export interface KeyRequest {
  name: string
  role: 'read' | 'write' | 'admin'
  scope: string
}

/** Where a server listens. */
interface Addresses {
  readonly url: string
  readonly grpc: string
}

type Child = Subprocess<'ignore', 'pipe', 'pipe'>

/** What a process that was expected to end has left behind. */
export interface Ending {
  readonly exitCode: number
  readonly output: string
}

/** A server of our own in a child process. */
export class ServerProcess {
  readonly client: Client
  /** `host:port` for gRPC; empty if it is off. */
  readonly grpcAddress: string
  readonly data: string
  readonly adminKey: string
  private readonly child: Child
  private readonly ownsData: boolean

  constructor(child: Child, { url, grpc }: Addresses, data: string, adminKey: string, ownsData: boolean) {
    this.client = new Client(url, adminKey)
    this.grpcAddress = grpc
    this.data = data
    this.adminKey = adminKey
    this.child = child
    this.ownsData = ownsData
  }

  get processId(): number {
    return this.child.pid
  }

  /** Asks the server to end, waits until it has, and returns its exit code. */
  async stop(): Promise<number> {
    this.child.kill('SIGTERM')
    const exitCode = await this.child.exited
    if (this.ownsData) await removeFolder(this.data)
    return exitCode
  }

  /** Kills the server (SIGKILL), like a power cut, and waits until it has exited. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.child.exited
  }

  /** Issues a key as an operator would, on the command line while the server runs. */
  async createKey({ name, role, scope }: KeyRequest): Promise<string> {
    const words = ['keys', 'create', '--name', name, '--role', role, '--scope', scope, ...placeOf(this.data)]
    const { exitCode, output } = await endingOf(spawn(words))
    const key = /\b[0-9a-f]{40}\b/.exec(output)?.[0]
    if (exitCode !== 0 || key === undefined) throw new Error(`Create a key: exit code ${exitCode}: ${output}`)
    return key
  }

  /** Revokes the keys of that name, as an operator would. */
  async revokeKeys(name: string): Promise<void> {
    const { output } = await endingOf(spawn(['keys', 'list', ...placeOf(this.data)]))
    const rows = output.split('\n').map((line) => line.split(/\s+/))
    for (const [id] of rows.filter((row) => row[1] === name)) {
      const ending = await endingOf(spawn(['keys', 'revoke', id!, ...placeOf(this.data)]))
      if (ending.exitCode !== 0) throw new Error(`Revoke a key: exit code ${ending.exitCode}: ${ending.output}`)
    }
    // The server checks a key against what it knew a quarter of a second ago.
    if (isInLake) await Bun.sleep(documentLimits.knownForMs + 500)
  }
}

/** Starts a server and waits until it listens. The caller stops it. */
export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const data = options.data ?? (await makeTempFolder())
  const adminKey = options.adminKey ?? randomKey()
  const child = spawnServer(data, { ...options.env, TRACELAKE_ADMIN_KEY: adminKey }, { port: options.port })
  const errors = collect(child.stderr)
  const addresses = await addressesOf(child, errors)
  rememberAdminKey(addresses.url, adminKey)
  return new ServerProcess(child, addresses, data, adminKey, options.data === undefined)
}

/** Starts a server that is expected to fail at startup, and waits for its exit. */
export const runServerToItsEnd = (data: string, env: Record<string, string> = {}, host?: string): Promise<Ending> =>
  endingOf(spawnServer(data, { ...env, TRACELAKE_ADMIN_KEY: randomKey() }, { host }))

const spawnServer = (
  data: string,
  env: Record<string, string>,
  { host = '127.0.0.1', port = 0 }: { host?: string | undefined; port?: number | undefined },
): Child =>
  spawn(['serve', '--host', host, '--port', String(port), '--data', data], {
    ...(isInLake && { TRACELAKE_LAKE: lakeOf(data) }),
    ...clickHouseSettings(),
    ...env,
  })

function spawn(words: readonly string[], env: Record<string, string> = {}): Child {
  return Bun.spawn([...programCommand(), ...words], {
    cwd: repository,
    env: { ...inheritedEnvironment(), TRACELAKE_LOG_LEVEL: 'warn', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/**
 * The program on Bun, unless `TRACELAKE_TEST_RUNTIME` is `deno`, for its sources on Deno, or
 * `executable`, for the output of `scripts/build --executable`.
 */
function programCommand(): string[] {
  switch (process.env['TRACELAKE_TEST_RUNTIME']) {
    case 'deno':
      return [process.env['TRACELAKE_TEST_DENO'] ?? 'deno', 'run', '-A', 'src/main.ts']
    case 'executable':
      return [join(repository, 'dist/tracelake')]
    default:
      return [process.execPath, programFile]
  }
}

/** The environment without settings of a server that the developer may have at hand. */
const inheritedEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TRACELAKE_')))

function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function addressesOf(child: Child, errors: Promise<string>): Promise<Addresses> {
  const late = setTimeout(() => child.kill('SIGKILL'), startMsMax)
  const listening = Promise.withResolvers<Addresses>()
  const output = collect(child.stdout, (text) => {
    const [, url, grpc = ''] = /listening on (http:\S+)(?: · gRPC on (\S+))? ·/.exec(text) ?? []
    if (url !== undefined) listening.resolve({ url, grpc })
  })
  const ended = child.exited.then(async (exitCode) => {
    throw new Error(`Start a server: it ended with exit code ${exitCode}: ${await output}${await errors}`)
  })
  try {
    return await Promise.race([listening.promise, ended])
  } finally {
    clearTimeout(late)
    ended.catch(() => {})
  }
}

async function endingOf(child: Child): Promise<Ending> {
  const late = setTimeout(() => child.kill('SIGKILL'), startMsMax)
  const [output, errors, exitCode] = await Promise.all([collect(child.stdout), collect(child.stderr), child.exited])
  clearTimeout(late)
  return { exitCode, output: output + errors }
}

async function collect(stream: ReadableStream<Uint8Array>, onText?: (text: string) => void): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of stream) {
    text += decoder.decode(piece, { stream: true })
    onText?.(text)
  }
  return text
}
