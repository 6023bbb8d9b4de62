import { digestOfBytes, digestOfJson } from '../kernel/digest.ts'
import { isJsonObject } from '../kernel/json-value.ts'

/**
 * Which row of a dataset a trial is about, told by its inputs: the digest that the ref of the row
 * ends with, else a digest of the row itself, which is the same in whatever order its members
 * stand.
 */
export function rowDigestOf(inputs: unknown): string {
  const example = isJsonObject(inputs) ? inputs['example'] : undefined
  if (typeof example !== 'string') return digestOfJson(example ?? null)
  return /\/attr\/rows\/id\/([^/]+)/.exec(example)?.[1] ?? digestOfBytes(example)
}
