import type { Random } from '../golden/random.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Bytes with a few random mutations: flipped, removed, duplicated, inserted, truncated. */
export function mutateBytes(random: Random, bytes: Uint8Array): Bytes {
  let changed: Bytes = new Uint8Array(bytes)
  for (let left = 1 + random.below(4); left > 0; left--) changed = mutateOnce(random, changed)
  return changed
}

function mutateOnce(random: Random, bytes: Bytes): Bytes {
  const at = random.below(bytes.length + 1)
  const to = Math.min(bytes.length, at + 1 + random.below(random.pick([2, 8, 64, 512])))
  switch (random.below(6)) {
    case 0:
      return bytes.slice(0, at)
    case 1:
      return joined(bytes.subarray(0, at), bytes.subarray(to))
    case 2:
      return joined(bytes.subarray(0, to), bytes.subarray(at))
    case 3:
      return joined(bytes.subarray(0, at), randomBytes(random), bytes.subarray(at))
    default: {
      const changed = new Uint8Array(bytes)
      if (at < changed.length) changed[at] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.below(256), changed[at]! ^ 1])
      return changed
    }
  }
}

const randomBytes = (random: Random): Bytes =>
  Uint8Array.from({ length: 1 + random.below(12) }, () => random.pick([0, 10, 0xff, 0x80, random.below(256)]))

function joined(...parts: Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(parts))
}

const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '0',
  '-1',
  '99999999999999999999',
  'NaN',
  '\ud800',
  '\u0000',
  '[',
  '{"a":1}',
  'ab'.repeat(16),
  '0'.repeat(32),
  [],
  {},
  [[]],
  { stringValue: 'x' },
  { arrayValue: {} },
  { kvlistValue: { values: [{}] } },
  { key: 'a' },
]

const oddNames = ['key', 'value', 'spans', 'traceId', 'attributes', '__proto__', 'constructor', '', '0']

/**
 * A JSON value with a few members replaced, removed, duplicated or renamed. The argument is not
 * modified.
 */
export function mutateJson(random: Random, value: unknown): unknown {
  const copy = structuredClone(value)
  for (let left = 1 + random.below(4); left > 0; left--) changeSomewhere(random, copy)
  return copy
}

function changeSomewhere(random: Random, value: unknown): void {
  const places: { holder: Record<string, unknown>; name: string }[] = []
  collect(value, places)
  if (places.length === 0) return
  const { holder, name } = random.pick(places)
  switch (random.below(4)) {
    case 0:
      if (!Array.isArray(holder)) delete holder[name]
      else holder.splice(Number(name), 1)
      return
    case 1:
      if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(name)]))
      else holder[random.pick(oddNames)] = holder[name]
      return
    default:
      holder[name] = structuredClone(random.pick(oddValues))
  }
}

function collect(value: unknown, places: { holder: Record<string, unknown>; name: string }[]): void {
  if (typeof value !== 'object' || value === null) return
  for (const name of Object.keys(value)) {
    places.push({ holder: value as Record<string, unknown>, name })
    collect((value as Record<string, unknown>)[name], places)
  }
}
