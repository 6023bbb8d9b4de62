/** An answer that prefers neither call. */
export const tie = 'tie'

/**
 * The two calls of an item in the order in which a person sees them: it differs between people and
 * items, and is always the same for one person and item.
 */
export function orderFor(pair: readonly [string, string], itemId: string, userId: string): readonly [string, string] {
  return (hashOf(`${itemId}/${userId}`) & 1) === 0 ? pair : [pair[1], pair[0]]
}

/** FNV-1a of the UTF-16 code units, mixed so that the last bit is as random as the others. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const names: ReadonlySet<string> = new Set(['model', 'model_name', 'id', 'provider', 'system_fingerprint'])

/** An output without the members that say which model made it. @param output JSON text */
export function withoutNames(output: string): string {
  if (!output.startsWith('{')) return output
  try {
    return JSON.stringify(JSON.parse(output), (key, value: unknown) => (names.has(key) ? undefined : value))
  } catch {
    return output
  }
}
