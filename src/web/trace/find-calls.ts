import { itemAt } from '../../lib/present.ts'
import { nameOf, type Skeleton } from './skeleton.ts'

/** Rows whose name, op, model or id contains `text`, ignoring case; the empty text matches none. */
export function findCalls(skeleton: Skeleton, text: string): Uint32Array {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return new Uint32Array(0)
  const has = (list: readonly string[]) =>
    Uint8Array.from(list, (each) => (each.toLowerCase().includes(wanted) ? 1 : 0))
  const ops = has(skeleton.ops)
  const models = has(skeleton.models)
  const found: number[] = []
  for (let row = 0; row < skeleton.size; row++) {
    const isFound =
      ops[skeleton.op(row)] === 1 ||
      (skeleton.model(row) >= 0 && models[skeleton.model(row)] === 1) ||
      (skeleton.name(row) != null && nameOf(skeleton, row).toLowerCase().includes(wanted)) ||
      (wanted.length >= 6 && skeleton.id(row).toLowerCase().includes(wanted))
    if (isFound) found.push(row)
  }
  return Uint32Array.from(found)
}

/** Rows of failed calls; where a failure went up through its ancestors, all of them. */
export function failedCalls({ size, statuses, status }: Skeleton): Uint32Array {
  const error = statuses.indexOf('error')
  const found: number[] = []
  for (let row = 0; row < size; row++) if (status(row) === error) found.push(row)
  return Uint32Array.from(found)
}

/** The row of a sorted list that follows `row`, or comes before it; goes round at the ends. */
export function nextOf(rows: Uint32Array, row: number, step: 1 | -1): number {
  if (rows.length === 0) return -1
  const after = rows.findIndex((each) => each > row)
  if (step === 1) return itemAt(rows, Math.max(0, after))
  const from = rows.findIndex((each) => each >= row)
  return rows[(from < 0 ? rows.length : from) - 1] ?? itemAt(rows, rows.length - 1)
}
