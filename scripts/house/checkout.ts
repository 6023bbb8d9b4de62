import { mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * A folder with the files of a state of the repository; goes away on disposal if it was made for
 * this.
 */
export interface Checkout extends AsyncDisposable {
  readonly folder: string
}

/**
 * The files of `state`, which is a folder or anything that git takes for a commit of the repository
 * in `root`. A commit is unpacked into a temporary folder, with the packages of `root`.
 *
 * @throws Error where `state` is neither
 */
export async function checkOut(root: string, state: string): Promise<Checkout> {
  const isFolder = await stat(state).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isFolder) return { folder: path.resolve(state), [Symbol.asyncDispose]: async () => {} }

  const archive = Bun.spawnSync(['git', 'archive', '--format=tar', `${state}^{commit}`], { cwd: root })
  if (archive.exitCode !== 0) {
    throw new Error(`Check out "${state}": it is neither a folder nor a commit of this repository`)
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'tracelake-house-'))
  const unpacked = Bun.spawnSync(['tar', '-x', '-C', folder], { stdin: archive.stdout })
  if (unpacked.exitCode !== 0) throw new Error(`Check out "${state}": tar failed: ${unpacked.stderr.toString()}`)
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
