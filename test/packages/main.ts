/**
 * `main.ts RELEASE TOOLS BUN DENO`: starts the server from each package of a release, as users do,
 * with registries on this machine and without Bun and Deno on the PATH.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { firstTrace, serverVariables } from './first-trace.ts'
import { type Form, forms, installTools } from './forms.ts'
import { tryImage } from './image.ts'
import { Registries } from './registries.ts'

const [release, toolsFolder, bun, deno] = process.argv.slice(2) as [string, string, string, string]
const home = await makeTempFolder()
const results = { passed: 0, failed: 0 }

/** The PATH of a machine with Node.js, npm and Python. */
const systemPath = (process.env['PATH'] ?? '')
  .split(':')
  .filter((folder) => !/\/\.(tools|bun|deno)\//.test(`${folder}/`) && folder !== bun && folder !== deno)
  .join(':')

async function attempt(name: string, work: () => Promise<string>): Promise<void> {
  try {
    console.log(`pass  ${name}: ${await work()}`)
    results.passed++
  } catch (cause) {
    console.log(`FAIL  ${name}: ${cause instanceof Error ? cause.message : cause}`)
    results.failed++
  }
}

async function tryForm(form: Form, folder: string, registries: Registries): Promise<string> {
  await mkdir(path.join(folder, 'work'), { recursive: true })
  await form.prepare?.()
  registries.downloaded = 0
  const startMs = performance.now()
  const child = Bun.spawn([...form.command], {
    cwd: path.join(folder, 'work'),
    env: {
      HOME: folder,
      XDG_CACHE_HOME: path.join(folder, 'cache'),
      ...serverVariables,
      TRACELAKE_DATA: path.join(folder, 'data'),
      ...form.env,
      PATH: [...(form.path ?? []), systemPath].join(':'),
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // The server may run below npm, which need not pass on signals.
    detached: true,
  })
  try {
    const { listening, traced } = await firstTrace(child, startMs)
    const megabytes = registries.downloaded / 1e6
    return `${megabytes.toFixed(1)} MB, listening after ${listening.toFixed(1)} s, first trace after ${traced.toFixed(1)} s`
  } finally {
    try {
      process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It has ended.
    }
    await child.exited
  }
}

try {
  await installTools(toolsFolder)
  await using registries = await Registries.open(release)
  const all = (folder: string) => forms({ registries, toolsFolder, folder, bun, deno })
  for (const [number, { name }] of all(home).entries()) {
    const folder = path.join(home, String(number))
    await attempt(name, () => tryForm(all(folder)[number]!, folder, registries))
  }
  await attempt('the image in a chroot, as its user', () => tryImage(release, path.join(home, 'image')))
} finally {
  await removeFolder(home)
}
console.log(`${results.passed} passed, ${results.failed} failed`)
process.exitCode = results.failed > 0 ? 1 : 0
