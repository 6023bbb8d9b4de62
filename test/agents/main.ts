import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { Project } from '../conformance/support/project.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import type { AgentRun } from './agent-run.ts'
import { startProviderStub } from './provider-stub.ts'
import { type SessionFigures, sessionOf } from './session.ts'
import { runsAfterSetup } from './setup-runs.ts'

/** Folder with the packages of the agents. */
const packages = process.argv[2]!
const runMsMax = 180_000
const prompt = 'Say hello with a tool'
const waitMsMax = 30_000

const stub = startProviderStub()
const server = await startServer()
const home = await makeTempFolder()
const work = path.join(home, 'work')
await mkdir(work)

const provider = `http://127.0.0.1:${stub.port}`
const tracelake = path.join(import.meta.dir, '../../dist/tracelake.js')
const collector = server.client.address
const headersOf = (project: string) => ({ 'ext-api-key': server.client.key, project_id: `agents/${project}` })
const headersText = (project: string) =>
  Object.entries(headersOf(project))
    .map((pair) => pair.join('='))
    .join(',')

const claude = (name: string, more: Readonly<Record<string, string>> = {}): AgentRun => ({
  name,
  words: ['claude', '-p', prompt, '--dangerously-skip-permissions'],
  env: {
    ANTHROPIC_BASE_URL: provider,
    ANTHROPIC_API_KEY: 'stub',
    IS_SANDBOX: '1',
    CLAUDE_CODE_ENABLE_TELEMETRY: '1',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_EXPORTER_OTLP_HEADERS: headersText(name),
    OTEL_LOG_USER_PROMPTS: '1',
    OTEL_LOG_ASSISTANT_RESPONSES: '1',
    OTEL_LOG_TOOL_DETAILS: '1',
    ...more,
  },
  expected: { model: 2, tool: 1 },
})

const codex = (name: string, hasSpans: boolean): AgentRun => {
  const headers = Object.entries(headersOf(name)).map(([key, value]) => `"${key}" = "${value}"`)
  const exporter = (signal: string) =>
    `{ otlp-http = { endpoint = "${collector}/v1/${signal}", protocol = "binary", headers = { ${headers.join(', ')} } } }`
  return {
    name,
    words: ['codex', 'exec', '--skip-git-repo-check', prompt],
    env: { CODEX_HOME: path.join(home, name), STUB_KEY: 'stub' },
    files: {
      [`${name}/config.toml`]: `model = "gpt-5-codex"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.stub]
name = "stub"
base_url = "${provider}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
[otel]
log_user_prompt = true
exporter = ${exporter('logs')}
${hasSpans ? `trace_exporter = ${exporter('traces')}` : ''}
`,
    },
    expected: { model: 2, tool: 1 },
  }
}

const gemini: AgentRun = {
  name: 'gemini-cli',
  words: ['gemini', '-y', '-p', prompt],
  env: {
    GEMINI_API_KEY: 'stub',
    GOOGLE_GEMINI_BASE_URL: provider,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    OTEL_EXPORTER_OTLP_HEADERS: headersText('gemini-cli'),
  },
  files: {
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      telemetry: {
        enabled: true,
        target: 'local',
        otlpEndpoint: collector,
        otlpProtocol: 'http',
        logPrompts: true,
      },
    }),
  },
  // One to choose the model.
  expected: { model: 3, tool: 1 },
}

const spans = { OTEL_TRACES_EXPORTER: 'otlp', CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1' }
const allRuns: readonly AgentRun[] = [
  claude('claude-code'),
  claude('claude-code-with-spans', spans),
  codex('codex', false),
  codex('codex-with-spans', true),
  gemini,
  ...runsAfterSetup(provider),
]

// Some of them, by name.
const chosen = process.argv.slice(3)
const runs = allRuns.filter(({ name }) => chosen.length === 0 || chosen.includes(name))

let failed = 0
for (const run of runs) {
  const fault = await tryRun(run).catch((error: unknown) => String(error))
  if (fault !== undefined) failed++
  console.log(fault === undefined ? `ok: ${run.name}` : `FAILED: ${run.name}: ${fault}`)
}
stub.stop(true)
await server.stop()
await removeFolder(home)
console.log(`${runs.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** @returns what is wrong, if anything */
async function tryRun({ name, words, env, files = {}, setup, expected }: AgentRun): Promise<string | undefined> {
  // What the setup writes must not reach the other runs.
  const own = setup === undefined ? home : path.join(home, 'homes', name)
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(own, file)), { recursive: true })
    await writeFile(path.join(own, file), text)
  }
  const [program, ...rest] = words
  const command = [path.join(packages, 'node_modules/.bin', program!), ...rest]
  if (setup !== undefined) {
    const to = ['--url', collector, '--key', server.client.key, '--project', `agents/${name}`]
    const fault = await ended([process.execPath, tracelake, 'setup', setup, '--yes', ...to], { HOME: own })
    if (fault !== undefined) return fault
  }
  const fault = await ended(command, { HOME: own, ...env })
  if (fault !== undefined) return fault
  const project = new Project(server.client, 'agents', name)
  const session = await settled(project, expected)
  console.log(`\n${name}\n${session.lines.join('\n')}\n  told: ${session.told.join(', ')}`)
  if (session.turns !== 1) return `${session.turns} turns`
  if (session.models !== expected.model) return `${session.models} requests to models, not ${expected.model}`
  if (session.tools !== expected.tool) return `${session.tools} uses of tools, not ${expected.tool}`
  if (session.withoutCost > 0) return `${session.withoutCost} requests without a cost`
  return session.usageOfSpans === 0 ? undefined : `${session.usageOfSpans} spans count as well`
}

/** Runs a program to its end. @returns what is wrong, if anything */
async function ended(command: readonly string[], env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const child = Bun.spawn([...command], {
    cwd: work,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: runMsMax,
  })
  const output = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()))
  if ((await child.exited) === 0) return undefined
  return `exit code ${child.exitCode}: ${output.join('').slice(-500)}`
}

/** The session, once what the agent sent at its end has arrived. */
async function settled(project: Project, { model, tool }: AgentRun['expected']): Promise<SessionFigures> {
  const until = Date.now() + waitMsMax
  for (;;) {
    const session = await sessionOf(project)
    if ((session.models >= model && session.tools >= tool) || Date.now() > until) return session
    await Bun.sleep(200)
  }
}
