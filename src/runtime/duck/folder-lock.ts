import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { findDiskFault } from '../../lib/errors.ts'

/**
 * The lock file is not a DuckDB file: a first start on a full disk may leave it empty or truncated.
 */
export class DamagedLock extends Error {
  override readonly name = 'DamagedLock'
}

/** The path itself contains the word "lock", and possibly others. */
const withoutPath = (message: string, file: string): string => message.replaceAll(file, '')

/**
 * A lock that the operating system releases when the process dies. DuckDB locks its database files
 * in this way, so an empty database serves as the lock.
 */
export class FolderLock {
  private readonly instance: DuckDBInstance
  private readonly connection: DuckDBConnection

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.instance = instance
    this.connection = connection
  }

  /**
   * Returns the lock, or undefined if another process holds it.
   *
   * @throws DamagedLock if the file is not a DuckDB file; then no process holds it
   */
  static async tryAcquire(file: string): Promise<FolderLock | undefined> {
    if (held.has(file)) return undefined
    let instance: DuckDBInstance
    try {
      instance = await DuckDBInstance.create(file, { threads: '1', memory_limit: '32MB' })
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause
      if (/(set|conflicting) lock|used by another process/i.test(withoutPath(cause.message, file))) return undefined
      // DuckDB locks the file before it reads it.
      if (!/^IO Error: Cannot (open|create)/i.test(cause.message) && findDiskFault(cause) === undefined)
        throw new DamagedLock(`Cannot lock ${file}: the file is damaged`, { cause })
      throw cause
    }
    held.add(file)
    const connection = await instance.connect()
    const lock = new FolderLock(instance, connection)
    lock.file = file
    return lock
  }

  private file = ''

  release(): void {
    this.connection.closeSync()
    this.instance.closeSync()
    held.delete(this.file)
  }
}

/** POSIX record locks do not conflict within one process, so track them here. */
const held = new Set<string>()
