import type { Writer } from '../../duck/writer.ts'
import type { Row } from '../../kernel/table.ts'

/** What the parts of a verification share. */
export interface Verification {
  readonly writer: Writer
  readonly dataFolder: string
  /** Hears of a fault. @param place a path below the data folder, or what else tells where it is */
  readonly report: (place: string, fault: string) => void
  readonly onProgress: (what: string, done: number, of?: number) => void
  /** What rows of a table, by its name, have to satisfy by themselves. */
  readonly rowChecks: ReadonlyMap<string, RowCheck>
}

/** Looks at one row after the other. */
export interface RowCheck {
  /** The columns that it looks at; the others are not read. */
  readonly columns: readonly string[]
  /** Which row is not what it says, in a few words; undefined where all is well. */
  readonly brokenRow: (row: Row) => string | undefined
}

/** How many rows are not what they say, and which is the first; undefined where all are. */
export class RowFaults {
  private readonly check: RowCheck
  private count = 0
  private first: string | undefined

  constructor(check: RowCheck) {
    this.check = check
  }

  look(row: Row): void {
    const broken = this.check.brokenRow(row)
    if (broken === undefined) return
    this.count++
    this.first ??= broken
  }

  get fault(): string | undefined {
    if (this.first === undefined) return undefined
    if (this.count === 1) return `holds a row whose content is not that of its digest: ${this.first}`
    return `holds ${this.count} rows whose content is not that of their digests, the first is ${this.first}`
  }
}

/** Why something failed, in one line. */
export const reason = (cause: unknown): string => {
  const text = cause instanceof Error ? cause.message : String(cause)
  return text.split('\n')[0]!
}
