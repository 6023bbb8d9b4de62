import { isRef } from '../../formats/dialect/ref.ts'
import type { Redact } from '../../formats/mapping/spans/span-dump.ts'
import { isHolder } from '../../formats/wire/marked-numbers.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { isRawNumber } from '../../lib/json-value.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import type { ContentSink } from './contents.ts'

/** Whole names: `token_count`, `max_tokens` and `password_hint` are not credentials. */
const exactKeys: ReadonlySet<string> = new Set([
  'authheaders',
  'authorization',
  'authtoken',
  'awsaccesskey',
  'awsaccesskeyid',
  'bearer',
  'bearertoken',
  'cookie',
  'credentials',
  'databaseurl',
  'jwt',
  'passwd',
  'password',
  'proxyauthorization',
  'secret',
  'setcookie',
  'token',
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

/** Replacement for credential values. */
export const redacted = 'REDACTED'

/** Keys repeat from call to call. */
const verdicts = new BoundedMap<string, boolean>(telemetryLimits.cachedKeysMax)

/** Whether a member of this name holds a credential; compared in lower case without `_` and `-`. */
function isCredentialKey(key: string): boolean {
  const known = verdicts.get(key)
  if (known !== undefined) return known
  const plain = key.toLowerCase().replaceAll(/[_-]/g, '')
  const verdict = exactKeys.has(plain) || keyEndings.some((ending) => plain.endsWith(ending))
  if (key.length <= telemetryLimits.cachedKeyCharsMax) verdicts.set(key, verdict)
  return verdict
}

export interface PayloadWalk {
  readonly redact: boolean
  /** Collects the refs in the value. */
  readonly refs: Set<string> | undefined
  /** Extracts content in text. */
  readonly contents: ContentSink | undefined
}

/**
 * Walks a parsed JSON value once: replaces credentials (non-empty strings under a credential-like
 * key) and content to be stored as files in place, and collects refs.
 */
export function walkPayload(value: unknown, walk: PayloadWalk): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const replaced = visit(value[index], walk)
      if (replaced !== undefined) value[index] = replaced
    }
    return
  }
  if (!isHolder(value) || isRawNumber(value)) return
  for (const key in value) {
    const member = value[key]
    const isCredential = walk.redact && typeof member === 'string' && member !== '' && isCredentialKey(key)
    const replaced = isCredential ? redacted : visit(member, walk)
    if (replaced !== undefined) value[key] = replaced
  }
}

/** Replaces the credentials in parsed JSON, if that is wanted. */
export const redactor = (redact: boolean): Redact =>
  redact ? (value) => walkPayload(value, { redact, refs: undefined, contents: undefined }) : () => {}

/** The replacement for a value; undefined to keep it. */
function visit(value: unknown, walk: PayloadWalk): unknown {
  if (typeof value === 'string') {
    if (walk.refs !== undefined && isRef(value)) walk.refs.add(value)
    return walk.contents?.replace(value)
  }
  if (typeof value === 'object' && value !== null) walkPayload(value, walk)
  return undefined
}
