import { appendFileText, findLines } from '../../runtime/platform/files/append-file.ts'
import { ensureFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { dirName } from '../../runtime/platform/files/paths.ts'

/** One acknowledged request, or the end of a part, as a line of the journal. */
export interface JournalEntry {
  readonly part: string
  readonly version: string
  /** Records of the part that have been handled so far. */
  readonly done: number
  readonly isEnd?: true
  readonly what?: string
  readonly sent?: number
  readonly refused?: number
  readonly ids?: readonly string[]
}

/**
 * A file that remembers what the server has acknowledged, so that an interrupted import continues
 * and its counts can be checked at the end. It is removed when an import is complete.
 */
export class Journal {
  private readonly file: string
  private readonly parts = new Map<string, JournalEntry>()

  private constructor(file: string) {
    this.file = file
  }

  /** Opens the journal of an interrupted import, or a new one. */
  static async open(file: string): Promise<Journal> {
    await ensureFolder(dirName(file))
    const journal = new Journal(file)
    for await (const entry of journal.entries()) journal.parts.set(entry.part, entry)
    return journal
  }

  get isResumed(): boolean {
    return this.parts.size > 0
  }

  /** How much of a part has been handled; a part that has changed since begins anew. */
  progressOf(part: string, version: string): { readonly done: number; readonly isEnd: boolean } {
    const entry = this.parts.get(part)
    if (entry?.version !== version) return { done: 0, isEnd: false }
    return { done: entry.done, isEnd: entry.isEnd === true }
  }

  /** Whether an entry belongs to the newest version of its part. */
  isCurrent(entry: JournalEntry): boolean {
    return this.parts.get(entry.part)?.version === entry.version
  }

  async add(entry: JournalEntry): Promise<void> {
    this.parts.set(entry.part, entry)
    await appendFileText(this.file, `${JSON.stringify(entry)}\n`)
  }

  /** All entries. The last line is incomplete if the program was killed while it wrote. */
  async *entries(): AsyncGenerator<JournalEntry> {
    for await (const line of findLines(this.file)) {
      try {
        const entry: JournalEntry = JSON.parse(line)
        yield entry
      } catch {
        return
      }
    }
  }

  async remove(): Promise<void> {
    await removeFile(this.file)
  }
}
