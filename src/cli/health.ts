import { Command } from 'commander'
import { memberOf } from '../lib/present.ts'
import type { Config } from '../runtime/config/configuration.ts'
import { loadConfig } from '../runtime/config.ts'
import { environmentVariable } from '../runtime/platform/runtime.ts'
import { print, run } from './run.ts'

/** `health`: asks a running server whether it is healthy, for supervisors of containers. */
export const healthCommand = (): Command =>
  new Command('health')
    .description('ask a running server whether it is healthy or a standby; exit code 0 if so, 1 if not')
    .option('--url <address>', 'address of the server (TRACELAKE_URL, default: the host and port in the settings)')
    .action((options: { url?: string }, self: Command) => run(self, () => check(self, options.url)))

const patienceMs = 4_000

async function check(self: Command, url: string | undefined): Promise<void> {
  const server = url ?? environmentVariable('TRACELAKE_URL') ?? addressOf(loadConfig())
  const address = `${server.replace(/\/+$/, '')}/health`
  const answer = await fetch(address, { signal: AbortSignal.timeout(patienceMs) }).catch((cause: unknown) => {
    throw new Error(`Cannot reach the server at ${address}`, { cause })
  })
  const text = (await answer.text()).slice(0, 1000)
  if (!answer.ok && !isStandby(text)) throw new Error(`Ask ${address}: status ${answer.status}: ${text}`)
  print(self, text)
}

/** Whether a node of a lake waits to take over, or opens its tables: both are healthy. */
function isStandby(text: string): boolean {
  try {
    return ['standby', 'opening'].includes(String(memberOf(JSON.parse(text), 'status')))
  } catch {
    return false
  }
}

/** Where a server with these settings can be reached from its own machine. */
function addressOf({ host, port, basePath }: Config): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}${basePath}`
}
