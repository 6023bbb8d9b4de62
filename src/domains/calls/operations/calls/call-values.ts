import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../../access/index.ts'
import { jsonTextResponse } from '../../../requests/index.ts'
import { CallValues, CallValuesRequest } from '../../model/exploration.ts'
import type { CallsServices } from '../services.ts'

export const callValuesRoute = {
  body: CallValuesRequest,
  response: { 200: CallValues },
  detail: {
    operationId: 'calls.values',
    readOnly: true,
    summary: 'Count the values of a field',
    description:
      'Returns the most frequent values that matching calls have in a field, and how numbers are distributed. ' +
      'Every call is counted once: under its value, in `missing` or in `other`. Inside JSON, the newest calls are ' +
      'read first and the search is bounded in time; the response says how many calls it is based on.',
    tags: ['Calls'],
  },
}

/** Numbers are as stored, so the response is JSON text. */
export const callValues = async (
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof callValuesRoute.body>,
) => jsonTextResponse(JSON.stringify(await services.callValues.count(caller.read(body.project_id), body, signal)))
