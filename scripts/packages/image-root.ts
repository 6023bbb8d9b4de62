import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { nativeFiles } from '../executable/native-files.ts'
import { targetPackages } from '../executable/target-packages.ts'
import { type ArchiveEntry, byPath, textEntry } from './archive-entry.ts'
import type { DebianLibraries } from './debian-libraries.ts'
import type { BuiltTarget } from './product.ts'

/** The user that the server runs as in the image. */
export const imageUser = 65_532
/** Where the executable finds DuckDB's library already in place. */
export const imageCache = '/usr/lib/tracelake'

/**
 * The files of the image: libraries of the system in one layer, the executable and DuckDB's
 * library in another. The library is in place, so the root can be mounted read-only.
 */
export async function imageLayers(
  { target, executable }: BuiltTarget,
  { libraries, repository, level }: { libraries: DebianLibraries; repository: string; level: number },
): Promise<readonly (readonly ArchiveEntry[])[]> {
  const { bindings } = await targetPackages(target, repository)
  const native = await nativeFiles(bindings, target, { folder: path.join(repository, '.tools/compressed'), level })
  const nativeFolder = `${imageCache.slice(1)}/tracelake/native-${native.version}`
  const nativeEntries = await Promise.all(
    native.files.map(async ({ name, compressed }) => ({
      path: `${nativeFolder}/${name}`,
      mode: 0o755,
      content: zstdDecompressSync(await Bun.file(compressed).bytes()),
    })),
  )
  const base = [
    ...libraries.files,
    textEntry('etc/passwd', `root:x:0:0::/:/none\ntracelake:x:${imageUser}:${imageUser}::/data:/none\n`),
    textEntry('etc/group', `root:x:0:\ntracelake:x:${imageUser}:\n`),
    textEntry('etc/nsswitch.conf', 'hosts: files dns\n'),
    { path: 'tmp', mode: 0o1777 },
    { path: 'data', mode: 0o750, owner: imageUser },
  ]
  const program = [{ path: 'usr/local/bin/tracelake', mode: 0o755, content: executable }, ...nativeEntries]
  return [withFolders(base), withFolders(program)]
}

/** Adds the folders that the entries lie in. */
function withFolders(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const known = new Set(entries.map((entry) => entry.path))
  const folders = new Set(
    entries.flatMap((entry) => {
      const parts = entry.path.split('/')
      return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
    }),
  )
  const missing = [...folders].filter((folder) => !known.has(folder)).map((folder) => ({ path: folder, mode: 0o755 }))
  return byPath([...missing, ...entries])
}
