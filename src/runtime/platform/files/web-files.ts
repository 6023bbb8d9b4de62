import { spawn } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { findModifiedMs } from './files.ts'

/** Files of the built web UI by name, for example `index.html` or `assets/app-1a2b3c.js.br`. */
export type WebFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

const embedded = new Map<string, string>()

/**
 * Makes the file `name` of the web UI be read from `file`, a path inside the executable.
 *
 * @public The entry point of the executable, which scripts/executable generates, calls it.
 */
export function useEmbeddedWebFile(name: string, file: string): void {
  embedded.set(name, file)
}

const here = path.dirname(fileURLToPath(import.meta.url))
/** The program runs from its sources, so this file is in src/runtime/platform. */
const repository = import.meta.url.endsWith('/src/runtime/platform/files/web-files.ts')
  ? path.join(here, '../../../..')
  : undefined
/** The bundled program is beside the folder. */
const folder = repository === undefined ? path.join(here, 'ui') : path.join(repository, 'dist/ui')

let known: { readonly files: WebFiles; readonly builtMs: number | undefined } | undefined

/**
 * The built web UI; the same object until it has been built again. Programs that run from their
 * sources on Bun build it themselves when it is missing or older than a source.
 *
 * @throws Error saying how to build it
 */
export async function readWebFiles(): Promise<WebFiles> {
  if (known !== undefined && repository === undefined) return known.files
  if (await isStale()) await build()
  const builtMs = embedded.size > 0 ? undefined : await findModifiedMs(path.join(folder, 'index.html'))
  if (known === undefined || known.builtMs !== builtMs) known = { builtMs, files: await readAll() }
  return known.files
}

async function isStale(): Promise<boolean> {
  if (repository === undefined || embedded.size > 0 || !('Bun' in globalThis)) return false
  const builtMs = await findModifiedMs(path.join(folder, 'index.html'))
  if (builtMs === undefined) return true
  const web = path.join(repository, 'src/web')
  for (const name of await readdir(web, { recursive: true })) {
    if ((await stat(path.join(web, name))).mtimeMs > builtMs) return true
  }
  return false
}

let building: Promise<void> | undefined

function build(): Promise<void> {
  building ??= runBuild().finally(() => {
    building = undefined
  })
  return building
}

/** The build is a development tool, so the server starts it as a program of its own. */
async function runBuild(): Promise<void> {
  const program = path.join(repository ?? here, 'scripts/ui/main.ts')
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'pipe'] })
  let messages = ''
  child.stderr.on('data', (text: Buffer) => {
    messages += text.toString()
  })
  const exitCode = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
  if (exitCode !== 0) throw new Error(`Cannot build the web UI: exit code ${exitCode}: ${messages.trim()}`)
}

async function readAll(): Promise<WebFiles> {
  const files = embedded.size > 0 ? [...embedded] : await filesInFolder()
  return new Map(await Promise.all(files.map(async ([name, file]) => [name, await readFile(file)] as const)))
}

async function filesInFolder(): Promise<(readonly [string, string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw new Error(`Cannot serve the web UI: the folder "${folder}" is missing; build it with scripts/build`, {
      cause,
    })
  })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [path.relative(folder, file).replaceAll(path.sep, '/'), file] as const)
}
