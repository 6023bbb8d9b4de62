import { isRef } from '../../formats/dialect/ref.ts'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import { isJsonObject, objectInOrder } from '../../lib/json-value.ts'
import type { ProjectReader } from '../access/index.ts'

/**
 * Resolves refs. Refs that cannot be resolved or belong to another project are missing from the
 * result.
 */
export interface RefResolver {
  resolve(reader: ProjectReader, refs: readonly string[]): Promise<ReadonlyMap<string, unknown>>
}

/** Resolves nothing, so that refs are left as they are. */
export const noRefs: RefResolver = { resolve: async () => new Map() }

/**
 * Replaces the refs at `paths` in calls (JSON texts) by what they refer to; objects get the ref as
 * member `_ref`. Shorter paths first, so that a path may lead through what a shorter one has
 * expanded. See docs/decisions/027-expanding-refs.md.
 */
export async function expandRefs(
  lines: readonly string[],
  paths: readonly (readonly string[])[],
  reader: ProjectReader,
  resolver: RefResolver,
): Promise<string[]> {
  const calls = lines.map((line) => (line.includes(':///') ? (parseExactly(line) as Members) : undefined))
  const changed = new Set<Members>()
  for (const path of paths) {
    const places = calls.flatMap((call) => {
      const place = call && findPlace(call, path)
      return call && place ? [{ call, place }] : []
    })
    if (places.length === 0) continue
    const values = await resolver.resolve(reader, [...new Set(places.map(({ place }) => place.ref))])
    for (const { call, place } of places) {
      const value = values.get(place.ref)
      if (value === undefined) continue
      place.holder[place.key] = isJsonObject(value)
        ? objectInOrder([...Object.entries(value), ['_ref', place.ref]])
        : value
      changed.add(call)
    }
  }
  return lines.map((line, index) => {
    const call = calls[index]
    return call !== undefined && changed.has(call) ? JSON.stringify(call) : line
  })
}

type Members = Record<string, unknown>

function findPlace(call: Members, path: readonly string[]): { holder: Members; key: string; ref: string } | undefined {
  let holder: unknown = call
  for (const key of path.slice(0, -1)) holder = isObject(holder) ? holder[key] : undefined
  const key = path.at(-1)!
  if (!isObject(holder) || !Object.hasOwn(holder, key)) return undefined
  const ref = holder[key]
  return typeof ref === 'string' && isRef(ref) ? { holder, key, ref } : undefined
}

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null
