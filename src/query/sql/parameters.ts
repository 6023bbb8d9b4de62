import type { SqlValue } from '../../lib/sql.ts'

/**
 * Collects bound values as `$n`; equal scalars share one. The text of a statement contains nothing
 * from a request.
 */
export class Parameters {
  readonly values: SqlValue[] = []
  private readonly known = new Map<SqlValue, string>()

  bind(value: SqlValue): string {
    // Lists and times are equal only if they are the same object.
    const known = value === null ? undefined : this.known.get(value)
    if (known !== undefined) return known
    this.values.push(value)
    const name = `$${this.values.length}`
    if (value !== null) this.known.set(value, name)
    return name
  }
}
