/** A filter text that cannot be read. The message is a sentence for people. */
export class FilterError extends Error {
  override readonly name = 'FilterError'
  /** Where the text stops making sense. */
  readonly from: number
  readonly to: number

  constructor(message: string, from: number, to: number) {
    super(message)
    this.from = from
    this.to = to
  }
}
