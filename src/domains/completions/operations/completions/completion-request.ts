import type { CompletionParams, KeptCompletion } from '../../completions.ts'
import type { CompletionRequest } from '../../model/completions.ts'

/** The request in the terms of the service. */
export const requestOf = (request: CompletionRequest): CompletionParams => ({
  inputs: request.inputs,
  track: request.track_llm_call ?? true,
  traceId: request.trace_id,
  parentId: request.parent_id,
  conversationId: request.conversation_id,
  attributes: Object.fromEntries(
    Object.entries({ conversation_name: request.conversation_name, source: request.source }).filter(
      ([, value]) => value != null,
    ),
  ),
})

/**
 * Ids of a tracked completion in the terms of the API. A completion is one span, and its call has
 * the same id.
 */
export const idsOf = (kept: KeptCompletion | undefined) => ({
  ext_call_id: kept?.callId ?? null,
  span_id: kept?.callId ?? null,
  trace_id: kept?.traceId ?? null,
  conversation_id: kept?.conversationId ?? null,
})
