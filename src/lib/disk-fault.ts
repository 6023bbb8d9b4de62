/** Why the file system fails, if the cause is temporary or can be fixed by an operator. */
export type DiskFault = 'full' | 'read-only' | 'failing' | 'out of handles'

const faultOfCode: Readonly<Record<string, DiskFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EIO: 'failing',
  EMFILE: 'out of handles',
  ENFILE: 'out of handles',
}

/** C++ libraries pass on the text of strerror without the code. */
const faultOfWords: readonly (readonly [string, DiskFault])[] = [
  ['No space left on device', 'full'],
  ['Disk quota exceeded', 'full'],
  ['Read-only file system', 'read-only'],
  ['Input/output error', 'failing'],
  ['Too many open files', 'out of handles'],
]

const words: Readonly<Record<DiskFault, string>> = {
  full: 'the disk is full',
  'read-only': 'the file system is read-only',
  failing: 'the disk reports I/O errors',
  'out of handles': 'too many open files',
}

/** The disk fault behind an error or its causes; undefined if there is none. */
export function findDiskFault(error: unknown): DiskFault | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? faultOfCode[String(cause.code)] : undefined
    if (code !== undefined) return code
    const { message } = cause
    const found = faultOfWords.find(([text]) => message.includes(text))
    if (found !== undefined) return found[1]
  }
  return undefined
}

/** The fault as a phrase for users; undefined if there is none. */
export function describeDiskFault(error: unknown): string | undefined {
  const fault = findDiskFault(error)
  return fault === undefined ? undefined : words[fault]
}
