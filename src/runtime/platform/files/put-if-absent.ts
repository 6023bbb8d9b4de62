import { link, open, rm } from 'node:fs/promises'
import { v7 as uuid } from 'uuid'
import { syncFolder } from './durable-files.ts'
import { codeOf, findText } from './files.ts'
import { dirName } from './paths.ts'

/** Creates `file` with its content, durably, unless it exists. Returns false if it does. */
export type PutIfAbsent = (file: string, content: string) => Promise<boolean>

/** Errors of file systems without hard links. */
const cannotLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])

/**
 * Put-if-absent: of several processes that create the same file, exactly one succeeds. The content
 * is written and synced under a temporary name and then linked, so the file is never partial. On
 * file systems without links the file itself is created exclusively; then a crash may leave it
 * partial.
 *
 * @param options `mayLink`: false disables links
 * @returns false if another process was first
 */
export async function putIfAbsent(file: string, content: string, options = { mayLink: true }): Promise<boolean> {
  const temporary = `${file}.${uuid()}.tmp`
  try {
    await writeExclusively(temporary, content)
    const isOurs = options.mayLink ? await linked(temporary, file) : undefined
    if (!(isOurs ?? (await tryExclusively(file, content)))) {
      // Over NFS the reply may be lost although the link was made. The file then has exactly our
      // content.
      if ((await findText(file)) !== content) return false
    }
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(dirName(file))
  return true
}

/** @returns undefined if links are unsupported */
async function linked(temporary: string, file: string): Promise<boolean | undefined> {
  try {
    await link(temporary, file)
    return true
  } catch (cause) {
    const code = String(codeOf(cause))
    if (code === 'EEXIST') return false
    if (cannotLink.has(code)) return undefined
    throw cause
  }
}

async function tryExclusively(file: string, content: string): Promise<boolean> {
  try {
    await writeExclusively(file, content)
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    throw cause
  }
}

async function writeExclusively(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
