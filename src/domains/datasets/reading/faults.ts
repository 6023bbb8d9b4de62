import { DomainError } from '../../../lib/errors.ts'
import { datasetLimits } from '../../../lib/limits/datasets.ts'
import type { Fault } from '../model/datasets.ts'

/** What is wrong with a file: the first faults, and how many there are. */
export class Faults {
  readonly listed: Fault[] = []
  count = 0

  /** @param line 1-based; 0 for the whole file */
  add(line: number, column: string | null, value: string | null, reason: string): void {
    this.count++
    if (this.listed.length >= datasetLimits.faultsListed) return
    const { faultCharsMax } = datasetLimits
    const shown = value === null || value.length <= faultCharsMax ? value : `${value.slice(0, faultCharsMax)}…`
    this.listed.push({ line, column, value: shown?.toWellFormed() ?? null, reason })
  }

  /** The members of an answer. */
  get members(): { faults: Fault[]; fault_count: number } {
    return { faults: this.listed, fault_count: this.count }
  }

  /** @throws DomainError InvalidRows if there is a fault */
  refuse(): void {
    const [first] = this.listed
    if (first === undefined) return
    const place =
      first.line === 0 ? '' : `line ${first.line}${first.column === null ? '' : `, column ${first.column}`}: `
    const more = this.count === 1 ? '' : `, and ${this.count - 1} more ${this.count === 2 ? 'fault' : 'faults'}`
    throw new DomainError('InvalidRows', `Nothing was written: ${place}${first.reason}${more}`, {
      extras: this.members,
    })
  }
}
