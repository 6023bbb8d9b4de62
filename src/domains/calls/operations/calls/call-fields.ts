import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { jsonTextResponse } from '../../../requests/json-lines.ts'
import { CallFields, CallFieldsRequest } from '../../model/exploration.ts'
import type { CallsServices } from '../services.ts'

export const callFieldsRoute = {
  body: CallFieldsRequest,
  response: { 200: CallFields },
  detail: {
    operationId: 'calls.fields',
    readOnly: true,
    summary: 'List the fields of calls',
    description:
      'Describes the fields that the newest matching calls have, members of their JSON included, the most common ' +
      'first. The search is bounded in time; the response says how many calls it is based on.',
    tags: ['Calls'],
  },
}

/** Numbers are as stored, so the response is JSON text. */
export const callFields = async (
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof callFieldsRoute.body>,
) => jsonTextResponse(JSON.stringify(await services.callFields.find(caller.read(body.project_id), body, signal)))
