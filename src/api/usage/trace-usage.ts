import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { CallUsage, TraceUsageQuestion } from '../../model/usage.ts'
import type { Services } from '../../services.ts'
import { answerJsonPieces } from '../json-lines.ts'

export const traceUsageRoute = {
  body: TraceUsageQuestion,
  response: { 200: CallUsage },
  detail: {
    operationId: 'usage.ofMatchingCalls',
    summary: 'Usage of matching calls, rolled up',
    description: 'For every matching call its own usage plus that of the matching calls below it.',
    tags: ['Usage'],
  },
}

export function traceUsage(
  services: Services,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof traceUsageRoute.body>,
) {
  const reader = caller.read(body.project_id)
  return answerJsonPieces(signal, (left) => services.usage.ofMatching(reader, body, left))
}
