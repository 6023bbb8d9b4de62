const startsServer = 'the test starts the server'
const startsStub = 'the test starts the stub'
const byImporters = 'scripts/test importers and test/cli run the importers with files of each source'
const forAnotherMachine = 'it is for another machine, or needs root'
const byAgents = 'scripts/test agents and scripts/test clients run the program'
const byAgentGuides = 'test/docs/agent-guides.test.ts runs it'

/**
 * Blocks of shell commands that no test in this folder runs with the rest of their page: the page,
 * a text in the block, and where it is run or why it is not.
 */
export const blocksNotRun: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    './scripts/serve          #': startsServer,
    'tracelake demo ': 'the pages of the cookbook run on the demo',
    './scripts/serve --dialect weave': startsServer,
    'export WANDB_BASE_URL': 'scripts/test sdk and scripts/test clients',
    'export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT': 'scripts/test snippets',
    'tracelake backup --to': 'test/cli runs backup and verify',
    './scripts/build --executable': 'scripts/test builds and tests the executable',
    'secrets set': 'test/cli runs it',
  },
  'docs/guide/agents.md': {
    'keys create --name agent': 'the page about security runs the command',
    'claude mcp add': 'it is a command of Claude Code; test/conformance/mcp speaks to the endpoint',
    'tracelake setup claude': byAgentGuides,
    'tracelake run --url': byAgentGuides,
    'export TRACELAKE_URL': byAgentGuides,
    '"tools/call"': byAgentGuides,
  },
  'docs/guide/coding-agents.md': {
    'export CLAUDE_CODE_ENABLE_TELEMETRY': byAgents,
    'project_id=acme/gemini': byAgents,
    '/logs/query': byAgentGuides,
  },
  'docs/guide/import.md': {
    'tracelake import claude-code --project acme/agents --dry-run': byImporters,
    'tracelake import claude-code ~/': byImporters,
    'tracelake import codex': byImporters,
    'tracelake import weave': byImporters,
    'tracelake import langfuse': byImporters,
    'tracelake import otlp': byImporters,
    'tracelake import jaeger': byImporters,
    'tracelake import phoenix': byImporters,
    'tracelake import mlflow': byImporters,
    'tracelake import inspect': byImporters,
  },
  'docs/guide/coming-from/weave.md': {
    './scripts/serve --dialect weave': startsServer,
    'export WANDB_BASE_URL': 'scripts/test sdk and scripts/test clients',
    'tracelake import weave': byImporters,
  },
  'docs/guide/coming-from/mlflow.md': {
    'export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT': 'it follows the documentation of MLflow, as the page says',
    'tracelake import mlflow': byImporters,
  },
  'docs/guide/web-ui.md': {
    'shared_links/create': 'test/conformance/shared-links makes links',
    './scripts/tracelake open  ': 'it opens a browser; test/cli runs `open --print`',
    'curl -sSI http://127.0.0.1:8470/ui/': 'test/conformance/ui checks the policy',
  },
  'docs/guide/install.md': {
    'tracelake serve --config': startsServer,
    'tracelake completions bash': 'it changes the settings of a shell; test/cli runs completions in bash',
    'scripts/build --executable --target': 'it takes minutes; scripts/executable and scripts/packages have tests',
  },
  'docs/guide/object-storage.md': {
    's3://my-bucket/traces': 'needs a bucket; test/cli/copy.test.ts copies there and back',
  },
  'docs/guide/clickhouse.md': {
    'TRACELAKE_CLICKHOUSE_URL=': startsServer,
    '"engine": "clickhouse"': 'scripts/test engines --stage counts',
  },
  'docs/guide/operating.md': {
    'sudo useradd': forAnotherMachine,
    'trace_roots_only=true"': 'it runs until it is interrupted; test/conformance/live reads live tails',
    'LAST=': 'it runs until it is interrupted; test/conformance/live resumes live tails',
    'TRACELAKE_OTLP_ENDPOINT=': 'test/conformance/service/self-tracing.test.ts',
    'scripts/tracelake backup --data': 'test/cli runs backup and verify',
    'scripts/serve --data /mnt': startsServer,
    'scripts/tracelake verify --data': 'test/cli runs backup and verify',
    'scripts/tracelake flush --data': 'it needs a folder without a server; test/cli runs it',
  },
  'docs/guide/retention.md': {
    'tracelake erase acme/support-bot --yes --to': 'it reports its progress; test/cli/retention.test.ts runs it',
  },
  'docs/guide/models.md': { './scripts/stub': startsStub },
  'docs/guide/evaluations.md': {
    './scripts/stub': startsStub,
    TRACELAKE_OPENAI_BASE_URL: startsServer,
  },
  'docs/guide/opentelemetry.md': {
    'OTEL_EXPORTER_OTLP_PROTOCOL=grpc': byAgentGuides,
    './scripts/serve --local': 'test/conformance/access tests --local with exporters',
    'export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT': 'scripts/test snippets',
  },
  'docs/guide/cookbook/gate-in-ci.md': {
    './scripts/stub': startsStub,
    'tracelake evals check': 'test/cli runs it',
  },
  'docs/guide/views.md': {
    '/flush': 'the page about operating a server runs it',
    'clickhouse-client': 'it needs a server of ClickHouse and a store of objects',
  },
}
