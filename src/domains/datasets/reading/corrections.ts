import { DomainError, quoted } from '../../../lib/errors.ts'
import type { Correction } from '../model/datasets.ts'
import type { CorrectedCells } from './rows.ts'

/** Cells of a file that are read as other texts. */
export class Corrections {
  private readonly byLine = new Map<number, Map<string, string>>()
  private readonly unused = new Set<Correction>()
  private readonly all: readonly Correction[]

  constructor(all: readonly Correction[]) {
    this.all = all
    for (const correction of all) {
      const { line, column, value } = correction
      const cells = this.byLine.get(line) ?? new Map<string, string>()
      cells.set(column, value)
      this.byLine.set(line, cells)
      this.unused.add(correction)
    }
  }

  /** Those of a line; undefined if there are none. */
  of(line: number): CorrectedCells | undefined {
    const cells = this.byLine.get(line)
    if (cells === undefined) return undefined
    return {
      get: (column) => {
        for (const each of this.all) if (each.line === line && each.column === column) this.unused.delete(each)
        return cells.get(column)
      },
    }
  }

  /** @throws DomainError InvalidRequest if a correction is of no cell of the file */
  refuseUnused(): void {
    for (const { line, column } of this.unused) {
      throw new DomainError(
        'InvalidRequest',
        `Nothing was written: \`corrections\` has a value for line ${line}, column ${quoted(column)}, ` +
          'but the file has no such cell',
      )
    }
  }
}
