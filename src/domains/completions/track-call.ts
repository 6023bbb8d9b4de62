import { checkThreadName } from '../../lib/ids.ts'
import { copyJson, isJsonObject, mapJson, mapMembers } from '../../lib/json-value.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { ProjectWriter } from '../access/index.ts'
import { type CallWriter, redacted } from '../calls/index.ts'

/** Where a call created by the server belongs. */
export interface CallPlace {
  readonly traceId?: string | null | undefined
  readonly parentId?: string | null | undefined
  readonly conversationId?: string | null | undefined
}

export interface TrackedCall {
  readonly callId: string
  readonly traceId: string
  /** Ends the call. */
  end(result: CallResult): Promise<void>
}

interface CallResult {
  readonly output: unknown
  readonly exception?: string | undefined
  /** Usage by model, as reported by the provider. */
  readonly usage?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Starts a call for an operation that the server performs for a caller; it shows as running until
 * `end`. @throws DomainError InvalidRequest, InvalidField
 */
export async function trackCall(
  { calls, clock }: { calls: CallWriter; clock: Clock },
  writer: ProjectWriter,
  what: { opName: string; inputs: object; attributes: Record<string, unknown>; place: CallPlace },
): Promise<TrackedCall> {
  const { traceId, parentId, conversationId } = what.place
  // Checked here, because the call would report the member under another name.
  checkThreadName('conversation_id', conversationId)
  const id = newId()
  const now = () => new Date(clock.nowMs()).toISOString()
  const started = await calls.start(writer, {
    project_id: writer.projectId,
    id,
    op_name: what.opName,
    trace_id: traceId ?? null,
    parent_id: parentId ?? null,
    thread_id: conversationId ?? null,
    // A completion without a parent is a turn of its conversation.
    turn_id: conversationId != null && parentId == null ? id : null,
    started_at: now(),
    attributes: what.attributes,
    inputs: storable(what.inputs),
  })
  return {
    callId: id,
    traceId: started.trace_id,
    end: ({ output, exception, usage }) =>
      calls.end(writer, {
        project_id: writer.projectId,
        id,
        ended_at: now(),
        // Storing replaces long content in place, but the client gets the original response.
        output: copyJson(output),
        exception: exception ?? null,
        summary: usage === undefined ? {} : { usage },
      }),
  }
}

/**
 * A copy without credentials, regardless of the redaction setting: these inputs were meant for a
 * provider and are not the user's own trace.
 */
function storable(inputs: object): Record<string, unknown> {
  const { vertex_credentials: _, api_key: __, ...rest } = mapMembers({ ...inputs }, copyJson)
  if (isJsonObject(rest['extra_headers'])) {
    rest['extra_headers'] = mapJson(rest['extra_headers'], (value, name) =>
      value !== null && credentialHeader.test(name) ? redacted : value,
    )
  }
  return rest
}

/** Header names that may carry credentials; they follow fewer conventions than member names. */
const credentialHeader = /auth|cookie|credential|key|pass|secret|session|signature|token/i
