import { MiB } from '../lib/bytes.ts'
import { DomainError } from '../lib/errors.ts'
import { storageLimits } from '../lib/limits/storage.ts'
import { columnIndex, type Table } from '../lib/table.ts'
import type { Log } from '../runtime/log.ts'
import { type DirtyRow, isNullCell } from './memtable/memtable.ts'

/**
 * Size and free space of the file system with the data folder; undefined if the system does not
 * report them.
 */
export type FindSpace = () => Promise<{ readonly bytes: number; readonly freeBytes: number } | undefined>

/**
 * Refuses writes before the disk is full, so that flushes and compactions have enough space to move
 * the rows that were accepted. Writes are accepted again once there is space. See
 * docs/decisions/170-full-disks.md.
 */
export class DiskSpace {
  private readonly find: FindSpace
  private readonly reserveBytes: number | undefined
  private readonly log: Log
  private checking: Promise<void> | undefined
  /** Why writes are refused, while they are. Public: no paths. */
  shortage: string | undefined

  constructor(options: {
    find: FindSpace
    /**
     * Bytes to keep free. 0: writes are refused only when the disk is full. Undefined:
     * `storageLimits.reservedBytes`, less on a small disk.
     */
    reserveBytes: number | undefined
    log: Log
  }) {
    this.find = options.find
    this.reserveBytes = options.reserveBytes
    this.log = options.log
  }

  /** Compares the free space with the reserve. Called by a timer; never fails. */
  check(): Promise<void> {
    if (this.reserveBytes === 0) return Promise.resolve()
    // A file system that does not respond gets one request at a time.
    this.checking ??= this.compare()
      .catch((err: unknown) => this.log.warn({ err }, 'the free space of the disk is unknown'))
      .finally(() => {
        this.checking = undefined
      })
    return this.checking
  }

  /** Whether so much can be written without using the reserve, as far as the system knows. */
  async hasRoomFor(bytes: number): Promise<boolean> {
    const space = await this.find().catch(() => undefined)
    return space === undefined || space.freeBytes - bytes >= this.reserveOf(space)
  }

  /**
   * Deletions are accepted in the reserve: they are small, and they are how space is freed.
   *
   * @throws DomainError InsufficientStorage
   */
  refuseIfShort(table: Table, rows: readonly DirtyRow[]): void {
    if (this.shortage === undefined) return
    const tombstone = columnIndex(table, table.tombstoneColumn)
    if (!rows.every((row) => !isNullCell(row, tombstone))) this.refuseContentIfShort()
  }

  /** @throws DomainError InsufficientStorage */
  refuseContentIfShort(): void {
    if (this.shortage !== undefined)
      throw new DomainError('InsufficientStorage', `Cannot write to the store: ${this.shortage}; nothing was stored`)
  }

  private async compare(): Promise<void> {
    const space = await this.find()
    if (space === undefined) return
    const reserveBytes = this.reserveOf(space)
    const before = this.shortage
    const [free, reserved] = [mebibytes(space.freeBytes), mebibytes(reserveBytes)]
    const isShort = space.freeBytes < reserveBytes
    this.shortage = isShort ? `the disk is almost full (${free} MiB are free, ${reserved} MiB are reserved)` : undefined
    if (before === undefined && isShort)
      this.log.error({ ...space, reserveBytes }, 'the disk is almost full; writes are refused')
    if (before !== undefined && !isShort) this.log.info(space, 'the disk has space again; writes are accepted')
  }

  private reserveOf({ bytes }: { readonly bytes: number }): number {
    return this.reserveBytes ?? Math.min(storageLimits.reservedBytes, bytes * storageLimits.reservedShareMax)
  }
}

const mebibytes = (bytes: number): number => Math.floor(bytes / MiB)
