/** What has to be found in the calls that a page's program sends. */
export type Finding = 'model' | 'cost' | 'tool' | 'text' | 'thread'

/** A page to run. */
export interface ClientRun {
  /** Page below docs/guide. */
  readonly page: string
  /** Which of the two ways of a page to follow. */
  readonly way?: 'setup' | 'by hand'
  /** Packages of Python, pinned; they get an environment of their own. */
  readonly python?: readonly string[]
  /** Whether the programs come from npm. */
  readonly from?: 'node' | 'agents'
  readonly dialect?: 'weave'
  /** The folder "data" is that of the server, which has changed, deleted and compacted calls. */
  readonly needs?: 'used server'
  /** How often the commands print the number of calls of that server. */
  readonly counts?: number
  /** Files in the home folder before the commands run. */
  readonly files?: (provider: string) => Readonly<Record<string, string>>
  readonly findings: readonly Finding[]
}

const openTelemetry = ['opentelemetry-sdk==1.45.2', 'opentelemetry-exporter-otlp-proto-http==1.45.2']
const everything = ['model', 'cost', 'tool', 'text'] as const

const codexSettings = (provider: string) => `model = "gpt-5-codex"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.stub]
name = "stub"
base_url = "${provider}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
`
const geminiSettings = JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } })

const agentRuns: readonly ClientRun[] = (['setup', 'by hand'] as const).flatMap((way) => [
  { page: 'clients/claude-code', way, from: 'agents', findings: ['model', 'cost', 'text', 'thread'] },
  {
    page: 'clients/codex',
    way,
    from: 'agents',
    files: (provider) => ({ '.codex/config.toml': codexSettings(provider) }),
    findings: ['model', 'cost', 'tool', 'thread'],
  },
  {
    page: 'clients/gemini-cli',
    way,
    from: 'agents',
    files: () => ({ '.gemini/settings.json': geminiSettings }),
    findings: ['model', 'cost', 'thread'],
  },
])

/** The pages, and what each must send. */
export const clientRuns: readonly ClientRun[] = [
  {
    page: 'clients/python',
    dialect: 'weave',
    python: ['weave==0.54.0', 'openai==3.54.0'],
    findings: ['model', 'cost', 'text', 'thread'],
  },
  { page: 'clients/typescript', dialect: 'weave', from: 'node', findings: ['model', 'cost', 'text'] },
  { page: 'clients/ai-sdk', from: 'node', findings: everything },
  {
    page: 'clients/openai-agents',
    python: ['openai-agents==0.24.0', 'openinference-instrumentation-openai-agents==2.6.0', ...openTelemetry],
    findings: everything,
  },
  {
    page: 'clients/langgraph',
    python: [
      'langgraph==1.2.22',
      'langchain==1.4.7',
      'langchain-openai==1.7.3',
      'openinference-instrumentation-langchain==0.1.80',
      ...openTelemetry,
    ],
    findings: [...everything, 'thread'],
  },
  { page: 'clients/pydantic-ai', python: ['pydantic-ai-slim[openai]==2.68.0', ...openTelemetry], findings: everything },
  {
    page: 'clients/google-adk',
    // It asks for an earlier version of OpenTelemetry.
    python: ['google-adk==2.13.0', 'opentelemetry-sdk==1.44.0', 'opentelemetry-exporter-otlp-proto-http==1.44.0'],
    findings: [...everything, 'thread'],
  },
  {
    page: 'clients/crewai',
    python: [
      'crewai==1.15.30',
      'openinference-instrumentation-crewai==1.1.21',
      'openinference-instrumentation-openai==0.1.66',
      ...openTelemetry,
    ],
    findings: everything,
  },
  {
    page: 'clients/llamaindex',
    python: [
      'llama-index-core==0.14.25',
      'llama-index-llms-openai==0.8.3',
      'openinference-instrumentation-llama-index==4.6.1',
      ...openTelemetry,
    ],
    findings: everything,
  },
  ...agentRuns,
  {
    page: 'coming-from/phoenix',
    python: ['arize-phoenix-otel==0.17.2', 'openai==3.54.0', 'openinference-instrumentation-openai==0.1.66'],
    findings: ['model', 'cost', 'text'],
  },
  { page: 'coming-from/langfuse', python: ['langfuse==5.0.4', ...openTelemetry], findings: ['text'] },
  { page: 'coming-from/langsmith', python: ['langsmith[otel]==0.15.0', ...openTelemetry], findings: ['text'] },
  {
    page: 'cookbook/offline-analysis',
    python: [
      ...['duckdb==2.0.0', 'polars==2.1.0', 'pandas==3.1.1', 'pyarrow==26.0.1', 'deltalake==1.6.6'],
      ...['nbclient==0.11.0', 'ipykernel==7.4.0'],
    ],
    needs: 'used server',
    counts: 4,
    findings: [],
  },
]

/** Pages that are not run, and why. */
export const pagesLeftOut: Readonly<Record<string, string>> = {
  'clients/opencode': 'its only command waits for spans that the program does not send reliably',
}
