import { DomainError } from '../errors.ts'
import { limits, MiB } from '../limits.ts'

/**
 * Counts what an answer takes in memory that has to be gathered before its first byte can go out. Whoever gathers it counts while the
 * rows come, so that what is too much is never held as a whole.
 */
export class HeldBytes {
  private readonly attempt: string
  private readonly remedy: string
  private bytes = 0

  /**
   * @param attempt how the refusal begins, such as `Read usage`
   * @param remedy how it ends: the members of the request by which less is asked for
   */
  constructor(attempt: string, remedy: string) {
    this.attempt = attempt
    this.remedy = remedy
  }

  /** @throws DomainError InvalidRequest as soon as it is too much */
  add(bytes: number): void {
    this.bytes += bytes
    if (this.bytes <= limits.heldAnswerBytesMax) return
    const most = `${limits.heldAnswerBytesMax / MiB} MiB`
    throw new DomainError(
      'InvalidRequest',
      `${this.attempt}: the response would need more than ${most} of memory; ${this.remedy}`,
    )
  }
}
