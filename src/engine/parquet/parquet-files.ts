import { Gate } from '../../lib/concurrency.ts'
import { readLimits } from '../../lib/limits/reads.ts'
import type { FileSize } from '../../runtime/platform/read-cost.ts'
import { LastUsed } from '../last-used.ts'
import { localFiles, type StoredFiles } from '../stored-files.ts'
import type { Footer } from './footer.ts'
import { ParquetFile } from './parquet-file.ts'

/**
 * Opens data files to read single rows without DuckDB. Bounds how many are open and how many bytes
 * of them are in memory, and keeps their footers.
 */
export class ParquetFiles {
  private readonly stored: StoredFiles
  private readonly footers = new LastUsed<Footer>(readLimits.footerCacheBytes)
  private readonly files = new Gate({ max: readLimits.pointFilesMax, waitingMax: readLimits.readersWaitingMax })
  private readonly bytes = new Gate({ max: readLimits.pointBytesMax, waitingMax: Number.POSITIVE_INFINITY })

  constructor(stored: StoredFiles = localFiles) {
    this.stored = stored
  }

  /**
   * Passes an open file to `read`, which must not open another one.
   *
   * @param signal aborts the wait for other reads
   * @throws DomainError Overloaded, RequestCancelled, or the signal's reason; any other error if
   *   the file is missing or malformed, or has something that only DuckDB can read
   */
  async read<T>(path: string, signal: AbortSignal, read: (file: ParquetFile) => Promise<T>): Promise<T> {
    return await this.files.run(1, signal, async () => {
      const takeBytes = <R>(bytes: number, work: () => Promise<R>) => this.bytes.run(bytes, signal, work)
      await using file = await ParquetFile.open(path, this.footers, takeBytes, this.stored)
      return await read(file)
    })
  }

  /**
   * The size of a data file.
   *
   * @throws DomainError Overloaded; any other error if the file is missing or malformed
   */
  async sizeOf(path: string): Promise<FileSize> {
    const signal = AbortSignal.timeout(readLimits.fileSizeMs)
    return await this.read(path, signal, (file) => file.size())
  }
}
