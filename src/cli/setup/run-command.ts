import { Command } from 'commander'
import { isProjectId } from '../../lib/project-id.ts'
import { ConfigError } from '../../runtime/config/config-error.ts'
import { runCommand } from '../../runtime/platform/processes/run-command.ts'
import { environmentVariable, exit } from '../../runtime/platform/runtime.ts'
import { run } from '../run.ts'

/** The server and the project that data goes to. */
export interface Target {
  /** Without a slash at the end. */
  readonly url: string
  readonly key: string
  /** `entity/project`. */
  readonly project: string
}

/** Headers of OTLP requests as variables and settings write them. */
export const otlpHeaders = ({ key, project }: Target): string =>
  `ext-api-key=${headerValue(key)},project_id=${headerValue(project)}`

/**
 * Encodes no more than the form needs (W3C Baggage, `baggage-octet`): Claude Code sends the values
 * as they are, without decoding them.
 */
const headerValue = (text: string): string => text.replaceAll(/[^!#-$&-+\--:<-[\]-~]/gu, encodeURIComponent)

/** Variables that OpenTelemetry exporters read. */
export const otlpVariables = (target: Target): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: target.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders(target),
})

/** Adds the options that name server and project. */
export const withTarget = (command: Command): Command =>
  command
    .option('--url <address>', 'address of the server (TRACELAKE_URL, default http://127.0.0.1:8470)')
    .option('--key <key>', 'API key (TRACELAKE_KEY)')
    .option('--project <name>', 'entity/project (TRACELAKE_PROJECT, default default/app)')

/** @throws ConfigError without a key, or for what is not an address or a project */
export function targetOf(options: { url?: string; key?: string; project?: string }): Target {
  const key = options.key ?? environmentVariable('TRACELAKE_KEY')
  if (key === undefined) throw new ConfigError('an API key is required: pass --key or set TRACELAKE_KEY')
  const url = options.url ?? environmentVariable('TRACELAKE_URL') ?? 'http://127.0.0.1:8470'
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new ConfigError(`--url must be an address, not "${url}"`)
  const project = options.project ?? environmentVariable('TRACELAKE_PROJECT') ?? 'default/app'
  if (!isProjectId(project)) throw new ConfigError(`--project must be entity/project, not "${project}"`)
  return { url: url.replace(/\/+$/, ''), key, project }
}

/** `run`: runs a program whose OpenTelemetry exporters and SDKs send to tracelake. */
export const runProgramCommand = (): Command => {
  const command = withTarget(new Command('run'))
    .description('run a program with the variables that make its OpenTelemetry exporters and SDKs send to a server')
    .argument('<program...>', 'program and its arguments, after --')
    .addHelpText('after', '\nExample:\n  tracelake run --key KEY --project acme/bot -- python app.py')
  return command.action((program: [string, ...string[]], options: Parameters<typeof targetOf>[0]) =>
    run(command, async () => {
      const variables = programVariables(targetOf(options))
      const code = await runCommand(program, variables).catch((cause: unknown) => {
        throw new Error(`Cannot run ${program[0]}: ${cause instanceof Error ? cause.message : String(cause)}`)
      })
      exit(code)
    }),
  )
}

const programVariables = (target: Target): Record<string, string> => ({
  ...otlpVariables(target),
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_LOGS_EXPORTER: 'otlp',
  OTEL_METRICS_EXPORTER: 'otlp',
  WANDB_BASE_URL: target.url,
  WF_TRACE_SERVER_URL: target.url,
  WANDB_API_KEY: target.key,
  WANDB_ENTITY: target.project.replace(/\/.*/, ''),
  WANDB_PROJECT: target.project.replace(/.*\//, ''),
})
