import { Command } from 'commander'
import { answerTurn } from '../demo/support-bot/answer.ts'
import { type Story, scheduleTurns } from '../demo/support-bot/schedule.ts'
import { inBatches, type Trace } from '../demo/traces/call-items.ts'
import { inTimeOrder } from '../demo/traces/timeline.ts'
import { present } from '../lib/present.ts'
import type { Config } from '../runtime/config/configuration.ts'
import { loadConfig } from '../runtime/config.ts'
import { createLog } from '../runtime/log.ts'
import { randomHex } from '../runtime/platform/crypto.ts'
import { removeFolder } from '../runtime/platform/files/files.ts'
import { joinPath, temporaryFolder } from '../runtime/platform/files/paths.ts'
import { newId } from '../runtime/platform/new-id.ts'
import { environmentVariable, writeStdout } from '../runtime/platform/runtime.ts'
import { loginLink } from './open.ts'
import { startServer } from './start-server.ts'

const project = 'demo/support-bot'

/** `demo`: runs a server with synthetic traces, for trying the product out. */
export const demoCommand = (): Command =>
  new Command('demo')
    .description(`run a server with a week of synthetic traces of a support bot, in the project ${project}`)
    .option('--host <address>', 'address to listen on (TRACELAKE_HOST, default 127.0.0.1)')
    .option('--port <number>', 'port to listen on (TRACELAKE_PORT, default 8470, or any free one if it is in use)')
    .option(
      '--grpc-port <number>',
      'port for OpenTelemetry over gRPC, off for none (TRACELAKE_GRPC_PORT, default 4317, or any free one)',
    )
    .option('--data <folder>', 'data folder to create or to continue (default: a temporary one, removed at the end)')
    .action(demo)

interface DemoOptions {
  readonly host?: string
  readonly port?: string
  readonly grpcPort?: string
  readonly data?: string
}

async function demo({ host, port, grpcPort, data }: DemoOptions): Promise<void> {
  const folder = data ?? joinPath(temporaryFolder(), `tracelake-demo-${newId()}`)
  const chosen = loadConfig({ host, port, grpcPort, data: folder })
  const config: Config = { ...chosen, adminKey: chosen.adminKey ?? randomHex(20) }
  const isAnyPortFine = port === undefined && environmentVariable('TRACELAKE_PORT') === undefined
  const afterStop = async () => {
    if (data === undefined) await removeFolder(folder)
  }
  const log = createLog(config.logLevel)
  const { context, address, describe } = await startServer(config, log, () => {}, {
    isAnyPortFine,
    isAnyGrpcPortFine: true,
    afterStop,
  })
  const server: Server = { url: address, key: present(config.adminKey, 'The admin key of the demo') }
  const count = await seed(server)
  const { logins } = context.services
  writeStdout(`API key: ${server.key}\n`)
  writeStdout(`The project ${project} has ${count.toLocaleString('en-US')} calls\n`)
  writeStdout(
    `Open the web UI (the link works once, for ten minutes): ${loginLink(address, await logins.links.create())}\n`,
  )
  writeStdout(`${describe()}\nStop with Ctrl+C${data === undefined ? '; this also removes the data' : ''}\n`)
}

interface Server {
  readonly url: string
  readonly key: string
}

/** Stores the traces, unless the project has calls already. Returns the number of its calls. */
async function seed(server: Server): Promise<number> {
  const stored = await countCalls(server)
  if (stored > 0) return stored
  for (const { body } of inBatches(inTimeOrder(traces()))) await post(server, '/call/upsert_batch', body)
  return await countCalls(server)
}

const hourMs = 3_600_000

function* traces(): Generator<Trace> {
  const story: Story = { traces: 500, seed: 1, days: 7, untilMs: Math.floor(Date.now() / hourMs) * hourMs }
  for (const [index, turn] of scheduleTurns(story).entries())
    yield answerTurn(turn, { projectId: project, story, index })
}

async function countCalls(server: Server): Promise<number> {
  const { count } = await post(server, '/calls/query_stats', JSON.stringify({ project_id: project }))
  return Number(count)
}

async function post({ url, key }: Server, path: string, body: string): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`Cannot store the traces of the demo: status ${response.status}: ${text}`)
  const answer: Record<string, unknown> = JSON.parse(text)
  return answer
}
