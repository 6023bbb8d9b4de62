/**
 * Proves that an install on every platform ends with DuckDB's library for it: installs what
 * `bun.lock` says into throw-away folders, as `bun install` would there. Done once for each content
 * of the lock file; a copy of it in node_modules/ says for which. Exits with 1 and a line for each
 * fault.
 */
import { copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { bindingsOf, faultsOfLock, type Platform, platforms } from './bindings.ts'

const root = path.join(import.meta.dir, '../..')
const manifests = ['package.json', 'bun.lock']
const proven = path.join(root, 'node_modules/.platforms-bun.lock')

const manifestTexts = async (): Promise<string> =>
  (await Promise.all(manifests.map((name) => Bun.file(path.join(root, name)).text()))).join('\n')

/** What is wrong after an install as on `platform`; undefined where its library is there. */
async function faultOfInstall(platform: Platform, folder: string): Promise<string | undefined> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const name of manifests) await copyFile(path.join(root, name), path.join(folder, name))
  const place = Object.entries(platform).map(([option, value]) => `--${option}=${value}`)
  const child = Bun.spawn(
    [process.execPath, 'install', '--frozen-lockfile', '--production', '--ignore-scripts', ...place],
    { cwd: folder, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  )
  const [exitCode, output] = await Promise.all([child.exited, new Response(child.stderr).text()])
  const words = place.join(' ')
  if (exitCode !== 0) {
    return `bun install ${words} failed; the npm registry, or Bun's cache of it, has to be within reach:\n${beginning(output)}`
  }
  const library = path.join(folder, 'node_modules', bindingsOf(platform))
  const files = await readdir(library).catch((): string[] => [])
  const missing = ['duckdb.node', libraryFile[platform.os]].filter((name) => !files.includes(name))
  if (missing.length > 0) return `bun install ${words} ends without ${missing.join(' and ')} of ${bindingsOf(platform)}`
  const sizes = await Promise.all(files.map(async (name) => (await stat(path.join(library, name))).size))
  return sizes.every((size) => size > 0) ? undefined : `bun install ${words} ends with an empty file`
}

const beginning = (output: string): string => output.trim().split(/\n+/).slice(0, 5).join('\n')

const libraryFile = { linux: 'libduckdb.so', darwin: 'libduckdb.dylib', win32: 'duckdb.dll' } as const

async function faultsOfInstalls(): Promise<string[]> {
  const texts = await manifestTexts()
  const file = Bun.file(proven)
  if ((await file.exists()) && (await file.text()) === texts) return []
  // On the same disk as Bun links from where it can: copies of the libraries would be 600 MB.
  await mkdir(path.join(root, '.tools'), { recursive: true })
  const folder = await mkdtemp(path.join(root, '.tools/platform-'))
  const faults: string[] = []
  try {
    for (const platform of platforms) {
      const fault = await faultOfInstall(platform, path.join(folder, 'install'))
      if (fault !== undefined) faults.push(fault)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  if (faults.length === 0) await Bun.write(proven, texts)
  return faults
}

const lockFaults = faultsOfLock(await Bun.file(path.join(root, 'bun.lock')).text())
const faults = lockFaults.length > 0 ? lockFaults : await faultsOfInstalls()
for (const fault of faults) console.error(fault)
process.exit(faults.length === 0 ? 0 : 1)
