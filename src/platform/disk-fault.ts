/** What keeps the file system from doing what was asked, as far as it passes or an operator can change it. */
export type DiskFault = 'full' | 'read-only' | 'failing' | 'out of handles'

const faultOfCode: Readonly<Record<string, DiskFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EIO: 'failing',
  EMFILE: 'out of handles',
  ENFILE: 'out of handles',
}

/** Libraries written in C++ hand on what strerror says, and no code. */
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
  failing: 'the disk reports input/output errors',
  'out of handles': 'too many files are open',
}

/** The fault of the disk that an error, or what caused it, tells of; undefined where it tells of none. */
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

/** The fault in words that anybody may read; undefined where the error tells of none. */
export function describeDiskFault(error: unknown): string | undefined {
  const fault = findDiskFault(error)
  return fault === undefined ? undefined : words[fault]
}
