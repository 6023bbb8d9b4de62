import { rename, symlink } from 'node:fs/promises'
import { removeFile } from './files.ts'
import { absolutePath } from './paths.ts'

/** Lets `link` lead to `target`, a file that need not exist, in place of what it led to. */
export async function pointLink(link: string, target: string): Promise<void> {
  const temporary = `${link}.tmp`
  try {
    // Another path would begin at the folder of the link.
    await symlink(absolutePath(target), temporary)
    await rename(temporary, link)
  } catch (cause) {
    await removeFile(temporary).catch(() => {})
    throw cause
  }
}
