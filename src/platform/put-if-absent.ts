import { link, open, rm } from 'node:fs/promises'
import { v7 as uuid } from 'uuid'
import { syncFolder } from './durable-files.ts'
import { codeOf, findText } from './files.ts'
import { dirName } from './paths.ts'

/** Gives `file` its content, durably, unless there is a file of that name. */
export type PutIfAbsent = (file: string, content: string) => Promise<boolean>

/** What a file system answers that knows no hard links. */
const cannotLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])

/**
 * Put-if-absent: of several programs that write the same name at the same time, one succeeds. The content is written and synced under a
 * temporary name, which is then linked, so the name never stands for half of it. Where the file system knows no links, the name itself
 * is made exclusively: it is still given once only, but a crash may leave it with half of its content.
 *
 * @param options `mayLink`: false does without links
 * @returns false where another program was first
 */
export async function putIfAbsent(file: string, content: string, options = { mayLink: true }): Promise<boolean> {
  const temporary = `${file}.${uuid()}.tmp`
  try {
    await writeExclusively(temporary, content)
    const isOurs = options.mayLink ? await linked(temporary, file) : undefined
    if (!(isOurs ?? (await tryExclusively(file, content)))) {
      // Over NFS an answer may be lost and the link made all the same. What is there then is to the letter what was to be there.
      if ((await findText(file)) !== content) return false
    }
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(dirName(file))
  return true
}

/** @returns undefined where there are no links */
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
