import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

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

  /** The lock, or undefined where another process holds it. */
  static async tryAcquire(file: string): Promise<FolderLock | undefined> {
    if (held.has(file)) return undefined
    let instance: DuckDBInstance
    try {
      instance = await DuckDBInstance.create(file, { threads: '1', memory_limit: '32MB' })
    } catch (cause) {
      if (cause instanceof Error && /lock/i.test(cause.message)) return undefined
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
