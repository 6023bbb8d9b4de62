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

/** The body that Elysia validates in place of a prepared one. */
const emptyBatch = () => ({ batch: [] })

interface Sent {
  readonly request: Request
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
}

/** Bodies that threads have parsed, checked and encoded, by request. */
export class PreparedBodies {
  private readonly intake: CallIntake
  /** The dialect of the bodies. */
  private readonly dialect: DialectName
  private readonly prepared = new WeakMap<Request, PreparedCalls>()

  constructor(intake: CallIntake, dialect: DialectName) {
    this.intake = intake
    this.dialect = dialect
  }

  /**
   * How to read the body of a request in a thread; undefined if it is read as usual. A body that a
   * thread finds fault with is read as usual, too, so every refusal is the same.
   */
  readerFor({
    request,
    route,
    params,
    caller,
  }: Sent): ((bytes: Uint8Array, room: BodyRoom) => Promise<unknown>) | undefined {
    const kind = kinds.get(`${request.method} ${route}`)
    // A repeated request must have the same ids, and its body is compared.
    if (kind === undefined || request.headers.has('idempotency-key')) return undefined
    const projectId = kind === 'completed' ? `${params['entity']}/${params['project']}` : undefined
    return async (bytes, room) => {
      if (!this.intake.accepts(bytes.byteLength)) return undefined
      await room.takeValue(bytes.byteLength * requestLimits.quickBodyGrowth)
      const prepared = await this.intake.prepare(bytes, {
        kind,
        projectId,
        userId: caller.userId,
        bodyDialect: this.dialect,
      })
      if (prepared === undefined) return undefined
      this.prepared.set(request, prepared)
      return emptyBatch()
    }
  }

  of(request: Request): PreparedCalls | undefined {
    return this.prepared.get(request)
  }
}

/** An answer that is JSON already, with the same headers as any other. */
export const jsonAnswer = (text: string): Response => new Response(text, { headers: jsonHeaders })

/** Runtimes differ in whether the type names the character set. */
const jsonHeaders = { 'content-type': Response.json(null).headers.get('content-type') ?? 'application/json' }
