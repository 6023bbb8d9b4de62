import { DomainError } from '../../errors.ts'
import { KeyedMutex } from '../../foundation/keyed-mutex.ts'
import { streamThenRemove } from '../../platform/file-chunks.ts'
import { findFileBytes, removeFile } from '../../platform/files.ts'

export interface AnswerFileBounds {
  /** Files at a time, of all keys and of one. */
  readonly filesMax: number
  readonly filesPerKeyMax: number
  /** Bytes of all files together; a single file may be larger. */
  readonly bytesMax: number
  /** How often it is looked how far files have grown. */
  readonly lookMs: number
}

interface AnswerFile {
  /** Paths of the answer and of rows on their way into it; either may be missing. */
  readonly paths: readonly string[]
  readonly key: string
  /** Ends the writing; undefined once the file is written. */
  giveUp: (() => void) | undefined
  bytes: number
}

/**
 * Answers that have to be written as a whole before their first byte can be sent. Each lies in a file from
 * its first byte until its client has taken the last, or has left; what they take of the disk is bounded.
 */
export class AnswerFiles {
  private readonly bounds: AnswerFileBounds
  private readonly files = new Set<AnswerFile>()
  /** Answers to one key are written one after the other: each has all cores, and together they would keep small questions waiting. */
  private readonly turns = new KeyedMutex()
  /** Answers that were refused for those that lie here, so that one that nobody takes can give way. */
  private refused = 0
  private look: ReturnType<typeof setInterval> | undefined

  constructor(bounds: AnswerFileBounds) {
    this.bounds = bounds
  }

  /** Whether an answer that its client does not take is to be given up because others were refused; who is told so does it. */
  requestPreemption(): boolean {
    if (this.refused === 0) return false
    this.refused--
    return true
  }

  /**
   * The bytes of the file that `write` makes at `path`, by way of `rowsFile` if it needs one. Both go when
   * the bytes are taken, when `signal` is aborted, and where `write` fails.
   *
   * @param key whose share of the files it counts in
   * @throws DomainError TooManyRequests where the key has its share already, Overloaded where all are taken
   */
  async send(
    { path, rowsFile }: { path: string; rowsFile: string },
    { key, signal }: { key: string; signal: AbortSignal },
    write: (signal: AbortSignal) => Promise<void>,
  ): Promise<AsyncGenerator<Uint8Array>> {
    this.admit(key)
    const abort = new AbortController()
    const file: AnswerFile = { paths: [path, rowsFile], key, giveUp: () => abort.abort(), bytes: 0 }
    this.files.add(file)
    this.look ??= setInterval(() => void this.bound(), this.bounds.lookMs)
    try {
      const either = AbortSignal.any([signal, abort.signal])
      await this.turns.run(key, async () => {
        if (either.aborted) throw new DomainError('RequestCancelled', 'The client disconnected')
        await write(either)
      })
      file.giveUp = undefined
      file.bytes = await bytesOf(file)
      return await streamThenRemove(path, { signal, onRemoved: () => this.forget(file) })
    } catch (cause) {
      await Promise.all(file.paths.map(removeFile))
      this.forget(file)
      throw abort.signal.aborted && !signal.aborted ? this.tooLarge(cause) : cause
    }
  }

  private admit(key: string): void {
    const { filesMax, filesPerKeyMax, bytesMax } = this.bounds
    const own = [...this.files].filter((file) => file.key === key).length
    if (own >= filesPerKeyMax) {
      this.refused++
      const reason =
        `This API key already has ${own} Parquet downloads in progress, the maximum; finish or cancel one ` + 'first'
      throw new DomainError('TooManyRequests', reason)
    }
    if (this.files.size >= filesMax || this.bytes >= bytesMax) {
      this.refused++
      throw new DomainError('Overloaded', 'Too many Parquet downloads in progress; try again later')
    }
  }

  private get bytes(): number {
    return this.files.values().reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** The answer that began last gives way where all together have grown too large; one alone may go on. */
  private async bound(): Promise<void> {
    const growing = [...this.files].filter(({ giveUp }) => giveUp !== undefined)
    await Promise.all(
      growing.map(async (file) => {
        file.bytes = await bytesOf(file)
      }),
    )
    if (this.files.size > 1 && this.bytes > this.bounds.bytesMax) growing.at(-1)?.giveUp?.()
  }

  private forget(file: AnswerFile): void {
    this.files.delete(file)
    if (this.files.size > 0) return
    this.refused = 0
    clearInterval(this.look)
    this.look = undefined
  }

  private tooLarge(cause: unknown): DomainError {
    this.refused++
    const reason = 'The Parquet downloads in progress are too large together; try again when others have finished'
    return new DomainError('Overloaded', reason, { cause })
  }
}

async function bytesOf({ paths }: AnswerFile): Promise<number> {
  const sizes = await Promise.all(paths.map(findFileBytes))
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}
