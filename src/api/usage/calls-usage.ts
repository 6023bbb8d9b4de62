import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { CallsUsageQuestion, CallUsage } from '../../model/usage.ts'
import type { Services } from '../../services.ts'
import { answerJsonPieces } from '../json-lines.ts'

export const callsUsageRoute = {
  body: CallsUsageQuestion,
  response: { 200: CallUsage },
  detail: {
    operationId: 'usage.ofCalls',
    summary: 'Usage of calls with all calls below them',
    description: 'One entry for each id, empty where there is no such call or no usage.',
    tags: ['Usage'],
  },
}

export function callsUsage(
  services: Services,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof callsUsageRoute.body>,
) {
  const reader = caller.read(body.project_id)
  return answerJsonPieces(signal, (left) => services.usage.ofCalls(reader, body, left))
}
