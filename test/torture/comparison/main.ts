/**
 * How many acknowledged spans a server loses when it is killed: tracelake, or any other that takes
 * OTLP over HTTP. See docs/reliability.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
import { Random } from '../../store/random.ts'
import { ComparedServer, type ServerDescription } from './server.ts'
import { missingIn, type SentTrace, writeUntilGone } from './writer.ts'

const key = 'k'.repeat(40)
const repository = join(import.meta.dir, '../../..')
const tracelake = {
  command: `env TRACELAKE_ADMIN_KEY=${key} '${process.execPath}' '${repository}/src/main.ts' serve --data {data} --port {port} --grpc-port off`,
  otlp: 'http://127.0.0.1:{port}/otel/v1/traces',
  ready: 'http://127.0.0.1:{port}/health',
  read: 'http://127.0.0.1:{port}/calls/stream_query',
  readBody: '{"project_id":"kills/test","filter":{"trace_ids":["{trace}"]},"columns":["id"]}',
  header: [`authorization: Bearer ${key}`, 'project_id: kills/test'],
}

const options = new Command('kill-comparison')
  .description('Kills a server under four writers of OTLP and counts the acknowledged spans that are lost.')
  .option('--kills <count>', 'how often', Number, 24)
  .option('--writers <count>', 'writers at once', Number, 4)
  .option('--shortest <seconds>', 'shortest life', Number, 0.5)
  .option('--longest <seconds>', 'longest life', Number, 4)
  .option('--seed <number>', 'for the lengths of the lives', Number, 1)
  .option('--port <number>', 'port for {port}', '18470')
  .option('--command <words>', 'starts the server on {data} and {port} (default: tracelake)', tracelake.command)
  .option('--otlp <url>', 'where OTLP over HTTP goes', tracelake.otlp)
  .option('--ready <url>', 'answers once the server is ready; or tcp:PORT', tracelake.ready)
  .option('--read <url>', 'returns the spans of {trace}', tracelake.read)
  .option('--read-body <json>', 'body of a POST to it; without it, a GET')
  .option('--header <text...>', 'headers of requests, as "name: value"', tracelake.header)
  .parse()
  .opts<
    Record<'command' | 'otlp' | 'ready' | 'read' | 'port', string> &
      Record<'kills' | 'writers' | 'shortest' | 'longest' | 'seed', number> & { header: string[]; readBody?: string }
  >()

const headers = Object.fromEntries(
  options.header.map((text) => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1).trim()]),
)
const readBody = options.readBody ?? (options.read === tracelake.read ? tracelake.readBody : undefined)
const { command, otlp, ready, read } = options
const description: ServerDescription = { command, otlp, ready, read, headers, ...(readBody && { readBody }) }
const random = new Random(options.seed)
const data = mkdtempSync(join(tmpdir(), 'kill-comparison-'))
const server = new ComparedServer(description, { data: join(data, 'data'), port: options.port })
const restarts: number[] = []
let [acknowledged, lost, worst] = [0, 0, 0]

try {
  await server.start()
  for (let kill = 1; kill <= options.kills; kill++) await life(kill)
} finally {
  await server.kill()
  rmSync(data, { recursive: true, force: true })
}
const share = acknowledged === 0 ? 0 : (100 * lost) / acknowledged
restarts.sort((a, b) => a - b)
console.log(
  `${options.kills} kills, ${acknowledged} spans acknowledged, ${lost} lost (${share.toFixed(2)} %), at most ${worst} ` +
    `by one kill; restart p50 ${middle(restarts).toFixed(2)} s, longest ${restarts.at(-1)?.toFixed(2)} s`,
)

async function life(kill: number): Promise<void> {
  const writers = Array.from({ length: options.writers }, () => writeUntilGone(server))
  const seconds = options.shortest + random.next() * (options.longest - options.shortest)
  await Promise.race([Bun.sleep(seconds * 1000), Promise.all(writers)])
  await server.kill()
  const sent = (await Promise.all(writers)).flat()
  restarts.push(await server.start())
  const missing = await countMissing(sent)
  const count = sent.reduce((sum, { spans }) => sum + spans.length, 0)
  acknowledged += count
  lost += missing
  worst = Math.max(worst, missing)
  console.log(`kill ${kill}: ${count} spans acknowledged in ${seconds.toFixed(1)} s, ${missing} lost`)
}

/** Asks once more after three seconds for what is missing: a server may need time to show it. */
async function countMissing(sent: readonly SentTrace[]): Promise<number> {
  const again: SentTrace[] = []
  for (const one of sent) if (missingIn(await server.read(one.trace), one) > 0) again.push(one)
  if (again.length === 0) return 0
  await Bun.sleep(3_000)
  let missing = 0
  for (const one of again) missing += missingIn(await server.read(one.trace), one)
  return missing
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
