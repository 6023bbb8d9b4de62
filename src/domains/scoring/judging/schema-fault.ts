import { BoundedMap } from '../../../lib/bounded-map.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { sha256Hex } from '../../../runtime/platform/crypto.ts'
import { Judges, JudgingTimeout } from './judges.ts'

const judges = new Judges(operationLimits.schemaMs)

/**
 * Digests of schemas that took too long, oldest first, with the time until which they are rejected:
 * each would delay everyone's checks again, but a busy machine may have been the reason.
 */
const slow = new BoundedMap<string, number>(operationLimits.slowSchemasKept)

const tooSlow = 'the JSON Schema takes too long to check'

/**
 * What is wrong with a user's JSON Schema, or with the value in `value` according to it; undefined
 * if nothing. A schema that takes too long is invalid.
 *
 * @throws DomainError Overloaded
 */
export async function schemaFault(schema: unknown, value?: readonly [unknown]): Promise<string | undefined> {
  const digest = sha256Hex(JSON.stringify(schema) ?? '')
  if ((slow.get(digest) ?? 0) > performance.now()) return tooSlow
  try {
    const fault = await judges.ask({ kind: 'schema', schema, ...(value !== undefined && { value }) })
    return (fault as string | null) ?? undefined
  } catch (cause) {
    if (!(cause instanceof JudgingTimeout)) throw cause
    slow.set(digest, performance.now() + operationLimits.slowSchemaKeptMs)
    return tooSlow
  }
}
