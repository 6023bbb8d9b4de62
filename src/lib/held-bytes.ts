import { MiB } from './bytes.ts'
import { DomainError } from './errors.ts'
import { responseLimits } from './limits/responses.ts'

/**
 * Limits the memory of a response that must be complete before its first byte can be sent. Bytes
 * are counted while rows arrive, so that an oversized response is never held as a whole.
 */
export class HeldBytes {
  private readonly remedy: string
  private bytes = 0

  /** @param remedy end of the error message: how to change the request for a smaller response */
  constructor(remedy: string) {
    this.remedy = remedy
  }

  /** @throws DomainError InvalidRequest once the limit is exceeded */
  add(bytes: number): void {
    this.bytes += bytes
    if (this.bytes <= responseLimits.heldAnswerBytesMax) return
    const most = `${responseLimits.heldAnswerBytesMax / MiB} MiB`
    throw new DomainError('InvalidRequest', `The response needs more than ${most} of memory; ${this.remedy}`)
  }
}
