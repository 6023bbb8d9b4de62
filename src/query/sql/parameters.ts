import type { SqlValue } from '../../kernel/sql.ts'

/** Collects values; each becomes `$n`, equal scalars the same one. Nothing that came from a request stands in the text itself. */
export class Parameters {
  readonly values: SqlValue[] = []
  private readonly known = new Map<SqlValue, string>()

  bind(value: SqlValue): string {
    // Lists and times are the same only where they are one object.
    const known = value === null ? undefined : this.known.get(value)
    if (known !== undefined) return known
    this.values.push(value)
    const name = `$${this.values.length}`
    if (value !== null) this.known.set(value, name)
    return name
  }
}
