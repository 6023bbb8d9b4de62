import type { ObjectRef } from '../../../formats/dialect/parsed-ref.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { HeldBytes } from '../../../lib/held-bytes.ts'
import type { Outcome } from './ref-walk.ts'

/**
 * Results of the refs of one batch, as JSON texts. Values that are equal in memory share their
 * text.
 */
export class BatchValues {
  private readonly asked: readonly string[]
  private readonly timesAsked = new Map<string, number>()
  private readonly values = new Map<string, string>()
  private readonly failures = new Map<string, Outcome['kind']>()
  private readonly held = new HeldBytes('request fewer `refs` at a time')

  /** @param asked refs in the request, with duplicates */
  constructor(asked: readonly string[]) {
    this.asked = asked
    for (const text of asked) this.timesAsked.set(text, (this.timesAsked.get(text) ?? 0) + 1)
  }

  /**
   * Adds the result of a ref. @throws DomainError InvalidRequest once the response grows too large
   */
  add(ref: string, outcome: Outcome): void {
    if (outcome.kind !== 'value' && outcome.kind !== 'deleted') {
      this.failures.set(ref, outcome.kind)
      return
    }
    const text = outcome.kind === 'value' ? JSON.stringify(outcome.value ?? null) : 'null'
    this.values.set(ref, text)
    // An object requested a thousand times makes the response a thousand times as long.
    this.held.add(text.length * this.timesAsked.get(ref)!)
  }

  /**
   * Values in the order of the request. @throws DomainError InvalidRequest; NotFound if an object
   * or row does not exist
   */
  texts(refs: ReadonlyMap<string, ObjectRef>): string[] {
    const [table] = this.having('tableWithoutRow')
    if (table !== undefined) {
      throw new DomainError(
        'InvalidRequest',
        `Invalid ref ${quoted(table, 200)}: it leads into a table, where only "id" edges are supported`,
      )
    }
    const missing = this.having('missing')
    if (missing.length > 0) {
      const digests = [...new Set(missing.map((text) => refs.get(text)!.version))].sort()
      throw new DomainError('NotFound', `The object of ref ${quoted(missing[0]!, 200)} does not exist`, {
        extras: { missing_object_digests: digests },
      })
    }
    const [row] = this.having('rowMissing')
    if (row !== undefined) {
      throw new DomainError('NotFound', `The table row of ref ${quoted(row, 200)} does not exist`)
    }
    return this.asked.map((text) => this.values.get(text)!)
  }

  private having(kind: Outcome['kind']): string[] {
    return this.asked.filter((text) => this.failures.get(text) === kind)
  }
}
