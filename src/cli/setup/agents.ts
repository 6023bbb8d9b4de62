import { otlpHeaders, otlpVariables, type Target } from './run-command.ts'

/** A member of a JSON settings file, by its path. */
export interface Member {
  readonly path: readonly string[]
  readonly value: unknown
}

/** A change of one file. `json` sets members; `block` adds marked lines at the end. */
export type FileChange =
  | { readonly file: string; readonly kind: 'json'; readonly members: readonly Member[] }
  | {
      readonly file: string
      readonly kind: 'block'
      readonly lines: readonly string[]
      /** Lines that would contradict the block if they are there already. */
      readonly conflicts: RegExp
    }

/** A coding agent and what makes it send its telemetry here and use the tools. */
interface CodingAgent {
  /** Files relative to the home folder. */
  changes(target: Target, options: { readonly withMcp: boolean }): FileChange[]
  /** Further notes for the user. */
  readonly note?: string
}

const mcpUrl = ({ url, project }: Target): string => `${url}/mcp?project=${encodeURIComponent(project)}`
const bearer = ({ key }: Target) => ({ Authorization: `Bearer ${key}` })

const members = (path: readonly string[], values: Readonly<Record<string, unknown>>): Member[] =>
  Object.entries(values).map(([name, value]) => ({ path: [...path, name], value }))

/** The settings are those of Claude Code 2.1, Codex 0.16x, Gemini CLI 0.61 and OpenCode 1. */
export const codingAgents: Readonly<Record<string, CodingAgent>> = {
  claude: {
    changes: (target, { withMcp }) => [
      {
        file: '.claude/settings.json',
        kind: 'json',
        members: members(['env'], {
          CLAUDE_CODE_ENABLE_TELEMETRY: '1',
          OTEL_LOGS_EXPORTER: 'otlp',
          OTEL_METRICS_EXPORTER: 'otlp',
          ...otlpVariables(target),
          OTEL_LOG_USER_PROMPTS: '1',
          OTEL_LOG_ASSISTANT_RESPONSES: '1',
          OTEL_LOG_TOOL_DETAILS: '1',
        }),
      },
      ...(withMcp
        ? [
            {
              file: '.claude.json',
              kind: 'json' as const,
              members: members(['mcpServers'], {
                tracelake: { type: 'http', url: mcpUrl(target), headers: bearer(target) },
              }),
            },
          ]
        : []),
    ],
  },
  codex: {
    changes: (target, { withMcp }) => [
      {
        file: '.codex/config.toml',
        kind: 'block',
        conflicts: /^\s*(\[\s*"?otel"?\s*[\].]|otel\s*[.=]|\[\s*mcp_servers\s*\.\s*"?tracelake"?\s*[\].])/m,
        lines: [
          '[otel]',
          'log_user_prompt = true',
          `exporter = ${codexExporter(target, 'logs')}`,
          `trace_exporter = ${codexExporter(target, 'traces')}`,
          ...(withMcp
            ? [
                '',
                '[mcp_servers.tracelake]',
                `url = ${JSON.stringify(mcpUrl(target))}`,
                `http_headers = { Authorization = ${JSON.stringify(bearer(target).Authorization)} }`,
              ]
            : []),
        ],
      },
    ],
  },
  gemini: {
    changes: (target, { withMcp }) => [
      {
        file: '.gemini/settings.json',
        kind: 'json',
        members: [
          ...members(['telemetry'], {
            enabled: true,
            target: 'local',
            otlpEndpoint: target.url,
            otlpProtocol: 'http',
            logPrompts: true,
          }),
          ...(withMcp
            ? members(['mcpServers'], { tracelake: { httpUrl: mcpUrl(target), headers: bearer(target) } })
            : []),
        ],
      },
      {
        // Its settings have no headers; the exporters read the variable.
        file: '.gemini/.env',
        kind: 'block',
        conflicts: /^\s*(export\s+)?OTEL_EXPORTER_OTLP_HEADERS\s*=/m,
        lines: [`OTEL_EXPORTER_OTLP_HEADERS=${otlpHeaders(target)}`],
      },
    ],
  },
  opencode: {
    note: 'OpenCode reads the address from variables: start it as "tracelake run -- opencode".',
    changes: (target, { withMcp }) => [
      {
        file: '.config/opencode/opencode.json',
        kind: 'json',
        members: [
          { path: ['experimental', 'openTelemetry'], value: true },
          ...(withMcp
            ? members(['mcp'], {
                tracelake: { type: 'remote', url: mcpUrl(target), enabled: true, headers: bearer(target) },
              })
            : []),
        ],
      },
    ],
  },
}

function codexExporter({ url, key, project }: Target, signal: 'logs' | 'traces'): string {
  const headers = `{ "ext-api-key" = ${JSON.stringify(key)}, "project_id" = ${JSON.stringify(project)} }`
  return `{ otlp-http = { endpoint = "${url}/v1/${signal}", protocol = "binary", headers = ${headers} } }`
}
