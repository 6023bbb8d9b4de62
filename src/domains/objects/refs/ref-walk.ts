import { findRef, type ObjectRef, type RefEdge, splitRef } from '../../../formats/dialect/parsed-ref.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'

/** Result of following a ref. `missing` and `deleted` refer to the object at its start. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'missing' | 'deleted' | 'rowMissing' | 'tableWithoutRow' }

/** Objects that a walk needs before it can continue. */
export type Lookup =
  | { readonly kind: 'object'; readonly ref: ObjectRef }
  | { readonly kind: 'row'; readonly table: string; readonly row: string }

/** Content of a version; `isDeleted` if it was deleted, undefined if it never existed. */
export type Content = { readonly isDeleted: boolean; readonly val: unknown } | undefined

/**
 * Follows the edges of a ref from an object step by step, including intermediate refs within the
 * project.
 */
export class RefWalk {
  private readonly projectId: string
  private edges: readonly RefEdge[]
  private hops = 0
  private state: { lookup: Lookup } | { outcome: Outcome }

  constructor(ref: ObjectRef) {
    this.projectId = ref.projectId
    this.edges = ref.edges
    this.state = { lookup: { kind: 'object', ref } }
  }

  get lookup(): Lookup | undefined {
    return 'lookup' in this.state ? this.state.lookup : undefined
  }

  get outcome(): Outcome {
    if ('outcome' in this.state) return this.state.outcome
    throw new Error('The ref walk has not finished')
  }

  giveObject(content: Content): void {
    if (content !== undefined && !content.isDeleted) this.goOn(content.val)
    // Only the first object is named by the caller; the target of a stored ref may be gone.
    else if (this.hops > 0) this.end({ kind: 'value', value: null })
    else this.end({ kind: content === undefined ? 'missing' : 'deleted' })
  }

  giveRow(row: { readonly value: unknown } | undefined): void {
    if (row === undefined) this.end({ kind: 'rowMissing' })
    else this.goOn(row.value)
  }

  private goOn(from: unknown): void {
    let value = from
    for (;;) {
      const [edge, ...rest] = this.edges
      if (edge === undefined) break
      if (typeof value === 'string' && splitsAsRef(value)) {
        this.follow(value)
        return
      }
      value = step(value, edge)
      this.edges = rest
      if (value === null) break
    }
    this.end({ kind: 'value', value })
  }

  private follow(text: string): void {
    const ref = findRef(text)
    this.hops++
    if (
      ref === undefined ||
      ref.projectId !== this.projectId ||
      ref.kind === 'call' ||
      this.hops > operationLimits.refHopsMax
    ) {
      this.end({ kind: 'value', value: null })
      return
    }
    if (ref.kind !== 'table') {
      this.edges = [...ref.edges, ...this.edges]
      this.state = { lookup: { kind: 'object', ref } }
      return
    }
    const [edge, ...rest] = this.edges
    if (edge?.kind !== 'id') {
      this.end({ kind: 'tableWithoutRow' })
      return
    }
    this.edges = rest
    this.state = { lookup: { kind: 'row', table: ref.digest, row: edge.value } }
  }

  private end(outcome: Outcome): void {
    this.state = { outcome }
  }
}

/** Follows one edge; null if there is nothing. A negative index counts from the end of a list. */
function step(value: unknown, { kind, value: name }: RefEdge): unknown {
  if (kind === 'index') return Array.isArray(value) ? (value.at(Number(name)) ?? null) : null
  if (kind === 'id' || !isJsonObject(value) || !Object.hasOwn(value, name)) return null
  return value[name] ?? null
}

function splitsAsRef(text: string): boolean {
  try {
    return splitRef(text) !== undefined
  } catch {
    return false
  }
}
