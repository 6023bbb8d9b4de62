import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { findDiskFault } from '../platform/disk-fault.ts'

/** The file of a lock holds something else: a first start on a full disk leaves it empty or cut. */
export class DamagedLock extends Error {
  override readonly name = 'DamagedLock'
}

/** The path has the word "lock" in it, and may hold any other. */
const withoutPath = (message: string, file: string): string => message.replaceAll(file, '')

/**
 * A lock that the operating system holds for this process and drops when it dies, however it dies. DuckDB locks its database files
 * that way, so an empty database in the folder serves as the lock.
 */
export class FolderLock {
  private readonly instance: DuckDBInstance
  private readonly connection: DuckDBConnection

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.instance = instance
    this.connection = connection
  }

  /**
   * The lock, or undefined where another process holds it.
   *
   * @throws DamagedLock where the file is none that DuckDB made; nobody holds it then
   */
  static async tryAcquire(file: string): Promise<FolderLock | undefined> {
    if (held.has(file)) return undefined
    let instance: DuckDBInstance
    try {
      instance = await DuckDBInstance.create(file, { threads: '1', memory_limit: '32MB' })
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause
      if (/(set|conflicting) lock|used by another process/i.test(withoutPath(cause.message, file))) return undefined
      // It is locked before it is read.
      if (!/^IO Error: Cannot (open|create)/i.test(cause.message) && findDiskFault(cause) === undefined)
        throw new DamagedLock(`Lock ${file}: it is damaged`, { cause })
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

/** POSIX record locks do not conflict inside one process, so this process keeps count itself. */
const held = new Set<string>()
