import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { jsonPiecesResponse } from '../../requests/json-lines.ts'
import { CallsUsageRequest, CallUsage } from '../model/usage.ts'
import type { UsageServices } from './services.ts'

export const callsUsageRoute = {
  body: CallsUsageRequest,
  response: { 200: CallUsage },
  detail: {
    operationId: 'usage.ofCalls',
    readOnly: true,
    summary: 'Get the usage of calls and their descendants',
    description: 'Returns one entry per id; empty for unknown calls and calls without usage.',
    tags: ['Usage'],
  },
}

export function callsUsage(
  services: UsageServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof callsUsageRoute.body>,
) {
  const reader = caller.read(body.project_id)
  return jsonPiecesResponse(signal, (left) => services.usage.ofCalls(reader, body, left))
}
