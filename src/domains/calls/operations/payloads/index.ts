import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { CallsServices } from '../services.ts'
import { callMessages, callMessagesRoute } from './call-messages.ts'
import { callSizes, callSizesRoute } from './call-sizes.ts'
import { callValue, callValueRoute } from './call-value.ts'

/** Operations on the payload of one call. */
export const payloadsApi = (services: CallsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/call/messages',
      ({ caller, request, body }) => callMessages(services, caller, request, body),
      callMessagesRoute,
    )
    .post('/call/sizes', ({ caller, request, body }) => callSizes(services, caller, request, body), callSizesRoute)
    .post('/call/value', ({ caller, request, body }) => callValue(services, caller, request, body), callValueRoute)
