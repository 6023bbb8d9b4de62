import { join } from 'node:path'
import process from 'node:process'
import { startServer } from '../conformance/support/server-process.ts'

/** Spans and log records; less than the queues of the exporters hold. */
const count = 1_000
const project = 'python/exporters'
const python = process.argv[2]!
const server = await startServer()
let failed = 0
let passed = 0

function check(what: string, found: unknown, expected: unknown): void {
  const isRight = found === expected
  if (isRight) passed++
  else failed++
  console.log(isRight ? `ok: ${what}` : `FAILED: ${what}: ${String(found)}, not ${String(expected)}`)
}

async function lines(path: string): Promise<Record<string, unknown>[]> {
  const { text } = await server.client.post(path, { project_id: project })
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))
}

const program = join(import.meta.dir, 'export_all.py')
const child = Bun.spawn([python, program, server.grpcAddress, server.adminKey, project, String(count)], {
  stdout: 'inherit',
  stderr: 'inherit',
})
check('exit code of the program', await child.exited, 0)
const calls = await lines('/calls/stream_query')
check('spans', calls.length, count)
check('spans with a model', calls.filter(({ attributes }) => modelIn(attributes) === 'gpt-4o-mini').length, count)
const records = await lines('/logs/query')
check('log records', records.length, count)
const ids = new Set(calls.map(({ id }) => id))
check('log records with the id of their span', records.filter(({ span_id }) => ids.has(span_id)).length, count)
const points = await lines('/metrics/query')
check('the last point of the counter', Math.max(...points.map(({ value }) => Number(value))), count)
await server.stop()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function modelIn(attributes: unknown): unknown {
  return (attributes as { model?: unknown } | undefined)?.model
}
