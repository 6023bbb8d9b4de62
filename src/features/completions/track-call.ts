import type { ProjectWriter } from '../../foundation/access/caller.ts'
import { checkThreadName } from '../../kernel/ids.ts'
import { copyJson, isJsonObject, mapJson } from '../../kernel/json-value.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/new-id.ts'
import { redacted } from '../../records/calls/redact.ts'
import type { CallWriter } from '../../records/calls/write-calls.ts'

/** Where a call belongs that the server makes itself. */
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
  /** Usage by model, as the provider reported it. */
  readonly usage?: Readonly<Record<string, unknown>> | undefined
}

/** Starts a call for something that the server does for a caller: it shows as running until `end`. @throws DomainError InvalidRequest, InvalidField */
export async function trackCall(
  { calls, clock }: { calls: CallWriter; clock: Clock },
  writer: ProjectWriter,
  what: { opName: string; inputs: object; attributes: Record<string, unknown>; place: CallPlace },
): Promise<TrackedCall> {
  const { traceId, parentId, conversationId } = what.place
  // The call would call it by another name.
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
    // A completion that nothing else caused is a turn of its conversation.
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
        // Storing replaces long contents in place; the client gets what was answered.
        output: copyJson(output),
        exception: exception ?? null,
        summary: usage === undefined ? {} : { usage },
      }),
  }
}

/** A copy without credentials, whatever the settings: these inputs were meant for a provider, and are not the user's own trace. */
function storable(inputs: object): Record<string, unknown> {
  const { vertex_credentials: _, api_key: __, ...rest } = copyJson(inputs) as Record<string, unknown>
  if (isJsonObject(rest['extra_headers'])) {
    rest['extra_headers'] = mapJson(rest['extra_headers'], (value, name) =>
      value !== null && credentialHeader.test(name) ? redacted : value,
    )
  }
  return rest
}

/** Headers that let somebody in somewhere; their names follow fewer customs than those of members. */
const credentialHeader = /auth|cookie|credential|key|pass|secret|session|signature|token/i
