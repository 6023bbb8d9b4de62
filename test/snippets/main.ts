/** Runs the snippets of the start page against servers of their own. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import type { SnippetStep } from '../../src/web/snippets/snippet.ts'
import { snippetsFor } from '../../src/web/snippets/snippets.ts'
import { startProviderStub } from '../agents/provider-stub.ts'
import { Project } from '../conformance/support/project.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const [python, agents, ...asked] = process.argv.slice(2) as [string, string, ...string[]]
const runMsMax = 300_000
const waitMsMax = 30_000

interface Room {
  /** An empty folder. */
  readonly folder: string
  /** The steps of the snippet, with the address, a project and a key. */
  readonly steps: readonly SnippetStep[]
  /** Runs a text as a shell script in the folder. @throws Error with its output if it fails */
  readonly shell: (script: string, env?: Readonly<Record<string, string>>) => Promise<void>
}

interface SnippetRun {
  readonly name: string
  /** Id of the snippet. */
  readonly id: string
  readonly run: (room: Room) => Promise<void>
  /** What the calls must contain. */
  readonly expected: RegExp
  readonly missing?: string | undefined
}

const stub = startProviderStub()
const provider = `http://127.0.0.1:${stub.port}`
const otelcol = process.env['TRACELAKE_TEST_OTELCOL'] ?? Bun.which('otelcol') ?? undefined

/** A program that uses whatever OpenTelemetry exporter the variables of a snippet choose. */
const grpcProgram = `pip install -q opentelemetry-sdk opentelemetry-exporter-otlp-proto-grpc
python - <<'EOF'
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(insecure=True)))
with provider.get_tracer("hello").start_as_current_span("answer over grpc"):
    pass
EOF`

const runs: readonly SnippetRun[] = [
  { name: 'curl', id: 'curl', run: ({ shell, steps }) => shell(codeOf(steps, 0)), expected: /384,400 km/ },
  {
    name: 'otel',
    id: 'otel',
    run: ({ shell, steps }) => shell(steps.map(({ code }) => code).join('\n')),
    expected: /op\/answer:/,
  },
  {
    name: 'grpc',
    id: 'grpc',
    run: ({ shell, steps }) => shell(`${codeOf(steps, 0)}\n${grpcProgram}`),
    expected: /answer over grpc/,
  },
  {
    name: 'python',
    id: 'python',
    run: async ({ folder, shell, steps }) => {
      await Bun.write(path.join(folder, 'snippet.py'), codeOf(steps, 1))
      await shell(`${codeOf(steps, 0)}\npython snippet.py`)
    },
    expected: /384,400 km/,
  },
  {
    name: 'claude',
    id: 'coding-agents',
    run: ({ shell, steps }) =>
      shell(`${codeOf(steps, 0)}\n${agents}/node_modules/.bin/claude -p 'Say hello' --dangerously-skip-permissions`, {
        ANTHROPIC_BASE_URL: provider,
        ANTHROPIC_API_KEY: 'stub',
        IS_SANDBOX: '1',
      }),
    expected: /claude/i,
  },
  {
    name: 'codex',
    id: 'coding-agents',
    run: async ({ folder, shell, steps }) => {
      const model = `model = "gpt-5-codex"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.stub]
name = "stub"
base_url = "${provider}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
`
      await Bun.write(path.join(folder, '.codex/config.toml'), model + codeOf(steps, 1))
      await shell(`${agents}/node_modules/.bin/codex exec --skip-git-repo-check 'Say hello'`, { STUB_KEY: 'stub' })
    },
    expected: /gpt-5-codex/,
  },
  {
    name: 'collector',
    id: 'collector',
    run: async ({ folder, shell, steps }) => {
      await Bun.write(path.join(folder, 'collector.yaml'), codeOf(steps, 0))
      await mkdir(path.join(folder, 'bin'))
      await Bun.write(path.join(folder, 'bin/otelcol'), `#!/bin/sh\nexec "${otelcol}" "$@"\n`)
      // The collector listens at the usual port for OTLP over HTTP, and sends its last batch as it
      // stops.
      await shell(`chmod +x bin/otelcol; PATH=$PWD/bin:$PATH
(${codeOf(steps, 1)}) >otelcol.log 2>&1 &
collector=$!
for attempt in $(seq 100); do curl -sf -o sent http://127.0.0.1:4318/v1/traces -H 'content-type: application/json' -d '{
  "resourceSpans": [{"scopeSpans": [{"spans": [{"name": "through the collector", "kind": 1,
  "traceId": "5b8efff798038103d269b633813fc60c", "spanId": "eee19b7ec3c1b174",
  "startTimeUnixNano": "1700000000000000000", "endTimeUnixNano": "1700000001000000000"}]}]}]}' && break; sleep 0.2; done
sleep 1; kill $collector || true; wait $collector || true; cat otelcol.log; test -f sent`)
    },
    expected: /through the collector/,
    missing: otelcol === undefined ? 'there is no otelcol' : undefined,
  },
]

let [passed, failed] = [0, 0]
for (const each of runs.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  if (each.missing !== undefined) {
    console.log(`left out: ${each.name}: ${each.missing}`)
    continue
  }
  const fault = await tryRun(each).catch((error: unknown) => String(error))
  if (fault === undefined) passed++
  else failed++
  console.log(fault === undefined ? `ok: ${each.name}` : `FAILED: ${each.name}: ${fault}`)
}
stub.stop(true)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** @returns what is wrong, if anything */
async function tryRun({ name, id, run, expected }: SnippetRun): Promise<string | undefined> {
  const server = await startServer({ env: { TRACELAKE_DIALECT: name === 'python' ? 'weave' : 'ext' } })
  const folder = await makeTempFolder()
  try {
    const project = new Project(server.client, 'acme', `snippet-${name}`)
    const facts = {
      url: server.client.address,
      grpcUrl: `http://${server.grpcAddress}`,
      projectId: project.id,
      key: server.client.key,
      command: './scripts/tracelake',
      dataFolder: null,
    }
    const snippet = snippetsFor('ext').find((each) => each.id === id)!
    const steps = snippet.steps(facts)
    const shell: Room['shell'] = async (script, env = {}) => {
      const child = Bun.spawn(['sh', '-e', '-c', script], {
        cwd: folder,
        env: { PATH: `${python}/venv/bin:${process.env['PATH']}`, HOME: folder, ...env },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
        timeout: runMsMax,
      })
      const output = `${await new Response(child.stdout).text()}${await new Response(child.stderr).text()}`
      if ((await child.exited) !== 0) throw new Error(`exit code ${child.exitCode}: ${output.slice(-800)}`)
    }
    await run({ folder, steps, shell })
    const until = Date.now() + waitMsMax
    for (;;) {
      const calls = JSON.stringify(await project.query({}))
      if (expected.test(calls)) return undefined
      if (Date.now() > until) return `no call matches ${expected}: ${calls.slice(0, 300)}`
      await Bun.sleep(200)
    }
  } finally {
    await server.stop()
    await removeFolder(folder)
  }
}

function codeOf(steps: readonly SnippetStep[], index: number): string {
  return steps[index]!.code
}
