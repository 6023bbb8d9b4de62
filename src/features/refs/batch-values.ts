import type { ObjectRef } from '../../dialect/parsed-ref.ts'
import { DomainError } from '../../errors.ts'
import { HeldBytes } from '../../foundation/held-bytes.ts'
import type { Outcome } from './ref-walk.ts'

/** What the refs of one batch come to, as JSON texts. Equal values in memory are equal texts only once. */
export class BatchValues {
  private readonly asked: readonly string[]
  private readonly timesAsked = new Map<string, number>()
  private readonly values = new Map<string, string>()
  private readonly failures = new Map<string, Outcome['kind']>()
  private readonly held = new HeldBytes('request fewer `refs` at a time')

  /** @param asked refs as the request gives them, with repetitions */
  constructor(asked: readonly string[]) {
    this.asked = asked
    for (const text of asked) this.timesAsked.set(text, (this.timesAsked.get(text) ?? 0) + 1)
  }

  /** Takes in where a ref leads. @throws DomainError InvalidRequest as soon as the answer grows too large */
  add(ref: string, outcome: Outcome): void {
    if (outcome.kind !== 'value' && outcome.kind !== 'deleted') {
      this.failures.set(ref, outcome.kind)
      return
    }
    const text = outcome.kind === 'value' ? JSON.stringify(outcome.value ?? null) : 'null'
    this.values.set(ref, text)
    // The same object, asked for a thousand times, is a thousand times as long in the answer.
    this.held.add(text.length * this.timesAsked.get(ref)!)
  }

  /** The values in the order of the request. @throws DomainError InvalidRequest, NotFound where a ref leads to none */
  texts(refs: ReadonlyMap<string, ObjectRef>): string[] {
    const [table] = this.having('tableWithoutRow')
    if (table !== undefined) {
      throw new DomainError(
        'InvalidRequest',
        `Invalid ref "${table.slice(0, 200)}": it leads into a table, where only "id" edges are supported`,
      )
    }
    const missing = this.having('missing')
    if (missing.length > 0) {
      const digests = [...new Set(missing.map((text) => refs.get(text)!.version))].sort()
      throw new DomainError('NotFound', `The object of ref "${missing[0]!.slice(0, 200)}" does not exist`, {
        extras: { missing_object_digests: digests },
      })
    }
    const [row] = this.having('rowMissing')
    if (row !== undefined) {
      throw new DomainError('NotFound', `The table row of ref "${row.slice(0, 200)}" does not exist`)
    }
    return this.asked.map((text) => this.values.get(text)!)
  }

  private having(kind: Outcome['kind']): string[] {
    return this.asked.filter((text) => this.failures.get(text) === kind)
  }
}
