import { copyFile, link, rename } from 'node:fs/promises'
import { syncFile } from './durable-files.ts'
import { codeOf, fileExists } from './files.ts'

/**
 * Gives an immutable file a second name atomically: as a hard link if `mayLink` and the file
 * systems allow it, otherwise as a synced copy. An existing file is replaced. Syncing the folder is
 * up to the caller.
 *
 * @param options `temporary`: a unique path on the file system of `to`
 * @returns undefined if `from` does not exist
 */
export async function linkOrCopyFile(
  from: string,
  to: string,
  options: { temporary: string; mayLink: boolean },
): Promise<'linked' | 'copied' | undefined> {
  const { temporary, mayLink } = options
  try {
    const isLinked = mayLink && (await linked(from, temporary))
    if (!isLinked) {
      await copyFile(from, temporary)
      await syncFile(temporary)
    }
    await rename(temporary, to)
    return isLinked ? 'linked' : 'copied'
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' && !(await fileExists(from))) return undefined
    throw cause
  }
}

/**
 * Errors for files that cannot be linked: across file systems, without link support, or with too
 * many links.
 */
const cannotLink = new Set(['EXDEV', 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (cause) {
    if (cannotLink.has(String(codeOf(cause)))) return false
    throw cause
  }
}
