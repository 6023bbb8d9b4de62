import { DomainError, tooMany } from '../../lib/errors.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { type Row, rowBytes } from '../../lib/table.ts'

/** Bounds the items of an OpenTelemetry export. @throws DomainError RequestTooLarge */
export function checkItems(what: string, count: number, max: number): void {
  if (count > max) throw new DomainError('RequestTooLarge', tooMany(what, count, max, ' per request'))
}

/** Bounds the rows made from an export, each of which repeats its resource. */
export class RowsBound {
  private readonly what: string
  private bytes = 0

  constructor(what: string) {
    this.what = what
  }

  /** @throws DomainError RequestTooLarge */
  add(row: Row): void {
    this.bytes += rowBytes(row)
    if (this.bytes <= telemetryLimits.exportRowBytesMax) return
    const message = `The ${this.what} with their resources are too large; send fewer per request`
    throw new DomainError('RequestTooLarge', message)
  }
}
