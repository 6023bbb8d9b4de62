import { DomainError } from '../../../lib/errors.ts'
import { datasetLimits } from '../../../lib/limits/datasets.ts'
import type { Fault } from '../model/datasets.ts'

/** What is wrong with a file: the first faults, and how many there are. */
export class Faults {
  readonly listed: Fault[] = []
  count = 0
  private ofLines = 0
  private lines = 0
  private lastLine = 0

  /** A fault of one line, without which the rest of the file can be read. */
  addOfLine(line: number, column: string | null, value: string | null, reason: string): void {
    this.ofLines++
    if (line !== this.lastLine) this.lines++
    this.lastLine = line
    this.add(line, column, value, reason)
  }

  /**
   * How many lines have faults, if the rest of the file can be read without them; null if it
   * cannot.
   */
  get linesToLeaveOut(): number | null {
    return this.ofLines === this.count ? this.lines : null
  }

  /** @param line 1-based; 0 for the whole file */
  add(line: number, column: string | null, value: string | null, reason: string): void {
    this.count++
    if (this.listed.length >= datasetLimits.faultsListed) return
    const { faultCharsMax } = datasetLimits
    const shown = value === null || value.length <= faultCharsMax ? value : `${value.slice(0, faultCharsMax)}…`
    this.listed.push({ line, column, value: shown?.toWellFormed() ?? null, reason })
  }

  /** The members of an answer. */
  get members(): { faults: Fault[]; fault_count: number; faulty_lines: number | null } {
    return { faults: this.listed, fault_count: this.count, faulty_lines: this.linesToLeaveOut }
  }

  /**
   * @param leftOut how many lines may be left out: all that have faults, or none
   * @throws DomainError InvalidRows if there is another fault
   */
  refuse(leftOut = 0): void {
    const [first] = this.listed
    if (first === undefined || (leftOut > 0 && this.linesToLeaveOut === leftOut)) return
    const place =
      first.line === 0 ? '' : `line ${first.line}${first.column === null ? '' : `, column ${first.column}`}: `
    const more = this.count === 1 ? '' : `, and ${this.count - 1} more ${this.count === 2 ? 'fault' : 'faults'}`
    throw new DomainError('InvalidRows', `Nothing was written: ${place}${first.reason}${more}`, {
      extras: this.members,
    })
  }
}
