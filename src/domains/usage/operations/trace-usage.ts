import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { jsonPiecesResponse } from '../../requests/json-lines.ts'
import { CallUsage, TraceUsageRequest } from '../model/usage.ts'
import type { UsageServices } from './services.ts'

export const traceUsageRoute = {
  body: TraceUsageRequest,
  response: { 200: CallUsage },
  detail: {
    operationId: 'usage.ofMatchingCalls',
    readOnly: true,
    summary: 'Get the rolled-up usage of matching calls',
    description:
      'For each matching call, returns the usage of it and its matching descendants. What a call states counts ' +
      'unless a matching descendant states usage.',
    tags: ['Usage'],
  },
}

export function traceUsage(
  services: UsageServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof traceUsageRoute.body>,
) {
  const reader = caller.read(body.project_id)
  return jsonPiecesResponse(signal, (left) => services.usage.ofMatching(reader, body, left))
}
