import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { ValueRequest, ValueText } from '../../model/payloads.ts'
import type { CallsServices } from '../services.ts'

export const callValueRoute = {
  body: ValueRequest,
  response: { 200: ValueText },
  detail: {
    operationId: 'calls.value',
    readOnly: true,
    summary: 'Get a piece of the payload of a call',
    description:
      'Returns the JSON text of inputs, output, attributes or summary, or of a value inside, exactly as stored. ' +
      'Long texts are returned in pieces: continue at `next_offset`.',
    tags: ['Calls'],
  },
}

export async function callValue(
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof callValueRoute.body>,
) {
  return Response.json(await services.payloads.value(caller.read(body.project_id), body, signal))
}
