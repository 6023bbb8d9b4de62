import type { Row } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'

/** State that the steps of a verification share. */
export interface Verification {
  readonly writer: Writer
  readonly dataFolder: string
  /**
   * Receives a fault.
   * @param place a path relative to the data folder, or another location
   */
  readonly report: (place: string, fault: string) => void
  readonly onProgress: (what: string, done: number, of?: number) => void
  /** Checks that each row of a table must pass, by table name. */
  readonly rowChecks: ReadonlyMap<string, RowCheck>
}

/** Checks single rows. */
export interface RowCheck {
  /** The columns that it needs; others are not read. */
  readonly columns: readonly string[]
  /** A short description of the row if it is invalid; undefined otherwise. */
  readonly brokenRow: (row: Row) => string | undefined
}

/** Counts invalid rows and remembers the first. */
export class RowFaults {
  private readonly check: RowCheck
  private count = 0
  private first: string | undefined

  constructor(check: RowCheck) {
    this.check = check
  }

  add(row: Row): void {
    const broken = this.check.brokenRow(row)
    if (broken === undefined) return
    this.count++
    this.first ??= broken
  }

  get fault(): string | undefined {
    if (this.first === undefined) return undefined
    if (this.count === 1) return `has a row that does not match its digest: ${this.first}`
    return `has ${this.count} rows that do not match their digests; the first is ${this.first}`
  }
}

/** The first line of an error message. */
export const reason = (cause: unknown): string => {
  const text = cause instanceof Error ? cause.message : String(cause)
  const [first = ''] = text.split('\n', 1)
  return first
}
