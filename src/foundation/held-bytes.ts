import { DomainError } from '../errors.ts'
import { limits, MiB } from '../limits.ts'

/**
 * Counts what an answer takes in memory that has to be gathered before its first byte can go out. Whoever gathers it counts while the
 * rows come, so that what is too much is never held as a whole.
 */
export class HeldBytes {
  private readonly remedy: string
  private bytes = 0

  /** @param remedy end of the error message: how to change the request for a smaller response */
  constructor(remedy: string) {
    this.remedy = remedy
  }

  /** @throws DomainError InvalidRequest as soon as it is too much */
  add(bytes: number): void {
    this.bytes += bytes
    if (this.bytes <= limits.heldAnswerBytesMax) return
    const most = `${limits.heldAnswerBytesMax / MiB} MiB`
    throw new DomainError('InvalidRequest', `The response needs more than ${most} of memory; ${this.remedy}`)
  }
}
