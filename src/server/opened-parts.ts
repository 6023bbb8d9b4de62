/**
 * The parts of a running server that have to be closed, in the order in which they are: what writes
 * comes before what it writes to.
 */
const closingOrder = [
  'expiry',
  'erasures',
  'jobs',
  'runFigures',
  'providers',
  'rules',
  'live',
  'intake',
  'blobSweep',
  'keySweep',
  'access',
  'audit',
  'store',
  'cache',
  'selfTracing',
] as const
export type OpenedPart = (typeof closingOrder)[number]

/** The parts that have been opened so far, however far a start has come. */
export class OpenedParts {
  private readonly closers = new Map<OpenedPart, () => void | Promise<void>>()

  /** Remembers how to close a part. Call it as soon as the part is open. */
  add(part: OpenedPart, close: () => void | Promise<void>): void {
    this.closers.set(part, close)
  }

  /**
   * Closes what is open; another call closes nothing. If a part cannot be closed, the others are.
   * @throws the first error
   */
  async close(): Promise<void> {
    await this.closeEach(closingOrder)
  }

  /** The same for what writes into the store. */
  async closeWhatWrites(): Promise<void> {
    await this.closeEach(closingOrder.slice(0, closingOrder.indexOf('store')))
  }

  private async closeEach(parts: readonly OpenedPart[]): Promise<void> {
    const errors: unknown[] = []
    for (const part of parts) {
      const close = this.closers.get(part)
      this.closers.delete(part)
      try {
        await close?.()
      } catch (cause) {
        errors.push(cause)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}
