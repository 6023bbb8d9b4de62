import { expect, test } from 'bun:test'
import path from 'node:path'
import { claudeSession, exportOfSession } from '../conformance/agents/agent-events.ts'
import { metricsExport, sumOf } from '../conformance/support/metrics.ts'
import { contentTypes } from '../conformance/support/otlp.ts'
import { sendLogs } from '../conformance/support/otlp-logs.ts'
import { freshProject, ownServer } from '../conformance/support/target.ts'
import { blocksOf, runScript } from './commands.ts'
import { root } from './documents.ts'

const server = await ownServer()
const { client } = server
const headersOf = (id: string) => ({ headers: { project_id: id } })

/** The blocks of a page that contain a text. */
const blocksWith = async (file: string, text: string) => (await blocksOf(file)).filter((block) => block.includes(text))

const settings = () => `KEY=${server.adminKey} URL=${client.address}\n`

test('the commands for agents in the guide work', async () => {
  const project = freshProject(client)
  const at = (second: number) => `2024-05-01T10:00:0${second}Z`
  await project.add({ id: 'a', trace_id: 't', op_name: 'chat', started_at: at(1), ended_at: at(2), output: 'Hello' })
  const [commands] = await blocksWith('docs/guide/agents.md', 'export TRACELAKE_URL')
  const [request] = await blocksWith('docs/guide/agents.md', '"tools/call"')
  const script = `${settings()}${commands}${request}`
    .replaceAll('airline/one', project.id)
    .replace('trace TRACE', 'trace t')
    .replace('call CALL', 'call a')
  const output = await runScript(script)
  expect(output).toContain('Trace t: 1 calls')
  expect(output).toContain('Hello')
  expect(output).toMatch(/chat\D+1/)
  expect(output).toContain('"jsonrpc"')
}, 120_000)

test('an agent is set up, and a program runs with the variables, as in the guide', async () => {
  const [setup] = await blocksWith('docs/guide/agents.md', 'tracelake setup claude')
  const [run] = await blocksWith('docs/guide/agents.md', 'tracelake run')
  const home = `HOME=$(mktemp -d)\nexport HOME\ntrap 'rm -r "$HOME"' EXIT\n`
  const script = `${settings()}${home}${setup}${run}`
    .replace('--project me/code', '--project me/code --yes')
    .replace('setup claude --undo', 'setup claude --undo --yes')
    .replace('python app.py', 'printenv OTEL_EXPORTER_OTLP_ENDPOINT')
  const output = await runScript(script)
  expect(output).toContain('settings.json')
  expect(output).toEndWith(`${client.address}\n`)
}, 120_000)

test('the question about events in the guide works', async () => {
  const project = freshProject(client)
  const session = claudeSession('one')
  await sendLogs(client, exportOfSession(session, session.records) as never, 'json', headersOf(project.id))
  const [question] = await blocksWith('docs/guide/coding-agents.md', '/logs/query')
  const script = `${settings()}${question}`
    .replace('acme/hello', project.id)
    .replace('claude_code.tool_decision', 'claude_code.tool_result')
  expect(await runScript(script)).toContain('"attributes.tool_name":"Bash"')
})

test('the questions about metrics in the guide work', async () => {
  const project = freshProject(client)
  // After the start of the question.
  const [since, at] = [27_000_000, 27_000_060]
  const points = [{ at, since, asDouble: 0.25, attributes: { model: 'm', type: 'added' } }]
  const metrics = ['claude_code.cost.usage', 'claude_code.lines_of_code.count'].map((name) => sumOf(name, points))
  await client.postRaw('/v1/metrics', JSON.stringify(metricsExport(metrics)), {
    headers: { 'content-type': contentTypes.json, project_id: project.id },
  })
  const blocks = await blocksWith('docs/guide/opentelemetry.md', '/metrics/')
  expect(blocks.length).toBeGreaterThan(0)
  const output = await runScript(settings() + blocks.join('\n').replaceAll(/acme\/\w+/g, project.id))
  expect(output).not.toContain('error_type')
  expect(output).toContain('claude_code.cost.usage')
})

test('an exporter over gRPC needs the settings in the guide', async () => {
  const project = freshProject(client)
  const [variables] = await blocksWith('docs/guide/opentelemetry.md', 'OTLP_PROTOCOL=grpc')
  const script = `${settings()}${variables}`
    .replace('127.0.0.1:4317', server.grpcAddress)
    .replace('acme/hello', project.id)
  const program = path.join(root, 'test/docs/export-program.ts')
  await runScript(`${script}\n'${process.execPath}' '${program}'`)
  expect((await project.query()).map(({ op_name }) => op_name)).toEqual([expect.stringContaining('from-the-guide')])
}, 120_000)
