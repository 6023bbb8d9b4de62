import { filesOf, isFiles, type SqlValue } from '../../lib/sql.ts'
import type { KeptFooters, LinkedFiles } from './kept-footers.ts'
import { type Bindings, toBindings } from './parameters.ts'

/** The files among the values of a statement, which it may read by links until it has ended. */
export class StatementFiles implements Disposable {
  readonly paths: readonly string[]
  private readonly values: readonly SqlValue[]
  private linked: LinkedFiles | undefined
  private bound: Bindings | undefined

  constructor(values: readonly SqlValue[]) {
    this.paths = filesOf(values)
    this.values = values
  }

  /** What to bind: files by the names that the statement uses. */
  get bindings(): Bindings {
    const { linked, values } = this
    this.bound ??= toBindings(
      linked === undefined
        ? values
        : values.map((value) => (isFiles(value) ? { files: value.files.map(linked.linkOf) } : value)),
    )
    return this.bound
  }

  /**
   * Lets the statement read its files by links, if there are enough.
   *
   * @returns whether it does
   */
  async link(footers: KeptFooters): Promise<boolean> {
    this.linked = await footers.take(this.paths)
    return this.linked !== undefined
  }

  /** Runs the statement; its errors name the files instead of links. */
  async run<T>(work: (bindings: Bindings) => Promise<T>): Promise<T> {
    try {
      return await work(this.bindings)
    } catch (cause) {
      this.linked?.suspect()
      throw this.named(cause)
    }
  }

  [Symbol.dispose](): void {
    this.linked?.[Symbol.dispose]()
  }

  private named(cause: unknown): unknown {
    if (this.linked === undefined || !(cause instanceof Error)) return cause
    const message = this.linked.named(cause.message)
    return message === cause.message ? cause : new Error(message, { cause })
  }
}
