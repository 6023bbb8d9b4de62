import { mkdir, readdir, readlink, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Platform } from '../platforms/bindings.ts'
import type { ArchiveEntry } from './archive-entry.ts'

/** What Bun and DuckDB's library load. */
const packages = ['libc6', 'libgcc-s1', 'libstdc++6']
const architectures = { x64: 'amd64', arm64: 'arm64' } as const
/** Character sets, audit hooks and the like are loaded by no program of the image. */
const needed =
  /\/(?:ld-linux[^/]*|libc|libm|libdl|libpthread|librt|libresolv|libnss_(?:dns|files)|libgcc_s|libstdc\+\+)\.so[^/]*$/

export interface DebianLibraries {
  readonly files: readonly ArchiveEntry[]
  /** Packages as `name_version_architecture`. */
  readonly packages: readonly string[]
}

/**
 * The shared libraries that the executable needs, from Debian's packages of this system's release.
 * Needs `apt-get` and `dpkg-deb`, and no rights: lists and packages go to `folder`.
 *
 * @throws Error if a package cannot be had
 */
export async function debianLibraries({ cpu }: Platform, folder: string): Promise<DebianLibraries> {
  const work = path.join(folder, `debian-${cpu}`)
  const root = path.join(work, 'root')
  await rm(work, { recursive: true, force: true })
  for (const name of ['lists/partial', 'cache/archives/partial', 'root'])
    await mkdir(path.join(work, name), { recursive: true })
  const architecture = architectures[cpu]
  const options = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures::=${architecture}`,
    `Dir::State::lists=${work}/lists`,
    `Dir::Cache=${work}/cache`,
    'Dir::State::status=/dev/null',
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])
  await run(work, ['apt-get', '-qq', ...options, 'update'])
  await run(work, ['apt-get', '-qq', ...options, 'download', ...packages])
  const archives = (await readdir(work)).filter((name) => name.endsWith('.deb')).sort()
  for (const name of archives) await run(work, ['dpkg-deb', '-x', name, 'root'])
  const files = await libraryFiles(root)
  return { files, packages: archives.map((name) => path.basename(name, '.deb')) }
}

async function libraryFiles(root: string): Promise<ArchiveEntry[]> {
  const found = await readdir(root, { recursive: true, withFileTypes: true })
  const files: ArchiveEntry[] = []
  for (const entry of found) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isDirectory() || !needed.test(file)) continue
    const content = entry.isSymbolicLink() ? { linkTo: await readlink(file) } : await Bun.file(file).bytes()
    const mode = entry.isSymbolicLink() ? 0o777 : (await stat(file)).mode & 0o777
    files.push({ path: path.relative(root, file), mode, content })
  }
  return files
}

async function run(folder: string, [command, ...words]: readonly [string, ...string[]] | string[]): Promise<void> {
  const child = Bun.spawn([command!, ...words], { cwd: folder, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const [exitCode, output] = await Promise.all([child.exited, new Response(child.stderr).text()])
  if (exitCode !== 0) throw new Error(`Fetch libraries: ${command} ended with exit code ${exitCode}: ${output.trim()}`)
}
