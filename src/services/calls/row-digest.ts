import { digestOfBytes, digestOfJson } from '../../model/digest.ts'
import { isJsonObject, mapJson, objectInOrder } from '../../model/json-value.ts'

/**
 * Which row of a dataset a trial is about, told by its inputs: the digest that the ref of the row ends with, else a digest of the row
 * itself, which is the same in whatever order its members stand.
 */
export function rowDigestOf(inputs: unknown): string {
  const example = isJsonObject(inputs) ? inputs['example'] : undefined
  if (typeof example !== 'string') return digestOfJson(inKeyOrder(example ?? null))
  return /\/attr\/rows\/id\/([^/]+)/.exec(example)?.[1] ?? digestOfBytes(example)
}

function inKeyOrder(value: unknown): unknown {
  if (!isJsonObject(value)) return mapJson(value, inKeyOrder)
  const entries = Object.entries(value).map(([key, member]) => [key, inKeyOrder(member)] as const)
  return objectInOrder(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
