import { KeyedMutex } from '../../lib/concurrency.ts'
import { DomainError } from '../../lib/errors.ts'
import { streamThenRemove } from '../../runtime/platform/files/file-chunks.ts'
import { findFileBytes, removeFile } from '../../runtime/platform/files/files.ts'

export interface AnswerFileBounds {
  /** Maximum number of files, in total and per key. */
  readonly filesMax: number
  readonly filesPerKeyMax: number
  /** Maximum size of all files together; a single file may be larger. */
  readonly bytesMax: number
  /** How often file sizes are checked. */
  readonly lookMs: number
}

interface AnswerFile {
  /** Paths of the response file and of the intermediate rows file; either may be missing. */
  readonly paths: readonly string[]
  readonly key: string
  /** Aborts the write; undefined once the file is complete. */
  giveUp: (() => void) | undefined
  bytes: number
}

/**
 * Responses that must be written completely before their first byte can be sent. Each is a
 * temporary file until its client has read everything or disconnected; their disk usage is limited.
 */
export class AnswerFiles {
  private readonly bounds: AnswerFileBounds
  private readonly files = new Set<AnswerFile>()
  /**
   * Files of one key are written one after the other: each uses all cores, and together they would
   * starve small queries.
   */
  private readonly turns = new KeyedMutex()
  /** Responses rejected because of the files here, so that a stalled download can be preempted. */
  private refused = 0
  private look: ReturnType<typeof setInterval> | undefined

  constructor(bounds: AnswerFileBounds) {
    this.bounds = bounds
  }

  /**
   * Whether a download that its client is not reading should be given up because others were
   * rejected; if true, the caller must give it up.
   */
  requestPreemption(): boolean {
    if (this.refused === 0) return false
    this.refused--
    return true
  }

  /**
   * The bytes of the file that `write` creates at `path`, via `rowsFile` if needed. Both files are
   * removed when all bytes have been read, when `signal` aborts, or when `write` fails.
   *
   * @param key API key whose share the file counts toward
   * @throws DomainError TooManyRequests if the key has used its share, Overloaded if all slots are
   *   taken
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
      const reason = `This API key already has ${own} Parquet downloads in progress, the maximum; finish or cancel one`
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

  /**
   * If all files together are too large, the most recently started one is aborted; a single file
   * may continue.
   */
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
