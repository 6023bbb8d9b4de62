import type { SqlValue } from '../../model/sql.ts'

/** Collects values; each becomes `$n`, equal scalars the same one. Nothing that came from a request stands in the text itself. */
export class Parameters {
  readonly values: SqlValue[] = []
  private readonly known = new Map<string | number | bigint | boolean, string>()

  bind(value: SqlValue): string {
    const isScalar = value !== null && typeof value !== 'object'
    const known = isScalar ? this.known.get(value) : undefined
    if (known !== undefined) return known
    this.values.push(value)
    const name = `$${this.values.length}`
    if (isScalar) this.known.set(value, name)
    return name
  }
}
