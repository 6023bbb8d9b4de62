import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { PayloadSizes, SizesRequest } from '../../model/payloads.ts'
import type { CallsServices } from '../services.ts'

export const callSizesRoute = {
  body: SizesRequest,
  response: { 200: PayloadSizes },
  detail: {
    operationId: 'calls.sizes',
    readOnly: true,
    summary: 'Get the sizes of the payload of a call',
    description: 'Lengths of the texts that `/call/value` returns.',
    tags: ['Calls'],
  },
}

export const callSizes = (
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  { project_id, call_id }: Static<typeof callSizesRoute.body>,
) => services.payloads.sizes(caller.read(project_id), call_id, signal)
