import { DomainError } from '../../lib/errors.ts'
import type { Log } from '../../runtime/log.ts'
import type { LockedFolder } from './locked-folder.ts'

/**
 * Watches the lock of a data folder, and reports its loss once. See
 * docs/decisions/072-removed-lock-file.md.
 */
export class LockWatch {
  private readonly folder: LockedFolder
  private readonly log: Log
  private isTold = false
  private tell: ((reason: string) => void) | undefined

  constructor(folder: LockedFolder, log: Log) {
    this.folder = folder
    this.log = log
  }

  /** Why the lock is lost; undefined while it is held. */
  get lost(): string | undefined {
    return this.folder.lost
  }

  /** Calls `handle` with the reason when the lock turns out to be lost. */
  onLost(handle: (reason: string) => void): void {
    this.tell = handle
  }

  /** @throws DomainError StoreUnavailable if the lock is lost */
  refuseIfLost(): void {
    const { lost } = this
    if (lost !== undefined) throw new DomainError('StoreUnavailable', `Cannot store the request: ${lost}`)
  }

  /** Checks the lock. Called by a timer. */
  async check(): Promise<void> {
    // If the check itself fails, the next write reports why.
    await this.folder.assertHeld().catch(() => {})
    const { lost } = this
    if (lost === undefined || this.isTold) return
    this.isTold = true
    this.log.fatal({ reason: lost }, 'the lock on the data folder was lost; writes are refused')
    this.tell?.(lost)
  }
}
