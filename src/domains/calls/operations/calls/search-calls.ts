import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { CallSearch, CallSearchRequest } from '../../model/call-search.ts'
import type { CallsServices } from '../services.ts'

export const searchCallsRoute = {
  body: CallSearchRequest,
  response: { 200: CallSearch },
  detail: {
    operationId: 'calls.search',
    readOnly: true,
    summary: 'Search calls for a text',
    description:
      'Finds calls that contain a text in op name, display name, exception, inputs, output or attributes, the ' +
      'newest first, and shows where. The search is bounded in time; `after` continues it.',
    tags: ['Calls'],
  },
}

export const searchCalls = (
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof searchCallsRoute.body>,
) => services.callSearch.search(caller.read(body.project_id), body, signal)
