/** Runs pages of the guide as they are written, each against a server of its own. */
import path from 'node:path'
import process from 'node:process'
import { startProviderStub } from '../agents/provider-stub.ts'
import { Project } from '../conformance/support/project.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { type ClientRun, clientRuns, pagesLeftOut } from './client-runs.ts'
import { type FoundCall, missingFindings } from './findings.ts'
import { startModelStub } from './model-stub.ts'
import { preparePackages } from './packages.ts'
import { type Block, readBlocks } from './page-blocks.ts'
import { startUsedServer } from './used-server.ts'

const [home, agents, ...asked] = process.argv.slice(2) as [string, string, ...string[]]
const runMsMax = 300_000
const waitMsMax = 30_000
const source = path.join(import.meta.dir, '../../src/main.ts')

const providers = { model: startModelStub(), agent: startProviderStub() }
let [passed, failed] = [0, 0]
for (const run of clientRuns.filter(({ page }) => isAsked(page))) {
  const fault = await tryRun(run).catch((error: unknown) => String(error))
  if (fault === undefined) passed++
  else failed++
  const name = `${run.page}${run.way === undefined ? '' : ` (${run.way})`}`
  console.log(fault === undefined ? `ok: ${name}: ${run.findings.join(', ')}` : `FAILED: ${name}: ${fault}`)
}
for (const [page, reason] of Object.entries(pagesLeftOut))
  if (isAsked(page)) console.log(`left out: ${page}: ${reason}`)
for (const stub of Object.values(providers)) await stub.stop(true)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** Pages are asked for by their path or its end. */
function isAsked(page: string): boolean {
  return asked.length === 0 || asked.some((name) => page === name || page.endsWith(`/${name}`))
}

/** @returns what is wrong, if anything */
async function tryRun(run: ClientRun): Promise<string | undefined> {
  const folders = await preparePackages(run, home, agents)
  const env = { TRACELAKE_DIALECT: run.dialect ?? 'ext' }
  const folder = await makeTempFolder()
  const { server, calls: stored } =
    run.needs === 'used server'
      ? await startUsedServer(path.join(folder, 'data'), env)
      : { server: await startServer({ env }), calls: undefined }
  try {
    const { address, key } = server.client
    const blocks = (await readBlocks(run.page)).filter((block) => belongs(block, run))
    const filled = blocks.map((block) => ({ ...block, code: fill(block.code, address, key) }))
    const provider = `http://127.0.0.1:${(run.from === 'agents' ? providers.agent : providers.model).port}`
    for (const [name, text] of Object.entries(run.files?.(provider) ?? {}))
      await Bun.write(path.join(folder, name), text)
    for (const block of filled) if (block.file !== undefined) await save(block, folder)
    const commands = filled.filter(({ language }) => language === 'sh').map(({ code }) => code)
    const program = `tracelake() { '${process.execPath}' '${source}' "$@"; }\n`
    const child = Bun.spawn(['bash', '-eu', '-c', program + commands.join('\n')], {
      cwd: folder,
      env: { PATH: [...folders, process.env['PATH']].join(':'), HOME: folder, KEY: key, ...variables(provider) },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: runMsMax,
    })
    const output = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    if ((await child.exited) !== 0) return `exit code ${child.exitCode}: ${output.join('').slice(-1200)}`
    if (stored !== undefined) return wrongCount(output[0], stored, run.counts ?? 0)
    if (run.findings.length === 0) return undefined
    const project = new Project(server.client, 'acme', run.from === 'agents' ? 'code' : 'weather')
    const until = Date.now() + waitMsMax
    for (;;) {
      const calls = (await project.query({ include_costs: true })) as unknown as FoundCall[]
      const missing = missingFindings(calls, run.findings)
      if (missing.length === 0) return undefined
      if (Date.now() > until)
        return `${calls.length} calls, without ${missing.join(', ')}: ${output.join('').slice(-600)}`
      await Bun.sleep(200)
    }
  } finally {
    await server.stop()
    await removeFolder(folder)
  }
}

/** The suite starts the server itself and imports nothing; of two ways it follows one. */
function belongs({ code, isByHand }: Block, { way }: ClientRun): boolean {
  if (/^\.\/scripts\/serve|^tracelake import|examples\.jsonl/.test(code)) return false
  if (way === 'setup') return !isByHand
  return way === undefined || !code.startsWith('tracelake setup')
}

function fill(code: string, address: string, key: string): string {
  return code
    .replaceAll('http://127.0.0.1:8470', address)
    .replaceAll('"ext-api-key" = "KEY"', `"ext-api-key" = "${key}"`)
    .replaceAll('API_KEY=…', 'API_KEY=stub')
    .replace(/^tracelake setup .*/m, '$& --yes')
}

/** Settings that exist already get what the page adds. */
async function save({ file, language, code }: Block, folder: string): Promise<void> {
  const target = path.join(folder, file!.replace('~/', ''))
  const existing = await Bun.file(target)
    .text()
    .catch(() => '')
  const text =
    language === 'json' && existing !== ''
      ? JSON.stringify({ ...(JSON.parse(existing) as object), ...(JSON.parse(code) as object) })
      : existing + code
  await Bun.write(target, text)
}

/** @returns what is wrong with the counts "N calls" in an output, if anything */
function wrongCount(output: string, calls: number, times: number): string | undefined {
  const printed = [...output.matchAll(/\b(\d+) calls\b/g)].map(([, count]) => Number(count))
  if (printed.length === times && printed.every((count) => count === calls)) return undefined
  return `the server has ${calls} calls, the page counts ${printed.join(', ')}`
}

/** Makes programs use a stub in place of their provider, and run without questions. */
function variables(provider: string): Record<string, string> {
  return {
    OPENAI_BASE_URL: `${provider}/v1`,
    OPENAI_API_BASE: `${provider}/v1`,
    GOOGLE_GEMINI_BASE_URL: provider,
    GEMINI_API_KEY: 'stub',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    ANTHROPIC_BASE_URL: provider,
    ANTHROPIC_API_KEY: 'stub',
    STUB_KEY: 'stub',
    LANGFUSE_HOST: provider,
    IS_SANDBOX: '1',
  }
}
