import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const repository = join(import.meta.dir, '../..')
const home = process.argv[2]!
/** Real files of other tools, in a folder by source. */
const files = process.env['TRACELAKE_TEST_IMPORTS']
const python = join(home, 'venv/bin/python')

/** Runs a program to its end. @throws Error if it fails */
async function run(command: string[], env: Record<string, string> = {}): Promise<void> {
  const child = Bun.spawn(command, { cwd: home, env: { ...process.env, ...env }, stdout: 'ignore', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed`)
}

/** 5,000 traces of 21 spans, sent to a Phoenix that is started for this. */
async function recordPhoenix(): Promise<void> {
  const folder = join(home, 'phoenix')
  await rm(folder, { recursive: true, force: true })
  const env = { PHOENIX_WORKING_DIR: folder, PHOENIX_PORT: '16016', PHOENIX_GRPC_PORT: '16017' }
  const server = Bun.spawn([join(home, 'venv/bin/phoenix'), 'serve'], {
    env: { ...process.env, ...env, PHOENIX_HOST: '127.0.0.1', PHOENIX_TELEMETRY_ENABLED: 'false' },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  try {
    const url = 'http://127.0.0.1:16016'
    while (
      !(await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await Bun.sleep(500)
    await run([python, join(import.meta.dir, 'make_phoenix.py'), url, '5000', '10'])
  } finally {
    server.kill()
    await server.exited
  }
  // The last spans are in the write-ahead log of SQLite.
  const recording = new Database(join(folder, 'phoenix.db'))
  recording.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  recording.close()
  await rename(join(folder, 'phoenix.db'), join(home, 'phoenix.db'))
}

/** 520 traces of 201 spans. */
async function recordMlflow(): Promise<void> {
  const file = join(home, 'recording.db')
  await rm(file, { force: true })
  // Otherwise each span is a transaction of its own, which takes five times as long.
  const batches = {
    MLFLOW_ASYNC_TRACE_LOGGING_MAX_WORKERS: '1',
    MLFLOW_ASYNC_TRACE_LOGGING_MAX_SPAN_BATCH_SIZE: '400',
    MLFLOW_ASYNC_TRACE_LOGGING_MAX_INTERVAL_MILLIS: '2000',
    MLFLOW_ASYNC_TRACE_LOGGING_MAX_QUEUE_SIZE: '1000000',
  }
  const env = { ...batches, MLFLOW_DISABLE_TELEMETRY: 'true' }
  await run([python, join(import.meta.dir, 'make_mlflow.py'), file, '520', '100'], env)
  await rename(file, join(home, 'mlflow.db'))
}

if (!existsSync(join(home, 'phoenix.db'))) await recordPhoenix()
if (!existsSync(join(home, 'mlflow.db'))) await recordMlflow()

const server = await startServer()
const state = await makeTempFolder()
let passed = 0
let failed = 0

function check(what: string, isTrue: boolean): void {
  if (isTrue) passed++
  else failed++
  if (!isTrue) console.log(`FAILED: ${what}`)
}

/** Calls in a project of the server. */
async function stored(project: string): Promise<number> {
  const { json } = await server.client.post('/calls/query_stats', { project_id: project })
  return (json as { count: number }).count
}

/** Imports a place twice. `count` is what the source itself says that it has. */
async function importTwice(source: string, place: string, count?: number): Promise<void> {
  const project = `importers/${source}`
  const target = ['--project', project, '--to', server.client.address, '--key', server.adminKey]
  for (const round of [1, 2]) {
    const before = await stored(project)
    const startedMs = performance.now()
    const words = ['import', source, place, ...target]
    const child = Bun.spawn([process.execPath, join(repository, 'dist/tracelake.js'), ...words], {
      env: { ...process.env, XDG_STATE_HOME: state },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const out = await new Response(child.stdout).text()
    const code = await child.exited
    const seconds = (performance.now() - startedMs) / 1000
    const peak = (child.resourceUsage()?.maxRSS ?? 0) / 1024 / 1024
    const after = await stored(project)
    const found = count ?? recordsIn(out)
    const cells = [source.padEnd(8), round, found, after, after - before, seconds.toFixed(1), peak.toFixed(0)]
    console.log(cells.join('  '))
    check(`${source}, run ${round}: exit code ${code}\n${out}`, code === 0)
    check(`${source}, run ${round}: every span is a call`, count === undefined || after === count)
    check(`${source}, run ${round}: the second run adds nothing`, round === 1 || after === before)
  }
}

/** Calls and spans that an import has found. */
const recordsIn = (out: string): number =>
  [...out.matchAll(/^(?:calls|spans) +([\d,]+)/gm)].reduce(
    (sum, [, text]) => sum + Number(text!.replaceAll(',', '')),
    0,
  )

console.log('source    run  at the source  calls here  added  seconds  peak MiB')
for (const source of ['phoenix', 'mlflow']) {
  const file = join(home, `${source}.db`)
  const database = new Database(file, { readonly: true })
  const { count } = database.query('SELECT count(*) AS count FROM spans').get() as { count: number }
  database.close()
  check(`${source}: at least 100,000 spans`, count >= 100_000)
  await importTwice(source, file, count)
}
for (const source of ['langfuse', 'otlp', 'inspect']) {
  if (files !== undefined && existsSync(join(files, source))) await importTwice(source, join(files, source))
}
await server.stop()
await removeFolder(state)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
