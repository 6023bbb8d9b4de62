import { Command } from 'commander'
import { exportCalls } from '../domains/rules/index.ts'
import { tracesUrl } from '../formats/mapping/export/export-answer.ts'
import { isJsonObject } from '../lib/json-value.ts'
import { isProjectId } from '../lib/project-id.ts'
import { parseTime } from '../lib/time.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import { systemOutboundHttp } from '../runtime/http/outbound-http.ts'
import { GuardedRequests } from '../runtime/outbound/guarded-requests.ts'
import { environmentVariable } from '../runtime/platform/runtime.ts'
import { Progress } from './output.ts'
import { print, run } from './run.ts'

/** `export`: sends the calls of a project to a receiver of OTLP. */
export const exportCommand = (): Command =>
  new Command('export')
    .description('send the calls of a project to another OpenTelemetry backend')
    .requiredOption('--otlp <url>', 'receiver of OTLP over HTTP; /v1/traces is appended if there is no path')
    .requiredOption('--project <entity/project>', 'project to export')
    .option('--header <name: value>', 'header to send to the receiver; may be repeated', collect)
    .option('--from <url>', 'address of the tracelake server', 'http://127.0.0.1:8470')
    .option('--key <key>', 'API key of the tracelake server (default: TRACELAKE_KEY)')
    .option('--since <time>', 'only calls that started at this time or later')
    .option('--until <time>', 'only calls that started before this time')
    .option('--filter <json>', 'only calls that match this `filter` of /calls/query')
    .option('--query <json>', 'only calls that match this `query` of /calls/query')
    .addHelpText('after', notes)
    .action((options: ExportOptions, self: Command) => run(self, () => exportProject(self, options)))

const notes = `
Calls are sent in the order of their start; those that are still running are left out. Calls that
came as OpenTelemetry spans are sent unchanged. Ids are kept, so an export can be repeated: receivers replace spans that
they already have.

Examples:
  tracelake export --otlp http://collector:4318 --project acme/support-bot --key "$KEY"
  tracelake export --otlp https://backend.example --header "Authorization: Bearer $TOKEN" \\
    --project acme/support-bot --since 2026-01-01 --filter '{"trace_roots_only": true}'`

interface ExportOptions {
  readonly otlp: string
  readonly project: string
  readonly header?: readonly string[]
  readonly from: string
  readonly key?: string
  readonly since?: string
  readonly until?: string
  readonly filter?: string
  readonly query?: string
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

async function exportProject(self: Command, options: ExportOptions): Promise<void> {
  if (!isProjectId(options.project)) throw new ConfigError(`--project "${options.project}": use <entity>/<project>`)
  const key = options.key ?? environmentVariable('TRACELAKE_KEY')
  if (key === undefined) throw new ConfigError('--key: the API key of the server is missing; set TRACELAKE_KEY')
  const headers = Object.fromEntries((options.header ?? []).map(headerOf))
  const progress = new Progress()
  try {
    const { sent, refused, running } = await exportCalls({
      from: { url: urlOf('--from', options.from).replace(/\/+$/, ''), key, http: systemOutboundHttp },
      selection: {
        project_id: options.project,
        filter: jsonOf('--filter', options.filter),
        query: queryOf(options),
      },
      // A command may contact any address; only the server restricts them.
      requests: new GuardedRequests({ privateHosts: ['*'] }),
      to: { url: tracesUrl(urlOf('--otlp', options.otlp)), headers: async () => headers },
      onProgress: (count) => progress.say('calls sent', count),
    })
    progress.end()
    const count = (number: number, what: string) => `${number.toLocaleString('en-US')} ${what}`
    print(self, count(sent, 'calls sent'), count(refused, 'refused by the receiver'), count(running, 'still running'))
    if (refused > 0) throw new Error(`export: the receiver refused ${refused} of the calls`)
  } finally {
    progress.end()
  }
}

function headerOf(text: string): [string, string] {
  const [, name, value = ''] = /^([^\s:=]+)\s*[:=]\s*(.*)$/.exec(text) ?? []
  if (name === undefined) throw new ConfigError(`--header "${text}": use "name: value"`)
  return [name, value]
}

function urlOf(option: string, text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConfigError(`${option} "${text}": use a URL with http or https`)
  return url.href
}

function jsonOf(option: string, text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigError(`${option}: not JSON`)
  }
}

function queryOf(options: ExportOptions): unknown {
  const own = jsonOf('--query', options.query)
  const startedAt = { $getField: 'started_at' }
  const since = timeOf('--since', options.since)
  const until = timeOf('--until', options.until)
  const conditions = [
    ...(own === undefined ? [] : [isJsonObject(own) ? (own['$expr'] ?? own) : own]),
    ...(since === undefined ? [] : [{ $gte: [startedAt, { $literal: since }] }]),
    ...(until === undefined ? [] : [{ $not: [{ $gte: [startedAt, { $literal: until }] }] }]),
  ]
  return conditions.length === 0 ? undefined : { $expr: { $and: conditions } }
}

/** Unix seconds. */
function timeOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const micros = parseTime(text)
  if (micros === undefined) throw new ConfigError(`${option} "${text}": use a time such as 2026-01-31T12:00:00Z`)
  return micros / 1e6
}
