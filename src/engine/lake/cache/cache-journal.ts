import { Mutex } from '../../../lib/concurrency.ts'
import { cacheLimits } from '../../../lib/limits/objects.ts'
import { appendFileText, findLines } from '../../../runtime/platform/files/append-file.ts'
import { writeFileDurably } from '../../../runtime/platform/files/durable-files.ts'

/** What was in a file when it was complete. */
export interface FileContent {
  readonly bytes: number
  /** CRC-32 */
  readonly checksum: number
}

const lineForm = /^([0-9a-f]{8}) (\d+) (\S+)$/

/**
 * A text file with what the files of a cache contain: a line per file, the one used last at the
 * end. Added lines are not synced: what a power failure takes is fetched again.
 */
export class CacheJournal {
  private readonly file: string
  private lines = 0
  private readonly writing = new Mutex()

  constructor(file: string) {
    this.file = file
  }

  /** The files by key, least recently used first. */
  async read(): Promise<Map<string, FileContent>> {
    const found = new Map<string, FileContent>()
    for await (const line of findLines(this.file)) {
      const [, checksum = '', bytes, key] = lineForm.exec(line) ?? []
      if (key === undefined) continue
      found.delete(key)
      found.set(key, { bytes: Number(bytes), checksum: Number.parseInt(checksum, 16) })
    }
    return found
  }

  async add(key: string, content: FileContent): Promise<void> {
    this.lines++
    await this.writing.run(() => appendFileText(this.file, lineOf(key, content)))
  }

  /** Whether most lines are about files that are no longer there. */
  isLong(files: number): boolean {
    return this.lines > 2 * files + cacheLimits.journalSlackLines
  }

  /** @param files all of them, least recently used first */
  async rewrite(files: () => Iterable<readonly [string, FileContent]>): Promise<void> {
    await this.writing.run(async () => {
      const lines = Array.from(files(), ([key, content]) => lineOf(key, content))
      this.lines = lines.length
      await writeFileDurably(this.file, lines.join(''))
    })
  }
}

const lineOf = (key: string, { bytes, checksum }: FileContent): string =>
  `${checksum.toString(16).padStart(8, '0')} ${bytes} ${key}\n`
