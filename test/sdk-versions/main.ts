import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { startServer } from '../conformance/support/server-process.ts'
import { startRecordingProxy } from './recording-proxy.ts'

/**
 * One version of one client: a command, to which the project is appended, and additional
 * environment variables.
 */
interface Candidate {
  readonly name: string
  readonly command: readonly string[]
  readonly env: Record<string, string>
}

interface Outcome {
  readonly name: string
  /** `ok` or the error, by step. */
  readonly steps: ReadonlyMap<string, string>
  readonly refused: readonly string[]
  readonly failure: string | undefined
}

const programMsMax = 300_000

/**
 * Intended error responses: the program reads an object that it has deleted.
 */
const expectedRefusals: readonly RegExp[] = [/^404 POST \/obj\/read .*"ObjectDeleted"/, /^404 POST \/refs\/read_batch /]

async function tryOut({ name, command, env }: Candidate): Promise<Outcome> {
  const server = await startServer({ env: { TRACELAKE_DIALECT: 'weave' } })
  const proxy = startRecordingProxy(server.client.address)
  const home = await mkdtemp(join(tmpdir(), 'tracelake-sdk-home-'))
  const child = Bun.spawn([...command, 'acme/versions'], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      // Otherwise the client skips what an earlier run has published.
      WEAVE_SERVER_CACHE_DIR: join(home, 'cache'),
      WF_TRACE_SERVER_URL: proxy.address,
      WANDB_BASE_URL: proxy.address,
      WANDB_API_KEY: server.client.key,
      WANDB_ERROR_REPORTING: 'false',
      WEAVE_PRINT_CALL_LINK: 'false',
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const late = setTimeout(() => child.kill('SIGKILL'), programMsMax)
  try {
    const [output, errors, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    const told = [...output.matchAll(/^STEP (\S+) (ok|failed: .*)$/gm)]
    const steps = new Map(told.map(([, step, how]) => [step!, how!]))
    const failure = exitCode === 0 && steps.size > 0 ? undefined : `exit code ${exitCode}: ${errors.slice(-2_000)}`
    if ([...steps.values()].some((how) => how !== 'ok') || process.env['TRACELAKE_SUITE_VERBOSE']) console.error(errors)
    const refused = proxy.refused.map(({ status, request, answer }) => `${status} ${request} ${answer}`)
    return {
      name,
      steps,
      refused: refused.filter((line) => !expectedRefusals.some((form) => form.test(line))),
      failure,
    }
  } finally {
    clearTimeout(late)
    await proxy.stop()
    await server.stop()
    await rm(home, { recursive: true, force: true })
  }
}

/** One line per step, one column per candidate. */
function printTable(outcomes: readonly Outcome[]): void {
  const steps = [...new Set(outcomes.flatMap((outcome) => [...outcome.steps.keys()]))]
  const cell = (outcome: Outcome, step: string): string => {
    const how = outcome.steps.get(step)
    return how === undefined ? '-' : how === 'ok' ? 'ok' : 'FAILED'
  }
  const rows = [
    ['', ...outcomes.map(({ name }) => name)],
    ...steps.map((step) => [step, ...outcomes.map((outcome) => cell(outcome, step))]),
    ['4xx and 5xx', ...outcomes.map(({ refused }) => String(refused.length))],
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  for (const row of rows)
    console.log(
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
}

const candidates = JSON.parse(process.argv[2]!) as Candidate[]
const outcomes: Outcome[] = []
for (const candidate of candidates) {
  const startedAt = performance.now()
  const outcome = await tryOut(candidate)
  outcomes.push(outcome)
  console.log(`${outcome.name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  for (const [step, how] of outcome.steps) if (how !== 'ok') console.log(`  ${step} ${how}`)
  for (const line of outcome.refused) console.log(`  ${line}`)
  if (outcome.failure !== undefined) console.log(`  ${outcome.failure}`)
}
console.log()
printTable(outcomes)
const checks = outcomes.flatMap(({ steps, refused, failure }) => [
  ...[...steps.values()].map((how) => how === 'ok'),
  refused.length === 0,
  failure === undefined,
])
const failed = checks.filter((good) => !good).length
console.log(`${checks.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
