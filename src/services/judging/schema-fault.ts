import { limits } from '../../limits.ts'
import { sha256Hex } from '../../platform/crypto.ts'
import { Judges, JudgingTimeout } from './judges.ts'

const judges = new Judges(limits.schemaMs)

/** Digests of schemas that took too long, the oldest first: each would hold up everybody's checks again. */
const slow = new Set<string>()

const tooSlow = 'its form takes too long to check'

/**
 * What is wrong with a JSON Schema of a user, or with the value in `value` by it; undefined where nothing is. One that takes too long is none.
 *
 * @throws DomainError Overloaded
 */
export async function schemaFault(schema: unknown, value?: readonly [unknown]): Promise<string | undefined> {
  const digest = sha256Hex(JSON.stringify(schema) ?? '')
  if (slow.has(digest)) return tooSlow
  try {
    const fault = await judges.ask({ kind: 'schema', schema, ...(value !== undefined && { value }) })
    return (fault as string | null) ?? undefined
  } catch (cause) {
    if (!(cause instanceof JudgingTimeout)) throw cause
    slow.add(digest)
    if (slow.size > limits.slowSchemasKept) slow.delete(slow.values().next().value!)
    return tooSlow
  }
}
