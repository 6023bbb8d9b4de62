import { releaseBytes } from '../../../../lib/bytes.ts'
import { requestLimits } from '../../../../lib/limits/requests.ts'
import type { DialectName } from '../../../../runtime/config/configuration.ts'
import type { Caller } from '../../../access/index.ts'
import type { BodyRoom } from '../../../requests/index.ts'
import type { CallIntake } from '../../intake/call-intake.ts'
import type { CallsTask, PreparedCalls } from '../../intake/intake-task.ts'

/** Operations whose large bodies are prepared in threads. */
const kinds: ReadonlyMap<string, CallsTask['kind']> = new Map([
  ['POST /call/upsert_batch', 'parts'],
  ['POST /v2/:entity/:project/calls/complete', 'completed'],
])

interface SentBody {
  readonly request: Request
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  /** In which the members of the body are named. */
  readonly dialect: DialectName
}

/**
 * Reads the body of a request in a thread. Undefined if the request is none whose body threads
 * read.
 *
 * The returned function returns undefined for a body that is too small, or that a thread finds
 * fault with: then it has to be read as usual, so that every refusal is the same.
 */
export function callsReader(
  intake: CallIntake,
  { request, route, params, caller, dialect }: SentBody,
): ((bytes: Uint8Array, room: BodyRoom) => Promise<PreparedCalls | undefined>) | undefined {
  const kind = kinds.get(`${request.method} ${route}`)
  // A repeated request must have the same ids, and its body is compared.
  if (kind === undefined || request.headers.has('idempotency-key')) return undefined
  const projectId = kind === 'completed' ? `${params['entity']}/${params['project']}` : undefined
  return async (bytes, room) => {
    if (!intake.accepts(bytes.byteLength)) return undefined
    await room.takeValue(bytes.byteLength * requestLimits.quickBodyGrowth)
    const prepared = await intake.prepare(bytes, { kind, projectId, userId: caller.userId, bodyDialect: dialect })
    if (prepared !== undefined) releaseBytes(bytes)
    return prepared
  }
}

/** An answer that is JSON already, with the same headers as any other. */
export const jsonAnswer = (text: string): Response => new Response(text, { headers: jsonHeaders })

/** Runtimes differ in whether the type names the character set. */
const jsonHeaders = { 'content-type': Response.json(null).headers.get('content-type') ?? 'application/json' }
