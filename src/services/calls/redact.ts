import { isRawNumber } from '../../model/json-value.ts'
import { isRef } from '../../model/ref.ts'

const exactKeys: ReadonlySet<string> = new Set([
  'authheaders',
  'authorization',
  'authtoken',
  'awsaccesskey',
  'awsaccesskeyid',
  'bearertoken',
  'vertexcredentials',
  'webhookkey',
  'webhooksecret',
])
const keyEndings = [
  'accesstoken',
  'apikey',
  'apitoken',
  'clientsecret',
  'privatekey',
  'refreshtoken',
  'secretaccesskey',
  'secretkey',
  'sessiontoken',
]

/** What credential values are replaced by. */
export const redacted = 'REDACTED'

const verdicts = new Map<string, boolean>()
const verdictsMax = 10_000

/** Whether a member of this name holds a credential: compared in lower case without `_` and `-`. */
export function isCredentialKey(key: string): boolean {
  const known = verdicts.get(key)
  if (known !== undefined) return known
  const plain = key.toLowerCase().replaceAll(/[_-]/g, '')
  const verdict = exactKeys.has(plain) || keyEndings.some((ending) => plain.endsWith(ending))
  // Keys repeat from call to call; the bound keeps odd clients from filling memory.
  if (verdicts.size >= verdictsMax) verdicts.clear()
  if (key.length <= 64) verdicts.set(key, verdict)
  return verdict
}

/**
 * Walks a parsed JSON value once: replaces credentials in place (non-empty strings under a credential-like key) and collects the refs
 * that stand in it.
 */
export function redactAndCollectRefs(
  value: unknown,
  options: { redact: boolean; refs: Set<string> | undefined },
): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, options)
    return
  }
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return
  const object = value as Record<string, unknown>
  for (const key in object) {
    const member = object[key]
    if (options.redact && typeof member === 'string' && member !== '' && isCredentialKey(key)) object[key] = redacted
    else visit(member, options)
  }
}

function visit(value: unknown, options: { redact: boolean; refs: Set<string> | undefined }): void {
  if (typeof value === 'string') {
    if (options.refs !== undefined && isRef(value)) options.refs.add(value)
  } else if (typeof value === 'object' && value !== null) redactAndCollectRefs(value, options)
}
