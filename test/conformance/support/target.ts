import { afterAll } from 'bun:test'
import process from 'node:process'
import { afterRun } from './after-run.ts'
import { Client } from './client.ts'
import { Project } from './project.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const stopMsMax = 120_000

/**
 * One server for all files of a test run. It lives in the global object because every test file
 * gets its own modules.
 */
interface RunWide {
  server?: Promise<ServerProcess>
}

const runWideSymbol = Symbol.for('tracelake.conformance.run-wide')
const globals = globalThis as unknown as Record<symbol, RunWide | undefined>

/**
 * Makes the files of this test run share one server, and stops it after the last of them. Called by
 * `preload.ts`.
 */
export function shareServerAmongFiles(): void {
  const runWide: RunWide = {}
  globals[runWideSymbol] = runWide
  afterRun(() => stop(runWide), stopMsMax)
}

/**
 * A client of the server under test, with an admin key: the server that `TRACELAKE_TEST_URL` and
 * `TRACELAKE_TEST_KEY` name, else one that is started here. Without `preload.ts` each test file
 * starts its own.
 */
export async function sharedServer(): Promise<Client> {
  const address = process.env['TRACELAKE_TEST_URL']
  const key = process.env['TRACELAKE_TEST_KEY']
  if (address && key) return new Client(address, key)
  const runWide = globals[runWideSymbol] ?? perFile
  runWide.server ??= startServer()
  return (await runWide.server).client
}

/** A server of a test file's own, stopped after the file's last test. */
export async function ownServer(options: Parameters<typeof startServer>[0] = {}): Promise<ServerProcess> {
  const server = await startServer(options)
  afterAll(async () => {
    await server.stop()
  }, stopMsMax)
  return server
}

/** A project that no other test uses. */
export function freshProject(client: Client): Project {
  return new Project(client, `conformance-${crypto.randomUUID()}`, 'traces')
}

const perFile: RunWide = {}
if (globals[runWideSymbol] === undefined) afterAll(() => stop(perFile), stopMsMax)

async function stop(runWide: RunWide): Promise<void> {
  const server = await runWide.server?.catch(() => undefined)
  await server?.stop()
}
