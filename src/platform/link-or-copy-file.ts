import { copyFile, link, rename } from 'node:fs/promises'
import { syncFile } from './durable-files.ts'
import { codeOf, fileExists } from './files.ts'

/**
 * Gives a file that never changes a second name, in one step: as a hard link where `mayLink` and the file systems allow it, else as a
 * copy that is on the disk before it gets the name. What has the name already is replaced. The folder is the caller's to sync.
 *
 * @param options `temporary`: a path of the file system of `to` that nothing else uses
 * @returns undefined where there is no file `from`
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

/** What a file system answers that cannot link these two: they lie on different ones, or it knows no links, or no more of them. */
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
