import { rename, symlink } from 'node:fs/promises'
import { removeFile } from './files.ts'

/**
 * Lets `link` lead to `target`, an absolute path of a file that need not exist, in place of what it
 * led to.
 */
export async function pointLink(link: string, target: string): Promise<void> {
  const temporary = `${link}.tmp`
  try {
    await symlink(target, temporary)
    await rename(temporary, link)
  } catch (cause) {
    await removeFile(temporary).catch(() => {})
    throw cause
  }
}
