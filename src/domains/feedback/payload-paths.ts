import { DomainError, quoted } from '../../lib/errors.ts'
import { explorationLimits } from '../../lib/limits/exploration.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import type { PayloadPath, ValueType } from './model/feedback.ts'

const readable = /^[A-Za-z0-9_. ]+$/

/**
 * Keys of a dotted path into payloads; undefined if it contains anything but letters, digits, `_`,
 * spaces, and dots between keys.
 */
function readablePath(path: string): string[] | undefined {
  const keys = path.split('.')
  const isBounded =
    path.length <= explorationLimits.fieldPathCharsMax && keys.length <= explorationLimits.fieldPathSegmentsMax
  return readable.test(path) && isBounded && keys.every((key) => key !== '') ? keys : undefined
}

/** Keys of a dotted path into payloads. @throws DomainError InvalidRequest */
export function payloadPath(path: string): string[] {
  const keys = readablePath(path)
  if (keys !== undefined) return keys
  throw new DomainError('InvalidRequest', `Invalid json_path ${quoted(path)}: use letters, digits, "_", "." and spaces`)
}

/**
 * Leaf paths of payloads (JSON texts) with their value types, sorted. Array elements and keys that
 * cannot be part of a path are skipped; values of mixed types are categorical. Yields to other
 * requests: payloads may be large.
 */
export async function payloadPaths(payloads: readonly string[]): Promise<PayloadPath[]> {
  const found = new Map<string, ValueType>()
  const slice = new TimeSlice()
  for (const payload of payloads) {
    collect(JSON.parse(payload), '', found)
    if (slice.expired) await slice.yield()
  }
  return [...found]
    .map(([json_path, value_type]) => ({ json_path, value_type }))
    .sort((a, b) => (a.json_path < b.json_path ? -1 : 1))
}

function collect(value: unknown, path: string, found: Map<string, ValueType>): void {
  if (value === null || value === undefined || Array.isArray(value)) return
  if (typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      const inner = path === '' ? key : `${path}.${key}`
      if (!/[\s.]/.test(key) && readablePath(inner) !== undefined) collect(member, inner, found)
    }
    return
  }
  if (path === '') return
  const kind = typeof value === 'number' ? 'numeric' : typeof value === 'boolean' ? 'boolean' : 'categorical'
  const known = found.get(path)
  found.set(path, known === undefined || known === kind ? kind : 'categorical')
}
