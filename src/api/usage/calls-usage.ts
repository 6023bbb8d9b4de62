import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../model/caller.ts'
import { CallsUsageQuestion, CallUsage } from '../../model/usage.ts'
import type { Services } from '../../services/services.ts'

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

export const callsUsage = (services: Services, caller: Caller, body: Static<typeof callsUsageRoute.body>) =>
  services.usage.ofCalls(caller.read(body.project_id), body)
